"""Finds delayed emails about a turn that is over, which a newer email replaces."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.orm import aliased

from corr.service.mail.delivery_status import LetterOut
from corr.store.tables import OutboxRow, SeatRow

_OF_A_TURN = ("turn", "reminder")
_NEWER = aliased(OutboxRow)
_SUPERSEDED = (
    select(OutboxRow.id)
    .join(SeatRow, SeatRow.id == OutboxRow.seat_id)
    .join(_NEWER, (_NEWER.seat_id == SeatRow.id) & (_NEWER.number == SeatRow.telling))
    .where(
        OutboxRow.id.in_(bindparam("letters", expanding=True)),
        OutboxRow.number < SeatRow.telling,
        _NEWER.dead_at.is_(None),
    )
)


def among(connection: Connection, rows: Iterable[LetterOut]) -> set[int]:
    """Return which of these delayed emails a newer email has replaced."""
    late = [row.id for row in rows if row.tries > 1 and row.kind in _OF_A_TURN]
    return set(connection.execute(_SUPERSEDED, {"letters": late}).scalars()) if late else set()
