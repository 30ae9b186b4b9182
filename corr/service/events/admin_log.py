"""Carries out and records the admins' actions on events; the event's page shows them to everybody."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, select, update

from corr import limits
from corr.game.crosstable import Score
from corr.messages import sentence
from corr.service import catalogue
from corr.service.events import entrants, events, results, standings, withdrawals
from corr.service.events.entrants import Entrant
from corr.service.events.events import Event, Kind, Stage
from corr.service.events.standings import Standing
from corr.service.games import moderation
from corr.service.house import House
from corr.service.players.mailboxes import Correspondent
from corr.service.players.time_format import in_utc
from corr.store.locks import insert_once
from corr.store.rows import rows_of
from corr.store.tables import EventAct, EventGame, Moment
from corr.words.errors import Refused

log = logging.getLogger(__name__)


class _Kept(NamedTuple):
    deed: str
    about: str
    reason: str
    made_at: datetime


class Act(NamedTuple):
    """An action in words: what an admin did, why and when."""

    said: str
    reason: str
    when: str


_OF_EVENT = (
    select(EventAct.deed, EventAct.about, EventAct.reason, EventAct.made_at)
    .where(EventAct.event_id == bindparam("event"))
    .order_by(EventAct.number.desc())
)
_NEWEST = select(func.coalesce(func.max(EventAct.number), 0)).where(EventAct.event_id == bindparam("event"))
_MEND = (
    update(EventGame)
    .where(EventGame.id == bindparam("of"))
    .values(
        score=bindparam("how"),
        by_default=False,
        mended=True,
        settled_at=func.coalesce(EventGame.settled_at, bindparam("now", type_=Moment)),
    )
)
_LEAVE_ALONE = (
    update(EventGame)
    .where(EventGame.event_id == bindparam("event"), EventGame.settled_at.is_(None))
    .values(settled_at=bindparam("now", type_=Moment))
)


class By(NamedTuple):
    """The admin who acts, the number of the action on their page, and the reason."""

    who: Correspondent
    number: str
    reason: str


class Plan(NamedTuple):
    """An event as an admin plans it."""

    name: str
    variant: str
    clock: str
    size: int
    rated: bool
    programs: bool


def of_event(connection: Connection, event_id: int, found: Sequence[Entrant]) -> tuple[Act, ...]:
    """Return all actions on an event, newest first; deleted players stay unnamed."""
    kept = rows_of(_Kept, connection.execute(_OF_EVENT, {"event": event_id}))
    names = {str(each.id): each.name for each in found}
    return tuple(Act(_said(each, names), each.reason, in_utc(each.made_at)) for each in kept)


def _said(kept: _Kept, names: Mapping[str, str]) -> str:
    """Word an action; a player removed before the event began is unnamed."""
    unnamed = sentence("events.a_player")
    white, black = ([names.get(each, unnamed) for each in kept.about.split()] + ["", ""])[:2]
    return sentence(f"acts.{kept.deed}", white=white, black=black)


def next_number(connection: Connection, event_id: int) -> int:
    """Return the number of an event's next action."""
    newest: int = connection.execute(_NEWEST, {"event": event_id}).scalar_one()
    return newest + 1


def make(house: House, by: By, plan: Plan, now: datetime) -> str:
    """Make a section that players can enter, and return its code."""
    values = plan._asdict() | {"name": _name(plan.name), "variant": catalogue.card(plan.variant).key}
    with house.store.writing() as connection:
        event = events.make(connection, now, kind=Kind.SECTION, **values)
        number = _enter(connection, by, event, "made", (), now)
    _log(event, number)
    return event.code


def stop(house: House, by: By, place: str, now: datetime) -> None:
    """Stop an event early: its games go on but count for no event."""
    with house.store.writing() as connection:
        standing = _held(connection, by, place, now)
        if standing.event.ended_at is not None:
            raise Refused(sentence("events.over"))
        number = _enter(connection, by, standing.event, "stopped", (), now)
        connection.execute(_LEAVE_ALONE, {"event": standing.event.id, "now": now})
        events.end(connection, standing.event.id, Stage.STOPPED, now)
        entrants.tell(connection, standing.event.id, now, at_once=True)
    _log(standing.event, number)


def mend(house: House, by: By, place: str, game: str, score: str, now: datetime) -> None:
    """Set the score of a section's game, whatever its own result."""
    with house.store.writing() as connection:
        standing = _held(connection, by, place, now)
        of = next((each for each in standing.games if str(each.id) == game), None)
        if of is None or standing.event.is_pyramid or score not in tuple(Score):
            raise Refused(sentence("events.no_such_game"))
        about = [standing.numbered[each] for each in of.numbers]
        number = _enter(connection, by, standing.event, score, about, now)
        connection.execute(_MEND, {"of": of.id, "how": score, "now": now})
        entrants.tell(connection, standing.event.id, now, at_once=standing.event.ended_at is not None)
        results.close(connection, standing.event.id, now)
    _log(standing.event, number)


def take_out(house: House, by: By, place: str, entrant: str, now: datetime) -> None:
    """Remove a player from an event as if the player had left."""
    with house.store.writing() as connection:
        standing = _held(connection, by, place, now)
        own = next((each for each in standing.entrants if str(each.id) == entrant), None)
        if own is None or own.house:
            raise Refused(sentence("events.not_there"))
        number = _enter(connection, by, standing.event, "taken_out", [own], now)
        withdrawals.leave(connection, standing, own, now)
    _log(standing.event, number)


def _held(connection: Connection, by: By, place: str, now: datetime) -> Standing:
    """Lock and settle the event; Refused if the admin plays in it."""
    event = events.existing(connection, place)
    results.settle(connection, event.id, now)
    standing = standings.held(connection, event.id)
    if is_own(standing.entrants, by.who):
        raise Refused(sentence("events.own_event"))
    return standing


def is_own(found: Sequence[Entrant], who: Correspondent) -> bool:
    """Tell whether an admin plays in an event, and so another admin must decide."""
    return any(each.player_id == who.player_id for each in found)


def _enter(
    connection: Connection, by: By, event: Event, deed: str, about: Sequence[Entrant], now: datetime
) -> int:
    """Record an action once, and return its number.

    On a double click, the second request finds the number taken.
    """
    reason, due = moderation.reason(by.reason), next_number(connection, event.id)
    is_new = by.number == str(due) and insert_once(
        connection,
        EventAct,
        event_id=event.id,
        number=due,
        operator=by.who.address or "",
        deed=deed,
        about=" ".join(str(each.id) for each in about),
        reason=reason,
        made_at=now,
    )
    if not is_new:
        raise Refused(sentence("admin.stale"))
    return due


def _log(event: Event, number: int) -> None:
    """Log the action once it is stored."""
    log.info("admin action on an event", extra={"event": event.id, "number": number})


def _name(text: str) -> str:
    name = " ".join(text.split())
    if not name or len(name) > limits.EVENT_NAME_CHARACTERS or not name.isprintable():
        raise Refused(sentence("events.no_name", most=limits.EVENT_NAME_CHARACTERS))
    return name
