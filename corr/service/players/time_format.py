"""Words moments and spans of time for people."""

from __future__ import annotations

from datetime import datetime

from corr.service.players import time_zones
from corr.text.messages import sentence

_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


def in_utc(moment: datetime | None) -> str:
    """Word a moment as `Tue 24 Nov 2026, 21:00 UTC`; nothing for None."""
    return time_zones.word_moment(moment, time_zones.DEFAULT_ZONE) if moment else ""


def span(seconds: float) -> str:
    """Word a span in whole units of the largest that fits, `3 hours`."""
    for length, unit in _UNITS:
        if count := int(seconds // length):
            return _word_count(count, unit)
    return sentence("spans.moment")


def time_left(seconds: float) -> str:
    """Word the time left, rounded: hours up to three days, minutes within the last hour."""
    hours = round(seconds / 3_600)
    if hours > 72:
        return _word_count(round(hours / 24), "day")
    return _word_count(hours, "hour") if hours else _word_count(max(round(seconds / 60), 1), "minute")


def _word_count(count: int, unit: str) -> str:
    name = unit if count == 1 else f"{unit}s"
    return sentence(f"spans.{name}", count=count)
