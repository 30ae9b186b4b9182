"""Decides how long a game waits for a side whose turn email is late, up to the days in `corr/limits.py`. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from corr import limits


@dataclass(frozen=True, slots=True)
class Wait:
    """How a game waits for one side: the turn's email, its delay, and the total wait."""

    letter: int | None = None  # None if there is nothing to wait for
    delayed_from: datetime | None = None
    held: timedelta = timedelta()

    @property
    def is_untold(self) -> bool:
        """Whether the email is late and the side was not yet told that it went out."""
        return self.delayed_from is not None and self.letter is not None

    def began(self, delivered_at: datetime | None, by: datetime) -> datetime:
        """Return when a late side's clock started, as known to both sides at a moment."""
        assert self.delayed_from
        if not self.is_untold:
            return self.delayed_from
        return self.delayed_from + stopped_span(self.delayed_from, min(delivered_at or by, by), self.left)

    @property
    def left(self) -> timedelta:
        """How much longer the game may wait for this side."""
        return max(limits.LATE_EMAIL_WAIT - self.held, timedelta())

    def counted(self, until: datetime) -> Wait:
        """Add the wait until a moment to the total."""
        assert self.delayed_from
        wait = stopped_span(self.delayed_from, until, self.left)
        return replace(self, delayed_from=self.delayed_from + wait, held=self.held + wait)

    def can_wait_longer(self, now: datetime) -> bool:
        """Whether the game waits for this side now and may wait longer."""
        return self.delayed_from is not None and self.is_untold and now < self.delayed_from + self.left

    def use_up_wait(self, until: datetime) -> Wait:
        """Let the game wait for this side until a moment and no longer."""
        assert self.delayed_from
        wait = stopped_span(self.delayed_from, until, self.left)
        return replace(self, held=limits.LATE_EMAIL_WAIT - wait)

    def so_far(self, until: datetime) -> timedelta:
        """Return how long the game has waited for this side, including a wait that goes on."""
        return (self.counted(until) if self.is_untold else self).held

    def ended(self, until: datetime) -> Wait:
        """Stop waiting for this side, and keep the total wait."""
        return Wait(held=self.so_far(until))


def stopped_span(since: datetime, told: datetime, most: timedelta) -> timedelta:
    """Return how long a turn's clock stood still: until its side was told, but at most `most`."""
    return min(max(told - since, timedelta()), most)
