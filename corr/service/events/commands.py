"""What letters to the site do in events: entering, leaving, challenging in a pyramid, and what there is."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from corr.messages import sentence
from corr.service import catalogue
from corr.service.events import entrants, events, listing, pyramids, sections, withdrawals
from corr.service.events.events import Event, Kind, Stage
from corr.service.players import players
from corr.service.players.mailboxes import Correspondent
from corr.words.errors import Refused

#: How a challenge ends that is meant in a pyramid.
IN_PYRAMID = " pyramid"
_FILLS = " programs"


class Listed(NamedTuple):
    """What can be entered, and what somebody is in."""

    own: str
    lines: tuple[str, ...]


def enter(connection: Connection, who: Correspondent, rest: str, now: datetime) -> str:
    """Enter what stands behind the word; what is answered."""
    what, fills = rest.removesuffix(IN_PYRAMID).removesuffix(_FILLS), rest.endswith(_FILLS)
    if events.of_place(connection, what):
        return enter_event(connection, who, open_to(connection, who, what), now, fills=fills)
    variant = catalogue.card(what).key
    if rest.endswith(IN_PYRAMID):
        return said(pyramids.enter(connection, who, variant, now))
    return said(sections.enter_usual(connection, who, variant, now, fills=fills))


def open_to(connection: Connection, who: Correspondent, place: str) -> Event:
    """The event of a place: a private one is found by its secret, or by its code by who is in it already."""
    event = events.existing(connection, place)
    found = entrants.of_event(connection, event.id)
    if event.secret not in (None, place) and entrants.of_player(found, who.player_id or 0) is None:
        raise Refused(sentence("events.none", code=place[:40]))
    return event


def enter_event(
    connection: Connection, who: Correspondent, event: Event, now: datetime, *, fills: bool
) -> str:
    """Enter an event that is known; what is said of it."""
    if event.is_pyramid:
        return said(pyramids.enter(connection, who, event.variant, now))
    return said(sections.enter(connection, who, event, now, fills=fills))


def said(event: Event) -> str:
    """What is said to who has entered an event."""
    if event.is_pyramid:
        return sentence("events.entered_pyramid", title=event.title, code=event.code)
    if event.state == Stage.RUNNING:
        return sentence("events.entered_last", title=event.title)
    return sentence("events.entered", title=event.title, code=event.code, terms=event.terms)


def withdraw(connection: Connection, who: Correspondent, code: str, now: datetime) -> str:
    """Leave the event of a code; what is answered."""
    event = events.of_place(connection, code)
    if event is None or who.player_id is None:
        raise Refused(sentence("challenges.none_yours"))
    return withdrawals.withdraw(connection, who.player_id, event, now)


def challenge(connection: Connection, who: Correspondent, rest: str) -> str:
    """Challenge whoever is named in the pyramid of the variant that stands behind the name; what is answered."""
    whom, _, variant = rest.removesuffix(IN_PYRAMID).rpartition(" ")
    event = events.find_usual(connection, Kind.PYRAMID, catalogue.card(variant).key)
    player_id = players.named(connection, whom)
    if event is None or player_id is None:
        raise Refused(sentence("events.not_there"))
    return pyramids.challenge(connection, who, event, player_id)


def listed(connection: Connection, player_id: int | None) -> Listed:
    """What can be entered, a line each; and what somebody is in, in a sentence."""
    own = events.of_player(connection, player_id) if player_id else ()
    told = ", ".join(sentence("events.own", title=each.title, code=each.code) for each in own)
    return Listed(told, tuple(listing.lines(connection)))
