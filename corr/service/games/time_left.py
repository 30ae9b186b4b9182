"""Words the time left until a deadline: days and hours, or hours and minutes under a day."""

from __future__ import annotations

from datetime import datetime, timedelta

from corr.text.messages import sentence

_MINUTE = timedelta(minutes=1)
#: The placeholder for a number in the word forms, with which a page updates the time by itself.
_PLACEHOLDER = "#"


def round_to_minute(deadline: datetime) -> datetime:
    """Round a deadline down to the minute: its seconds would reveal the opponent's move time."""
    return deadline.replace(second=0, microsecond=0)


def count_minutes(deadline: datetime, now: datetime) -> int:
    """Return the full minutes left until that minute; zero once it has passed."""
    return max(round_to_minute(deadline) - now, timedelta()) // _MINUTE


def word_minutes(left: int) -> str:
    """Word a number of minutes: `2 d 14 h`, `5 h 12 min`."""
    hours, rest = divmod(left, 60)
    if hours >= 24:
        return sentence("remaining.days", days=hours // 24, hours=hours % 24)
    return sentence("remaining.hours", hours=hours, minutes=rest)


def word_forms() -> dict[str, str]:
    """Return the word forms of days and hours, and of hours and minutes."""
    return {
        "days": sentence("remaining.days", days=_PLACEHOLDER, hours=_PLACEHOLDER),
        "hours": sentence("remaining.hours", hours=_PLACEHOLDER, minutes=_PLACEHOLDER),
    }
