"""Carries out and records admins' actions on events; everybody reads them on the event's page."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, select, update

from corr import limits
from corr.game.pairings_and_standings import Score
from corr.service import catalogue
from corr.service.events import crosstables, event_games, events, withdrawals
from corr.service.events.crosstables import Standings
from corr.service.events.events import Entrant, Event, EventKind, EventStage
from corr.service.games import moderation
from corr.service.players.mailboxes import Correspondent
from corr.service.players.times import word_in_utc
from corr.service.server import Server
from corr.store.locks import insert_if_new
from corr.store.rows import columns_of, rows_of
from corr.store.tables import EventActRow, EventGameRow, Moment
from corr.text.messages import sentence
from corr.words.errors import Refused

log = logging.getLogger(__name__)


class _ActRow(NamedTuple):
    deed: str
    about: str
    reason: str
    made_at: datetime


class ActRequest(NamedTuple):
    """Which admin acts and why; the `number` from their page gets repeats refused."""

    who: Correspondent
    number: str
    reason: str


class EventPlan(NamedTuple):
    name: str
    variant: str
    clock: str
    size: int
    rated: bool
    programs: bool


class AdminAct(NamedTuple):
    """An action in words: what an admin did, why and when."""

    said: str
    reason: str
    when: str


_ACTS_QUERY = (
    select(*columns_of(_ActRow, EventActRow))
    .where(EventActRow.event_id == bindparam("event"))
    .order_by(EventActRow.number.desc())
)
_NEWEST_NUMBER_QUERY = select(func.coalesce(func.max(EventActRow.number), 0)).where(
    EventActRow.event_id == bindparam("event")
)
_SCORE_UPDATE = (
    update(EventGameRow)
    .where(EventGameRow.id == bindparam("of"))
    .values(
        score=bindparam("how"),
        by_default=False,
        mended=True,
        settled_at=func.coalesce(EventGameRow.settled_at, bindparam("now", type_=Moment)),
    )
)
_SETTLE_REST_UPDATE = (
    update(EventGameRow)
    .where(EventGameRow.event_id == bindparam("event"), EventGameRow.settled_at.is_(None))
    .values(settled_at=bindparam("now", type_=Moment))
)


def list_acts(connection: Connection, event_id: int, entrants: Sequence[Entrant]) -> tuple[AdminAct, ...]:
    """Return all actions on an event, newest first; deleted players stay unnamed."""
    names, unnamed = {str(each.id): each.name for each in entrants}, sentence("events.a_player")
    acts = []
    for each in rows_of(_ActRow, connection.execute(_ACTS_QUERY, {"event": event_id})):
        # A player removed before the event began is unnamed too.
        white, black = ([names.get(player, unnamed) for player in each.about.split()] + ["", ""])[:2]
        said = sentence(f"acts.{each.deed}", white=white, black=black)
        acts.append(AdminAct(said, each.reason, word_in_utc(each.made_at)))
    return tuple(acts)


def next_number(connection: Connection, event_id: int) -> int:
    """Return the number of the next admin action on an event."""
    newest: int = connection.execute(_NEWEST_NUMBER_QUERY, {"event": event_id}).scalar_one()
    return newest + 1


def make_section(server: Server, act: ActRequest, plan: EventPlan, now: datetime) -> str:
    """Create a section (everybody plays everybody) as an admin, and return its code."""
    values = plan._asdict() | {"name": _name(plan.name), "variant": catalogue.card(plan.variant).key}
    with server.store.writing() as connection:
        event = events.make(connection, now, kind=EventKind.SECTION, **values)
        number = _record_act(connection, act, event, "made", (), now)
    _log(event, number)
    return event.code


def stop_event(server: Server, act: ActRequest, place: str, now: datetime) -> None:
    """Stop an event early: its games go on but count for no event. Refused if it is over."""
    with server.store.writing() as connection:
        standing = _lock_standings(connection, act, place, now)
        if standing.event.ended_at is not None:
            raise Refused(sentence("events.over"))
        number = _record_act(connection, act, standing.event, "stopped", (), now)
        connection.execute(_SETTLE_REST_UPDATE, {"event": standing.event.id, "now": now})
        events.end(connection, standing.event.id, EventStage.STOPPED, now)
        events.mark_news(connection, standing.event.id, now, at_once=True)
    _log(standing.event, number)


def set_score(server: Server, act: ActRequest, place: str, game: str, score: str, now: datetime) -> None:
    """Set the score of a section's game, whatever its own result; Refused if the section has no such game."""
    with server.store.writing() as connection:
        standing = _lock_standings(connection, act, place, now)
        of = next((each for each in standing.games if str(each.id) == game), None)
        if of is None or standing.event.is_pyramid or score not in tuple(Score):
            raise Refused(sentence("events.no_such_game"))
        about = [standing.numbered[each] for each in of.numbers]
        number = _record_act(connection, act, standing.event, score, about, now)
        connection.execute(_SCORE_UPDATE, {"of": of.id, "how": score, "now": now})
        events.mark_news(connection, standing.event.id, now, at_once=standing.event.ended_at is not None)
        event_games.close(connection, standing.event.id, now)
    _log(standing.event, number)


def remove_player(server: Server, act: ActRequest, place: str, entrant: str, now: datetime) -> None:
    """Remove a player from an event as if the player had left; Refused for the site's bots and non-entrants."""
    with server.store.writing() as connection:
        standing = _lock_standings(connection, act, place, now)
        own = next((each for each in standing.entrants if str(each.id) == entrant), None)
        if own is None or own.house:
            raise Refused(sentence("events.not_there"))
        number = _record_act(connection, act, standing.event, "taken_out", [own], now)
        withdrawals.leave(connection, standing, own, now)
    _log(standing.event, number)


def _lock_standings(connection: Connection, act: ActRequest, place: str, now: datetime) -> Standings:
    """Lock an event and record its ended games; Refused if the admin plays there."""
    event = events.require_event(connection, place)
    event_games.settle(connection, event.id, now)
    standing = crosstables.lock_standings(connection, event.id)
    if is_own(standing.entrants, act.who):
        raise Refused(sentence("events.own_event"))
    return standing


def is_own(entrants: Sequence[Entrant], who: Correspondent) -> bool:
    """Tell whether an admin plays in an event, and so another admin must decide."""
    return any(each.player_id == who.player_id for each in entrants)


def _record_act(
    connection: Connection, act: ActRequest, event: Event, deed: str, about: Sequence[Entrant], now: datetime
) -> int:
    """Record an action and return its number; Refused if taken, as by a double click."""
    reason, due = moderation.clean_reason(act.reason), next_number(connection, event.id)
    is_new = act.number == str(due) and insert_if_new(
        connection,
        EventActRow,
        event_id=event.id,
        number=due,
        operator=act.who.address or "",
        deed=deed,
        about=" ".join(str(each.id) for each in about),
        reason=reason,
        made_at=now,
    )
    if not is_new:
        raise Refused(sentence("admin.stale"))
    return due


def _log(event: Event, number: int) -> None:
    log.info("admin action on an event", extra={"event": event.id, "number": number})


def _name(text: str) -> str:
    """Return an event's tidied name; Refused if it is empty, too long or unprintable."""
    name = " ".join(text.split())
    if not name or len(name) > limits.EVENT_NAME_CHARACTERS or not name.isprintable():
        raise Refused(sentence("events.no_name", most=limits.EVENT_NAME_CHARACTERS))
    return name
