"""What a worker does when it is woken: letters in, who signs in, games that begin, decrees, letters out."""

from __future__ import annotations

import time
from datetime import datetime

from corr.desk import (
    askings,
    clearing,
    correspondents,
    enforcing,
    hours,
    outbox,
    questions,
    reader,
    sessions,
    site_outbox,
    site_reader,
    upshot,
)
from corr.desk.house import House

# Of a lease, the part for which a sweep reads before it looks at the clocks.
_SPENT = 0.25


def read_some(house: House, now: datetime) -> int:
    """Read letters that wait, see to who signs in, begin what was agreed on, do what was decreed; how much it was."""
    decreed = enforcing.enforce_some(house, now)
    read = reader.read_some(house, now) + site_reader.read_some(house, now)
    return decreed + read + askings.write_some(house, now) + upshot.begin_some(house, now)


def send_some(house: House, now: datetime) -> int:
    """Send letters that are due; how many were in hand, 0 if none was."""
    return outbox.send_some(house, now) + site_outbox.send_some(house, now)


def sweep(house: House, now: datetime) -> int:
    """Do what comes due by itself, once what has come in is read; how much there was to do."""
    _read_up(house, now)
    touched = hours.sweep(house, now) + upshot.expire_some(house, now)
    cleared = clearing.clear_some(house, now) + sessions.forget_some(house, now)
    forgotten = correspondents.forget_some(house, now) + questions.forget_some(house, now)
    return touched + cleared + forgotten


def _read_up(house: House, now: datetime) -> None:
    """Whoever has written in time is heard before a flag falls, also after the house stood still."""
    until = time.monotonic() + house.lease.total_seconds() * _SPENT
    while time.monotonic() < until and reader.read_some(house, now):
        pass


def revive(house: House, now: datetime) -> int:
    """Let letters that were given up be due again; how many."""
    return outbox.TRAY.revive(house, now) + site_outbox.TRAY.revive(house, now)
