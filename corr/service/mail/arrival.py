"""A letter as it came to the door."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Arrival:
    """A letter's bytes, whom its envelope names, and when it came."""

    raw: bytes
    recipients: tuple[str, ...]
    received_at: datetime
    from_nobody: bool = False
