"""Queues a notification for each webhook and device of a player whose turn begins."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, bindparam, delete, insert, literal, null, select

from corr.service.players.notifications import WEBHOOK
from corr.store.tables import CallRow, Moment, NotificationWayRow, PushSubscriptionRow, SeatRow

_OLD_CALLS_DELETE = delete(CallRow).where(CallRow.seat_id == bindparam("seat"))


def _select_calls(of: type[NotificationWayRow | PushSubscriptionRow]) -> Select[*tuple[Any, ...]]:
    """Build a query with a notification for each webhook or device of a seat's player, as `queue_calls` binds it."""
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


_CALL_COLUMNS = ("seat_id", "ply", "made_at", "due_at", "leased_until", "tries")
_CALL_INSERTS = tuple(
    insert(CallRow).from_select([column, *_CALL_COLUMNS], asked)
    for column, asked in (
        ("way_id", _select_calls(NotificationWayRow).where(NotificationWayRow.kind == WEBHOOK)),
        ("device_id", _select_calls(PushSubscriptionRow)),
    )
)


def queue_calls(connection: Connection, seat_id: int, ply: int, now: datetime, due_at: datetime) -> None:
    """Queue webhook and push notifications of a seat's new turn, in place of earlier ones."""
    connection.execute(_OLD_CALLS_DELETE, {"seat": seat_id})
    for each in _CALL_INSERTS:
        connection.execute(each, {"seat": seat_id, "at_ply": ply, "made": now, "due": due_at})
