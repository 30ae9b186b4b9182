"""Words moments and spans of time for people."""

from __future__ import annotations

from datetime import datetime

from corr.messages import sentence
from corr.service.players import time_zones

_SPANS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


def in_utc(moment: datetime | None) -> str:
    """Word a moment as `Tue 24 Nov 2026, 21:00 UTC`; nothing for None."""
    return time_zones.worded(moment, time_zones.PLAIN) if moment else ""


def span(seconds: float) -> str:
    """Word a span in whole units of the largest that fits, `3 hours`."""
    for length, unit in _SPANS:
        if count := int(seconds // length):
            return _counted(count, unit)
    return sentence("spans.moment")


def time_left(seconds: float) -> str:
    """Word the time left, rounded: hours up to three days, minutes within the last hour."""
    hours = round(seconds / 3_600)
    if hours > 72:
        return _counted(round(hours / 24), "day")
    return _counted(hours, "hour") if hours else _counted(max(round(seconds / 60), 1), "minute")


def _counted(count: int, unit: str) -> str:
    name = unit if count == 1 else f"{unit}s"
    return sentence(f"spans.{name}", count=count)
