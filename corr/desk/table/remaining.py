"""How much time is left until a deadline, in few words: days and hours, under a day hours and minutes."""

from __future__ import annotations

from datetime import datetime, timedelta

from corr.sentences import sentence

_MINUTE = timedelta(minutes=1)


def worded(deadline: datetime, now: datetime) -> str:
    """What is left, rounded down: `2 d 14 h`, `5 h 12 min`."""
    hours, minutes = divmod(max(deadline - now, timedelta()) // _MINUTE, 60)
    if hours >= 24:
        return sentence("remaining.days", days=hours // 24, hours=hours % 24)
    return sentence("remaining.hours", hours=hours, minutes=minutes)
