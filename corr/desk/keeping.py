"""How long letters are kept."""

from __future__ import annotations

from datetime import datetime, timedelta

#: What reading needs of letters: so long past a game's end, and of those about no game so long after they were written.
LETTERS = timedelta(days=30)
#: What came back: an operator may look for what is wrong with an address.
BOUNCES = timedelta(days=90)


def until(ended_at: datetime | None, now: datetime) -> datetime:
    """When the letters of a game go that is over; of one that was cleared before, those that came since."""
    end = (ended_at or now) + LETTERS
    return end if now < end else now + LETTERS
