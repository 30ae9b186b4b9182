"""Decides how long a game's emails are kept."""

from __future__ import annotations

from datetime import datetime

from corr import limits


def deletion_time(ended_at: datetime | None, now: datetime) -> datetime:
    """Return when a finished game's emails are deleted.

    Emails that come after a first deletion are kept as long again.
    """
    end = (ended_at or now) + limits.LETTERS_KEPT
    return end if now < end else now + limits.LETTERS_KEPT
