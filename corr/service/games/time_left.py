"""How much time is left until a deadline, in few words: days and hours, under a day hours and minutes."""

from __future__ import annotations

from datetime import datetime, timedelta

from corr.messages import sentence

_MINUTE = timedelta(minutes=1)
#: The words of either kind, `#` for each number: for a page that tells the time anew by itself.
_NUMBER = "#"


def minute(deadline: datetime) -> datetime:
    """The deadline as it is told, to the minute: its seconds would tell when the other side has moved."""
    return deadline.replace(second=0, microsecond=0)


def minutes(deadline: datetime, now: datetime) -> int:
    """What is left until that minute, rounded down; nothing once the time is over."""
    return max(minute(deadline) - now, timedelta()) // _MINUTE


def worded(left: int) -> str:
    """So many minutes in few words: `2 d 14 h`, `5 h 12 min`."""
    hours, rest = divmod(left, 60)
    if hours >= 24:
        return sentence("remaining.days", days=hours // 24, hours=hours % 24)
    return sentence("remaining.hours", hours=hours, minutes=rest)


def forms() -> dict[str, str]:
    """How days and hours, and hours and minutes are told."""
    return {
        "days": sentence("remaining.days", days=_NUMBER, hours=_NUMBER),
        "hours": sentence("remaining.hours", hours=_NUMBER, minutes=_NUMBER),
    }
