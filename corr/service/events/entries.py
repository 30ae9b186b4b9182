"""Enters players into sections and pyramids, begins full sections, makes challenges (limits: `corr/limits.py`)."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, select

from corr import limits
from corr.game import pairings_and_standings, pyramid
from corr.game.pyramid import Climber
from corr.service.events import crosstables, events
from corr.service.events.crosstables import Standings
from corr.service.events.events import Entrant, Event, EventKind, EventStage
from corr.service.players import addresses, house_bots, mailboxes, players
from corr.service.players.mailboxes import Correspondent
from corr.service.server import Server, log_failure
from corr.store.locks import NOW
from corr.store.tables import EntrantRow, EventRow
from corr.text.messages import sentence
from corr.words.board import Pair
from corr.words.errors import Refused

log = logging.getLogger(__name__)

_BATCH = 50
#: The fewest people with whom a section starts; bots fill the other places.
_MIN_PEOPLE = 2
_RANDOM = secrets.SystemRandom()
_ENTRANT_DELETE = delete(EntrantRow).where(EntrantRow.id == bindparam("entrant"))
_DUE_FILLS_QUERY = (
    select(EventRow.id).where(EventRow.fills_at <= NOW).order_by(EventRow.fills_at, EventRow.id).limit(_BATCH)
)


def enter_site_section(
    connection: Connection, who: Correspondent, variant: str, now: datetime, *, fills: bool
) -> Event:
    """Enter a player into the site's open section of a variant, made if new."""
    events.lock_entries(connection, who.player_id)
    event = events.get_site_event(connection, EventKind.SECTION, variant, now)
    return _enter_section(connection, who, event, now, fills=fills)


def enter_section(
    connection: Connection, who: Correspondent, event: Event, now: datetime, *, fills: bool
) -> Event:
    """Enter a player into a section, or change whether an entrant lets bots fill it."""
    events.lock_entries(connection, who.player_id)
    return _enter_section(connection, who, event, now, fills=fills)


def _enter_section(
    connection: Connection, who: Correspondent, event: Event, now: datetime, *, fills: bool
) -> Event:
    """Check and store an entry, and begin the section if it is full now."""
    assert who.player_id is not None
    held = events.lock_event(connection, event.id)
    found = events.list_entrants(connection, event.id)
    own = events.find_entrant(found, who.player_id)
    _check_entry(connection, who, held, found, own)
    if own:
        events.change_entrant(connection, own.id, fills=fills)
    else:
        events.add_entrant(connection, held.id, who.player_id, now, fills=fills)
    if len(found) + (own is None) == held.size:
        begin_section(connection, held, now)
    else:
        _schedule_fill(connection, held, now)
    return events.load_event(connection, held.id)


def _check_entry(
    connection: Connection, who: Correspondent, event: Event, entrants: Sequence[Entrant], own: Entrant | None
) -> None:
    """Raise Refused if a player cannot enter; a player already waiting there can."""
    assert who.player_id is not None
    if event.state != EventStage.OPEN:
        raise Refused(sentence("events.begun_already") if own else sentence("events.closed"))
    if own:
        return
    if players.is_bot(connection, who.player_id) and not event.programs:
        raise Refused(sentence("events.no_programs"))
    others = (mailboxes.load_main_mailbox(connection, each.player_id) for each in entrants)
    if any(addresses.is_same_person(connection, who, other) for other in others):
        raise Refused(sentence("events.one_person"))
    theirs = [each for each in events.list_player_events(connection, who.player_id) if not each.is_pyramid]
    if len(theirs) >= limits.SECTIONS_AT_ONCE:
        raise Refused(sentence("events.enough", most=limits.SECTIONS_AT_ONCE))


def leave_section(connection: Connection, event: Event, entrant: Entrant, now: datetime) -> None:
    """Remove a player from a section that hasn't begun, which the caller has locked."""
    connection.execute(_ENTRANT_DELETE, {"entrant": entrant.id})
    if event.usual or events.list_entrants(connection, event.id):
        _schedule_fill(connection, event, now)
    else:
        events.end(connection, event.id, EventStage.STOPPED, now)


def fill_some(server: Server, now: datetime) -> int:
    """Let bots fill sections that waited long enough and whose players all agreed."""
    with server.store.asking() as connection:
        due = connection.execute(_DUE_FILLS_QUERY, {"now": now}).scalars().all()
    return sum(_fill_one(server, event_id, now) for event_id in due)


def _fill_one(server: Server, event_id: int, now: datetime) -> bool:
    """Fill one section with bots and begin it; False if another worker already has, or after an error."""
    failure = "could not fill a section; will try again"
    with log_failure(log, failure, event=event_id), server.store.writing() as connection:
        event = events.lock_event(connection, event_id)
        if event.fills_at is None or event.fills_at > now:
            return False
        missing = event.size - len(events.list_entrants(connection, event.id))
        for each in house_bots.HOUSE_BOTS[:missing]:
            events.add_entrant(connection, event.id, house_bots.player_of(connection, each), now, house=True)
        begin_section(connection, event, now)
        return True
    return False


def _schedule_fill(connection: Connection, event: Event, now: datetime) -> None:
    """Set when bots may fill the empty places; never, unless all players have agreed."""
    found = events.list_entrants(connection, event.id)
    missing = event.size - len(found)
    may = (
        missing <= len(house_bots.HOUSE_BOTS)
        and len(found) >= _MIN_PEOPLE
        and all(one.fills for one in found)
    )
    since = min((one.entered_at for one in found), default=now)
    events.change(connection, event.id, fills_at=max(since + limits.WAIT_BEFORE_BOTS, now) if may else None)


def begin_section(connection: Connection, event: Event, now: datetime) -> None:
    """Begin a full section: draw numbers, pair all games for a worker, schedule an email to everybody."""
    found = list(events.list_entrants(connection, event.id))
    _RANDOM.shuffle(found)
    for number, each in enumerate(found, 1):
        events.change_entrant(connection, each.id, number=number)
    pairs = (pair for each in pairings_and_standings.double_round_robin(len(found)) for pair in each)
    # The site's bots don't play each other.
    played = (pair for pair in pairs if not (found[pair.white - 1].house and found[pair.black - 1].house))
    crosstables.add_games(connection, event.id, played)
    events.change(connection, event.id, state=EventStage.RUNNING, begun_at=now, fills_at=None)
    events.mark_news(connection, event.id, now)


def enter_pyramid(connection: Connection, who: Correspondent, variant: str, now: datetime) -> Event:
    """Enter a player at the base of a variant's pyramid, made if new; Refused if in it, leaving it, or barred."""
    assert who.player_id is not None
    event = events.get_site_event(connection, EventKind.PYRAMID, variant, now)
    standing = crosstables.lock_standings(connection, event.id)
    own = events.find_entrant(standing.entrants, who.player_id)
    if own and own.plays:
        raise Refused(sentence("events.in_already"))
    if players.is_bot(connection, who.player_id) and not event.programs:
        raise Refused(sentence("events.no_programs"))
    if own and own.leaving_from:
        raise Refused(sentence("events.still_leaving"))
    if own:
        events.change_entrant(connection, own.id, withdrawn_at=None, level=pyramid.BASE, entered_at=now)
    else:
        number = max(standing.numbered, default=0) + 1
        events.add_entrant(connection, event.id, who.player_id, now, number=number, level=pyramid.BASE)
    return event


def challenge_in_pyramid(connection: Connection, who: Correspondent, event: Event, whom: int) -> str:
    """Challenge a player in a pyramid to a game starting at once; return the message. Refused if they can't meet."""
    standing = crosstables.lock_standings(connection, event.id)
    own, other = (events.find_entrant(standing.entrants, each or 0) for each in (who.player_id, whom))
    if own is None or not own.plays:
        raise Refused(sentence("events.enter_first"))
    if other is None or not other.plays:
        raise Refused(sentence("events.not_there"))
    _check_challenge(connection, standing, own, other)
    assert own.number is not None
    assert other.number is not None
    pair = Pair(own.number, other.number)
    crosstables.add_games(connection, event.id, [secrets.choice((pair, Pair(pair.black, pair.white)))])
    return sentence("events.challenged", name=other.name)


def _check_challenge(connection: Connection, standing: Standings, own: Entrant, other: Entrant) -> None:
    """Raise Refused if the pyramid's rules forbid this challenge now."""
    if standing.event.state != EventStage.OPEN:
        raise Refused(sentence("events.over"))
    found = {each.number: each for each in standing.climbers}
    if hindrance := pyramid.find_hindrance(found[own.number or 0], found[other.number or 0]):
        raise Refused(sentence(f"events.{hindrance}", name=other.name))
    both = (mailboxes.load_main_mailbox(connection, each.player_id) for each in (own, other))
    if addresses.is_same_person(connection, *both):
        raise Refused(sentence("challenges.yourself"))


def list_challengeable(standing: Standings, own: Entrant) -> tuple[Climber, ...]:
    """Return the players whom an entrant can challenge now."""
    found = {each.number: each for each in standing.climbers}
    others = (each for number, each in found.items() if number != own.number)
    return pyramid.list_challengeable(found[own.number or 0], others)
