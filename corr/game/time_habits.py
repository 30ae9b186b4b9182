"""What a player has set about time: when they are away, and how they would be reminded. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from corr.game.calendar import Leave
from corr.game.reminders import Reminding


@dataclass(frozen=True, slots=True)
class Habits:
    """How a player's time goes."""

    leave: Leave = field(default=Leave())
    reminding: Reminding = field(default=Reminding())
    goes_on_leave: bool = False  # by itself, where the time would run out


USUAL_HABITS = Habits()
