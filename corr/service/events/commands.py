"""Runs event commands in emails to the site: enter, leave, challenge in a pyramid, and list."""

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

#: The ending of a challenge command that is meant for a pyramid.
IN_PYRAMID = " pyramid"
_FILLS = " programs"


class Listed(NamedTuple):
    """The events open to entry, and those a player is in."""

    own: str
    lines: tuple[str, ...]


def enter(connection: Connection, who: Correspondent, rest: str, now: datetime) -> str:
    """Enter the event or variant that the command names, and return the answer."""
    what, fills = rest.removesuffix(IN_PYRAMID).removesuffix(_FILLS), rest.endswith(_FILLS)
    if events.of_place(connection, what):
        return enter_event(connection, who, open_to(connection, who, what), now, fills=fills)
    variant = catalogue.card(what).key
    if rest.endswith(IN_PYRAMID):
        return said(pyramids.enter(connection, who, variant, now))
    return said(sections.enter_usual(connection, who, variant, now, fills=fills))


def open_to(connection: Connection, who: Correspondent, place: str) -> Event:
    """Return an event by its code, or by its secret if private.

    Players already in a private event also find it by its code.
    """
    event = events.existing(connection, place)
    found = entrants.of_event(connection, event.id)
    if event.secret not in (None, place) and entrants.of_player(found, who.player_id or 0) is None:
        raise Refused(sentence("events.none", code=place[:40]))
    return event


def enter_event(
    connection: Connection, who: Correspondent, event: Event, now: datetime, *, fills: bool
) -> str:
    """Enter a known event, and return the message to show."""
    if event.is_pyramid:
        return said(pyramids.enter(connection, who, event.variant, now))
    return said(sections.enter(connection, who, event, now, fills=fills))


def said(event: Event) -> str:
    """Return the message for a player who entered an event."""
    if event.is_pyramid:
        return sentence("events.entered_pyramid", title=event.title, code=event.code)
    if event.state == Stage.RUNNING:
        return sentence("events.entered_last", title=event.title)
    return sentence("events.entered", title=event.title, code=event.code, terms=event.terms)


def withdraw(connection: Connection, who: Correspondent, code: str, now: datetime) -> str:
    """Leave the event with this code, and return the answer."""
    event = events.of_place(connection, code)
    if event is None or who.player_id is None:
        raise Refused(sentence("challenges.none_yours"))
    return withdrawals.withdraw(connection, who.player_id, event, now)


def challenge(connection: Connection, who: Correspondent, rest: str) -> str:
    """Challenge the named player in the pyramid of the named variant; return the answer."""
    whom, _, variant = rest.removesuffix(IN_PYRAMID).rpartition(" ")
    event = events.find_usual(connection, Kind.PYRAMID, catalogue.card(variant).key)
    player_id = players.named(connection, whom)
    if event is None or player_id is None:
        raise Refused(sentence("events.not_there"))
    return pyramids.challenge(connection, who, event, player_id)


def listed(connection: Connection, player_id: int | None) -> Listed:
    """Return one line for each open event, and a sentence about the player's own."""
    own = events.of_player(connection, player_id) if player_id else ()
    told = ", ".join(sentence("events.own", title=each.title, code=each.code) for each in own)
    return Listed(told, tuple(listing.lines(connection)))
