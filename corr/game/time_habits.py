"""Holds a player's settings about time: when they are away, and how they want reminders. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from corr.game.calendar import Leave
from corr.game.reminders import Reminding


@dataclass(frozen=True, slots=True)
class Habits:
    """A player's settings about time."""

    leave: Leave = field(default=Leave())
    reminding: Reminding = field(default=Reminding())
    goes_on_leave: bool = False  # automatically, when the time would run out


USUAL_HABITS = Habits()
