"""Finds delayed emails about a turn that is over, which a newer email replaces."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.orm import aliased

from corr.service.mail.delivery_status import OutgoingEmail
from corr.store.tables import OutboxRow, SeatRow

_TURN_KINDS = ("turn", "reminder")
_NEWER_EMAIL = aliased(OutboxRow)
_OUTDATED_QUERY = (
    select(OutboxRow.id)
    .join(SeatRow, SeatRow.id == OutboxRow.seat_id)
    .join(_NEWER_EMAIL, (_NEWER_EMAIL.seat_id == SeatRow.id) & (_NEWER_EMAIL.number == SeatRow.telling))
    .where(
        OutboxRow.id.in_(bindparam("letters", expanding=True)),
        OutboxRow.number < SeatRow.telling,
        _NEWER_EMAIL.dead_at.is_(None),
    )
)


def find_outdated(connection: Connection, rows: Iterable[OutgoingEmail]) -> set[int]:
    """Return which of these delayed emails a newer email has replaced."""
    late = [row.id for row in rows if row.tries > 1 and row.kind in _TURN_KINDS]
    return set(connection.execute(_OUTDATED_QUERY, {"letters": late}).scalars()) if late else set()
