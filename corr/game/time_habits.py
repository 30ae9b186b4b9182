"""Holds a player's settings about time: when they are away, and how they want reminders. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from corr.game.calendar import TimeOff
from corr.game.reminders import ReminderSettings


@dataclass(frozen=True, slots=True)
class TimeSettings:
    leave: TimeOff = field(default=TimeOff())
    reminding: ReminderSettings = field(default=ReminderSettings())
    goes_on_leave: bool = False  # automatically, when the time would run out


DEFAULT_TIME_SETTINGS = TimeSettings()
