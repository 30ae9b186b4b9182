"""Queues a notification for each webhook and device of a player whose turn begins."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, bindparam, delete, insert, literal, null, select

from corr.service.players.notifications import WEBHOOK
from corr.store.tables import CallRow, Moment, SeatRow, Subscription, Way

_OVER = delete(CallRow).where(CallRow.seat_id == bindparam("seat"))


def _calls(of: type[Way | Subscription]) -> Select[*tuple[Any, ...]]:
    """Select one call for each webhook or device of a seat's player."""
    return (
        select(
            of.id,
            SeatRow.id,
            bindparam("at_ply", type_=CallRow.ply.type),
            bindparam("made", type_=Moment),
            bindparam("due", type_=Moment),
            null(),
            literal(0),
        )
        .join(SeatRow, SeatRow.player_id == of.player_id)
        .where(SeatRow.id == bindparam("seat"))
    )


_TOLD = ("seat_id", "ply", "made_at", "due_at", "leased_until", "tries")
_CALLS = tuple(
    insert(CallRow).from_select([column, *_TOLD], asked)
    for column, asked in (
        ("way_id", _calls(Way).where(Way.kind == WEBHOOK)),
        ("device_id", _calls(Subscription)),
    )
)


def call(connection: Connection, seat_id: int, ply: int, now: datetime, due_at: datetime) -> None:
    """Queue calls for a seat's new turn, in place of those of an earlier turn."""
    connection.execute(_OVER, {"seat": seat_id})
    for each in _CALLS:
        connection.execute(each, {"seat": seat_id, "at_ply": ply, "made": now, "due": due_at})
