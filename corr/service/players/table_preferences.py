"""What a player has switched at the table: which marks stand on the board, and how the log runs."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from corr.messages import sentence
from corr.words.errors import Refused


class Switch(StrEnum):
    """Something at the table that is on or off, as its player likes."""

    LAST = "last"
    CAPTURE = "capture"
    CHECK = "check"
    TRIES = "tries"
    SENSED = "sensed"
    RECALLED = "recalled"
    REACH = "reach"  # where the man in hand could go
    OLDEST = "oldest"  # whether the log begins with the oldest move


#: What is off until somebody switches it on; all else is on until somebody switches it off.
_OFF_AT_FIRST = frozenset({Switch.REACH, Switch.OLDEST})
_WISHES = {f"{switch} {way}": (switch, way == "on") for switch in Switch for way in ("on", "off")}


def on(switched: str) -> frozenset[Switch]:
    """Which are on, by what is kept: the names of those that were switched."""
    return frozenset(each for each in Switch if (each in switched.split()) == (each in _OFF_AT_FIRST))


def kept(are_on: Collection[Switch]) -> str:
    """What is kept of them: the names of those that stand otherwise than at first."""
    return " ".join(each for each in Switch if (each in are_on) == (each in _OFF_AT_FIRST))


def after(switched: str, wish: str) -> str:
    """What is kept once a wish is fulfilled, "capture off" or the like; Refused where there is no such switch."""
    if wish not in _WISHES:
        raise Refused(sentence("settings.no_choice"))
    switch, wants_on = _WISHES[wish]
    return kept(on(switched) | {switch} if wants_on else on(switched) - {switch})
