"""Fills a section and starts it when full: draws numbers, and pairs all players twice."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, insert, select
from sqlalchemy.exc import OperationalError

from corr import limits
from corr.game import berger
from corr.messages import sentence
from corr.service.events import entrants, events, games
from corr.service.events.entrants import Entrant
from corr.service.events.events import Event, Kind, Stage
from corr.service.house import House
from corr.service.players import house_bots, mailboxes, players, same_person
from corr.service.players.mailboxes import Correspondent
from corr.store.leases import NOW
from corr.store.locks import take_turns
from corr.store.tables import EntrantRow, EventRow
from corr.words.board import Pair
from corr.words.errors import Refused

log = logging.getLogger(__name__)

_BATCH = 50
#: The fewest people with whom a section starts; bots fill the other places.
_FEWEST_PEOPLE = 2
_LOT = secrets.SystemRandom()
_TAKE_OUT = delete(EntrantRow).where(EntrantRow.id == bindparam("entrant"))
_FILLED = (
    select(EventRow.id).where(EventRow.fills_at <= NOW).order_by(EventRow.fills_at, EventRow.id).limit(_BATCH)
)


# ---------------------------------------------------------------- entering


def enter_usual(
    connection: Connection, who: Correspondent, variant: str, now: datetime, *, fills: bool
) -> Event:
    """Enter the section of a variant that is filling now, made if new."""
    _wait_for(connection, who)
    return _enter(connection, who, events.usual(connection, Kind.SECTION, variant, now), now, fills=fills)


def enter(connection: Connection, who: Correspondent, event: Event, now: datetime, *, fills: bool) -> Event:
    """Enter a named section, or change whether bots may fill it."""
    _wait_for(connection, who)
    return _enter(connection, who, events.held(connection, event.id), now, fills=fills)


def _wait_for(connection: Connection, who: Correspondent) -> None:
    """Let a player enter only one section at a time, so that the limit holds."""
    take_turns(connection, f"the events of {who.player_id}")


def _enter(connection: Connection, who: Correspondent, event: Event, now: datetime, *, fills: bool) -> Event:
    assert who.player_id is not None
    held = events.held(connection, event.id)
    found = entrants.of_event(connection, event.id)
    own = entrants.of_player(found, who.player_id)
    _check(connection, who, held, found, own)
    if own:
        entrants.change(connection, own.id, fills=fills)
    else:
        _add(connection, held.id, who.player_id, now, fills=fills)
    if len(found) + (own is None) == held.size:
        begin(connection, held, now)
    else:
        _go_on(connection, held, now)
    return events.by_id(connection, held.id)


def _check(
    connection: Connection, who: Correspondent, event: Event, found: Sequence[Entrant], own: Entrant | None
) -> None:
    """Raise Refused if a player cannot enter; a player already waiting there can."""
    assert who.player_id is not None
    if event.state != Stage.OPEN:
        raise Refused(sentence("events.begun_already") if own else sentence("events.closed"))
    if own:
        return
    if players.is_program(connection, who.player_id) and not event.programs:
        raise Refused(sentence("events.no_programs"))
    if any(same_person.is_one(connection, who, _mailbox(connection, each)) for each in found):
        raise Refused(sentence("events.one_person"))
    theirs = [each for each in events.of_player(connection, who.player_id) if not each.is_pyramid]
    if len(theirs) >= limits.SECTIONS_AT_ONCE:
        raise Refused(sentence("events.enough", most=limits.SECTIONS_AT_ONCE))


def _mailbox(connection: Connection, each: Entrant) -> Correspondent:
    return mailboxes.of_player(connection, each.player_id)


def _add(connection: Connection, event_id: int, player_id: int, now: datetime, **values: object) -> None:
    entered = {"event_id": event_id, "player_id": player_id, "entered_at": now}
    connection.execute(insert(EntrantRow).values(entered | values))


def leave(connection: Connection, event: Event, entrant: Entrant, now: datetime) -> None:
    """Remove a player from a section that has not begun; the caller holds its lock."""
    connection.execute(_TAKE_OUT, {"entrant": entrant.id})
    if event.usual or entrants.of_event(connection, event.id):
        _go_on(connection, event, now)
    else:
        events.end(connection, event.id, Stage.STOPPED, now)


# ---------------------------------------------------------------- beginning


def fill_some(house: House, now: datetime) -> int:
    """Let bots fill sections that waited long enough and whose players all agreed."""
    with house.store.asking() as connection:
        due = connection.execute(_FILLED, {"now": now}).scalars().all()
    return sum(_fill_one(house, event_id, now) for event_id in due)


def _fill_one(house: House, event_id: int, now: datetime) -> bool:
    """Fill one section; a failure must not hold up the others."""
    try:
        with house.store.writing() as connection:
            return _fill(connection, events.held(connection, event_id), now)
    except OperationalError:
        raise
    except Exception:
        log.exception("could not fill a section; will try again", extra={"event": event_id})
        return False


def _fill(connection: Connection, event: Event, now: datetime) -> bool:
    """Fill a section, unless another worker has already done so."""
    if event.fills_at is None or event.fills_at > now:
        return False
    fillers = house_bots.PROGRAMS[: event.size - len(entrants.of_event(connection, event.id))]
    for each in fillers:
        _add(connection, event.id, house_bots.player_of(connection, each), now, house=True)
    begin(connection, event, now)
    return True


def _go_on(connection: Connection, event: Event, now: datetime) -> None:
    """Set when bots may fill the empty places; never, unless all players have agreed."""
    found = entrants.of_event(connection, event.id)
    missing = event.size - len(found)
    may = (
        missing <= len(house_bots.PROGRAMS)
        and len(found) >= _FEWEST_PEOPLE
        and all(one.fills for one in found)
    )
    since = min((one.entered_at for one in found), default=now)
    events.change(
        connection, event.id, fills_at=max(since + limits.BEFORE_HOUSE_PLAYERS, now) if may else None
    )


def begin(connection: Connection, event: Event, now: datetime) -> None:
    """Begin a full section: draw numbers, pair all games for a worker, and tell everybody."""
    found = list(entrants.of_event(connection, event.id))
    _LOT.shuffle(found)
    for number, each in enumerate(found, 1):
        entrants.change(connection, each.id, number=number)
    pairs = (pair for each in berger.both_colours(len(found)) for pair in each)
    games.add(connection, event.id, (pair for pair in pairs if _is_played(found, pair)))
    events.change(connection, event.id, state=Stage.RUNNING, begun_at=now, fills_at=None)
    entrants.tell(connection, event.id, now)


def _is_played(found: Sequence[Entrant], pair: Pair[int]) -> bool:
    """Leave out games of the site's bots against each other."""
    return found[pair.white - 1].is_person or found[pair.black - 1].is_person
