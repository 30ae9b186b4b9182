"""Runs event commands in emails to the site: enter, leave, challenge in a pyramid, and list."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from corr.service import catalogue
from corr.service.events import entries, events, listing, withdrawals
from corr.service.events.events import Event, EventKind, EventStage
from corr.service.players import players
from corr.service.players.mailboxes import Correspondent
from corr.text.messages import sentence
from corr.words.errors import Refused

#: The ending of a challenge command that is meant for a pyramid.
PYRAMID_SUFFIX = " pyramid"
#: The endings that let bots fill empty places; "programs" is the older one.
_FILL_SUFFIXES = (" bots", " programs")


def enter(connection: Connection, who: Correspondent, rest: str, now: datetime) -> str:
    """Run the command `enter`: enter the event or variant it names, and return the answer."""
    what, fills = rest.removesuffix(PYRAMID_SUFFIX), rest.endswith(_FILL_SUFFIXES)
    for ending in _FILL_SUFFIXES:
        what = what.removesuffix(ending)
    if events.find_event(connection, what):
        return enter_event(connection, who, find_accessible_event(connection, who, what), now, fills=fills)
    variant = catalogue.card(what).key
    if rest.endswith(PYRAMID_SUFFIX):
        return word_entry(entries.enter_pyramid(connection, who, variant, now))
    return word_entry(entries.enter_site_section(connection, who, variant, now, fills=fills))


def find_accessible_event(connection: Connection, who: Correspondent, code_or_secret: str) -> Event:
    """Return an event; Refused if unknown, or private, asked for by its code, and `who` is no entrant."""
    event = events.require_event(connection, code_or_secret)
    found = events.list_entrants(connection, event.id)
    if event.secret not in (None, code_or_secret) and events.find_entrant(found, who.player_id or 0) is None:
        raise Refused(sentence("events.none", code=code_or_secret[:40]))
    return event


def enter_event(
    connection: Connection, who: Correspondent, event: Event, now: datetime, *, fills: bool
) -> str:
    """Enter a player into this section or pyramid, and return the message to show."""
    if event.is_pyramid:
        return word_entry(entries.enter_pyramid(connection, who, event.variant, now))
    return word_entry(entries.enter_section(connection, who, event, now, fills=fills))


def word_entry(event: Event) -> str:
    """Return the message for a player who entered an event."""
    if event.is_pyramid:
        return sentence("events.entered_pyramid", title=event.title, code=event.code)
    if event.state == EventStage.RUNNING:
        return sentence("events.entered_last", title=event.title)
    return sentence("events.entered", title=event.title, code=event.code, terms=event.terms)


def withdraw(connection: Connection, who: Correspondent, code: str, now: datetime) -> str:
    """Run `withdraw CODE`: leave that event, and return the answer; Refused if the player can't."""
    event = events.find_event(connection, code)
    if event is None or who.player_id is None:
        raise Refused(sentence("challenges.none_yours"))
    return withdrawals.withdraw(connection, who.player_id, event, now)


def challenge(connection: Connection, who: Correspondent, rest: str) -> str:
    """Run `challenge NAME VARIANT pyramid`, and return the answer; Refused if the two can't play there now."""
    whom, _, variant = rest.removesuffix(PYRAMID_SUFFIX).rpartition(" ")
    event = events.find_site_event(connection, EventKind.PYRAMID, catalogue.card(variant).key)
    player_id = players.find_player(connection, whom)
    if event is None or player_id is None:
        raise Refused(sentence("events.not_there"))
    return entries.challenge_in_pyramid(connection, who, event, player_id)


def list_events(connection: Connection, player_id: int | None) -> tuple[str, tuple[str, ...]]:
    """Return a sentence about the player's own events, and one line for each open event."""
    own = events.list_player_events(connection, player_id) if player_id else ()
    told = ", ".join(sentence("events.own", title=each.title, code=each.code) for each in own)
    return told, tuple(listing.write_lines(connection))
