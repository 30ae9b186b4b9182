"""Runs a variant's pyramid: players enter at the base and challenge their own level and the next one up."""

from __future__ import annotations

import secrets
from datetime import datetime

from sqlalchemy import Connection

from corr.game import pyramid
from corr.game.pyramid import Climber
from corr.service.events import entrants, events, games, standings
from corr.service.events.entrants import Entrant
from corr.service.events.events import Event, EventKind, EventStage
from corr.service.events.standings import Standings
from corr.service.players import mailboxes, players, same_person
from corr.service.players.mailboxes import Correspondent
from corr.text.messages import sentence
from corr.words.board import Pair
from corr.words.errors import Refused


def enter(connection: Connection, who: Correspondent, variant: str, now: datetime) -> Event:
    """Enter a variant's pyramid, made if new; a returning player starts at the base."""
    assert who.player_id is not None
    event = events.get_site_event(connection, EventKind.PYRAMID, variant, now)
    standing = standings.lock_standings(connection, event.id)
    own = entrants.find_entrant(standing.entrants, who.player_id)
    if own and own.plays:
        raise Refused(sentence("events.in_already"))
    if players.is_bot(connection, who.player_id) and not event.programs:
        raise Refused(sentence("events.no_programs"))
    if own and own.leaving_from:
        raise Refused(sentence("events.still_leaving"))
    if own:
        entrants.change(connection, own.id, withdrawn_at=None, level=pyramid.BASE, entered_at=now)
    else:
        number = max(standing.numbered, default=0) + 1
        entrants.add(connection, event.id, who.player_id, now, number=number, level=pyramid.BASE)
    return event


def challenge(connection: Connection, who: Correspondent, event: Event, whom: int) -> str:
    """Challenge another player in a pyramid to a game that starts at once."""
    standing = standings.lock_standings(connection, event.id)
    own, other = (entrants.find_entrant(standing.entrants, each or 0) for each in (who.player_id, whom))
    if own is None or not own.plays:
        raise Refused(sentence("events.enter_first"))
    if other is None or not other.plays:
        raise Refused(sentence("events.not_there"))
    _check(connection, standing, own, other)
    assert own.number is not None
    assert other.number is not None
    pair = Pair(own.number, other.number)
    games.add(connection, event.id, [secrets.choice((pair, Pair(pair.black, pair.white)))])
    return sentence("events.challenged", name=other.name)


def _check(connection: Connection, standing: Standings, own: Entrant, other: Entrant) -> None:
    if standing.event.state != EventStage.OPEN:
        raise Refused(sentence("events.over"))
    found = {each.number: each for each in standing.climbers}
    if hindrance := pyramid.find_hindrance(found[own.number or 0], found[other.number or 0]):
        raise Refused(sentence(f"events.{hindrance}", name=other.name))
    both = (mailboxes.load_main_mailbox(connection, each.player_id) for each in (own, other))
    if same_person.is_same_person(connection, *both):
        raise Refused(sentence("challenges.yourself"))


def list_challengeable(standing: Standings, own: Entrant) -> tuple[Climber, ...]:
    """Return the players whom an entrant can challenge now."""
    found = {each.number: each for each in standing.climbers}
    others = (each for number, each in found.items() if number != own.number)
    return pyramid.list_challengeable(found[own.number or 0], others)
