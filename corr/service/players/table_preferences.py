"""Keeps a player's table switches: which marks stand on the board, and how the log runs."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from corr.text.messages import sentence
from corr.words.errors import Refused


class Switch(StrEnum):
    """Something at the table that a player can turn on or off."""

    LAST = "last"
    CAPTURE = "capture"
    CHECK = "check"
    TRIES = "tries"
    SENSED = "sensed"
    RECALLED = "recalled"
    REACH = "reach"  # where the piece in hand could go
    OLDEST = "oldest"  # whether the log begins with the oldest move


#: Switches that are off by default; all others are on by default.
_OFF_BY_DEFAULT = frozenset({Switch.REACH, Switch.OLDEST})
_WISHES = {f"{switch} {way}": (switch, way == "on") for switch in Switch for way in ("on", "off")}


def parse_switches(switched: str) -> frozenset[Switch]:
    """Return which are on, from the stored names of the changed ones."""
    return frozenset(each for each in Switch if (each in switched.split()) == (each in _OFF_BY_DEFAULT))


def format_switches(are_on: Collection[Switch]) -> str:
    """Return what to store: the names of those that differ from the default."""
    return " ".join(each for each in Switch if (each in are_on) == (each in _OFF_BY_DEFAULT))


def apply_wish(switched: str, wish: str) -> str:
    """Return what to store after a wish such as "capture off"; Refused if unknown."""
    if wish not in _WISHES:
        raise Refused(sentence("settings.no_choice"))
    switch, wants_on = _WISHES[wish]
    return format_switches(
        parse_switches(switched) | {switch} if wants_on else parse_switches(switched) - {switch}
    )
