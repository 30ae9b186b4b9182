"""Time that begins anew, once a game, for who is awaited and has written what could not be read by our fault."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select

from corr.service.games.game_session import Sitting, sit_down
from corr.service.mail import inbox
from corr.service.mail.arrival import Arrival
from corr.service.mail.forwarding import Places, letter_of
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


class Settled(NamedTuple):
    """What came of a letter to the site that could not be read, over all the games of which it may have told."""

    anew: bool  # somewhere its writer's time begins anew
    taken_back: bool  # somewhere what its writer had ordered for a turn to come is kept no longer


def settle_where_listed(
    connection: Connection, listed: Places, key: str, received_at: datetime, now: datetime
) -> Settled:
    """In each game of which a letter, known by a key, may have said something: time anew, and orders taken back."""
    if not listed:
        return Settled(anew=False, taken_back=False)
    slips = {place["seat"]: place["slip"] for place in listed.values()}
    found = rows_of(_ListedSeat, connection.execute(_LISTED, {"seats": list(slips)}))
    settled = [_settle(connection, each, slips[each.code], key, received_at, now) for each in found]
    return Settled(any(each.anew for each in settled), any(each.taken_back for each in settled))


def _settle(
    connection: Connection, seat: _ListedSeat, slip: int, key: str, received_at: datetime, now: datetime
) -> Settled:
    sitting = sit_down(connection, seat.game_id, now)
    side = Side(seat.side)
    settled = Settled(begin_anew(sitting, side), bool(sitting.take_back(side)))
    if settled.anew:
        aside = {"read_at": now, "ply": sitting.state.ply}
        arrival = Arrival(letter_of("", ()), (), received_at)
        inbox.put_part_aside(connection, seat.id, slip, key, arrival, **aside)
    if any(settled):
        sitting.close()
    return settled
