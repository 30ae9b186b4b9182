"""Time that begins anew, once a game, for who is awaited and has written what could not be read by our fault."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select

from corr.desk.letters import inbox
from corr.desk.letters.arrival import Arrival
from corr.desk.letters.handing_on import Places, letter_of
from corr.desk.table.sitting import Sitting, sit_down
from corr.store.rows import rows_of
from corr.store.tables import InboxRow, SeatRow
from corr.words.board import Side


class _ListedSeat(NamedTuple):
    id: int
    game_id: int
    side: str
    code: str


_RENEWED = (
    select(InboxRow.id)
    .where(InboxRow.seat_id == bindparam("seat"), InboxRow.reading == "failed", InboxRow.ply.is_not(None))
    .limit(1)
)
# In one order for all, so that no two of them wait for each other.
_LISTED = (
    select(SeatRow.id, SeatRow.game_id, SeatRow.side, SeatRow.code)
    .where(SeatRow.code.in_(bindparam("seats", expanding=True)))
    .order_by(SeatRow.game_id)
)


def begin_anew(sitting: Sitting, side: Side) -> bool:
    """Let a side's time begin anew if it is awaited, and was not given time so before; whether it does.

    The letter is to be marked by the move for which it did so.
    """
    seat = {"seat": sitting.chairs[side].id}
    if side not in sitting.state.awaited or sitting.connection.execute(_RENEWED, seat).scalar_one_or_none():
        return False
    sitting.state = sitting.state.begin_anew(side, sitting.now)
    return True


def begin_anew_where_listed(
    connection: Connection, listed: Places, key: str, received_at: datetime, now: datetime
) -> bool:
    """The same in each game of which a letter to the site, known by a key, may have said something; whether in any."""
    if not listed:
        return False
    slips = {place["seat"]: place["slip"] for place in listed.values()}
    found = rows_of(_ListedSeat, connection.execute(_LISTED, {"seats": list(slips)}))
    anew = [_begins_anew(connection, each, slips[each.code], key, received_at, now) for each in found]
    return any(anew)


def _begins_anew(
    connection: Connection, seat: _ListedSeat, slip: int, key: str, received_at: datetime, now: datetime
) -> bool:
    sitting = sit_down(connection, seat.game_id, now)
    if not begin_anew(sitting, Side(seat.side)):
        return False
    aside = {"read_at": now, "ply": sitting.state.ply}
    inbox.put_part_aside(connection, seat.id, slip, key, Arrival(letter_of("", ()), (), received_at), **aside)
    sitting.close()
    return True
