"""Limits how often emails to the site are answered, so that no two programs write to each other for ever."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, func, select

from corr import limits
from corr.service.mail.site_inbox import SiteMessage
from corr.store.tables import SiteInboxRow

_DAY = timedelta(days=1)


def daily_limit(row: SiteMessage, *, is_certain: bool) -> int:
    """Return how many emails that came this way are answered in a day."""
    if not is_certain:
        return limits.SITE_DOUBTFUL_ANSWERS_A_DAY
    return limits.SITE_REPLIES_A_DAY if row.letter else limits.SITE_ANSWERS_A_DAY


def count_today(connection: Connection, row: SiteMessage, readings: Sequence[str], now: datetime) -> int:
    """Count today's emails that came the same way and had one of these readings.

    Emails that others send in a player's name do not use up the player's own replies.
    """
    is_reply = SiteInboxRow.letter != 0 if row.letter else SiteInboxRow.letter == 0
    lately = select(func.count()).where(
        SiteInboxRow.correspondent_id == row.correspondent_id,
        SiteInboxRow.read_at > now - _DAY,
        SiteInboxRow.reading.in_(readings),
        is_reply,
    )
    return connection.execute(lately).scalar_one()
