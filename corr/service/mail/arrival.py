"""Describes an email as it arrived."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Arrival:
    raw: bytes
    recipients: tuple[str, ...]
    received_at: datetime
    from_nobody: bool = False
