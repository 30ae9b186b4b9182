"""How long letters are kept."""

from __future__ import annotations

from datetime import datetime

from corr import limits


def until(ended_at: datetime | None, now: datetime) -> datetime:
    """When the letters of a game go that is over; of one that was cleared before, those that came since."""
    end = (ended_at or now) + limits.LETTERS_KEPT
    return end if now < end else now + limits.LETTERS_KEPT
