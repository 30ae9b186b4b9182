"""Restarts a player's clock, once per game, if our fault made their email unreadable on their turn."""

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
# In one order for all, so that no two transactions wait for each other.
_LISTED = (
    select(SeatRow.id, SeatRow.game_id, SeatRow.side, SeatRow.code)
    .where(SeatRow.code.in_(bindparam("seats", expanding=True)))
    .order_by(SeatRow.game_id)
)


def begin_anew(sitting: Sitting, side: Side) -> bool:
    """Restart an awaited side's clock unless that happened before; return whether it did.

    The email must then be marked with the move for which it restarted the clock.
    """
    seat = {"seat": sitting.chairs[side].id}
    if side not in sitting.state.awaited or sitting.connection.execute(_RENEWED, seat).scalar_one_or_none():
        return False
    sitting.state = sitting.state.begin_anew(side, sitting.now)
    return True


class Settled(NamedTuple):
    """What an unreadable email to the site changed in the games that it may concern."""

    anew: bool  # its sender's clock restarted in some game
    taken_back: bool  # its sender's orders for a later turn were dropped in some game


def settle_where_listed(
    connection: Connection, listed: Places, key: str, received_at: datetime, now: datetime
) -> Settled:
    """Restart clocks and drop later orders in all games that an unreadable email may concern."""
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
