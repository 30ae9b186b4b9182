"""Restarts a player's clock, once per game, if our fault made their email unreadable on their turn."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select

from corr.service.games.game_session import GameSession, open_session
from corr.service.mail import inbox
from corr.service.mail.arrival import Arrival
from corr.service.mail.forwarding import ListedGames, write_email
from corr.store.rows import rows_of
from corr.store.tables import InboxRow, SeatRow
from corr.words.board import Side


class _ListedSeat(NamedTuple):
    id: int
    game_id: int
    side: str
    code: str


_EARLIER_RESET_QUERY = (
    select(InboxRow.id)
    .where(InboxRow.seat_id == bindparam("seat"), InboxRow.reading == "failed", InboxRow.ply.is_not(None))
    .limit(1)
)
# In one order for all, so that no two transactions wait for each other.
_LISTED_SEATS_QUERY = (
    select(SeatRow.id, SeatRow.game_id, SeatRow.side, SeatRow.code)
    .where(SeatRow.code.in_(bindparam("seats", expanding=True)))
    .order_by(SeatRow.game_id)
)


def restart_clock(session: GameSession, side: Side) -> bool:
    """Restart an awaited side's clock unless that happened before; return whether it did.

    The email must then be marked with the move for which it restarted the clock.
    """
    seat = {"seat": session.seat_states[side].id}
    if (
        side not in session.state.awaited
        or session.connection.execute(_EARLIER_RESET_QUERY, seat).scalar_one_or_none()
    ):
        return False
    session.state = session.state.begin_anew(side, session.now)
    return True


class ResetResult(NamedTuple):
    """What an unreadable email to the site changed in the games that it may concern."""

    anew: bool  # its sender's clock restarted in some game
    taken_back: bool  # its sender's orders for a later turn were dropped in some game


def reset_listed_games(
    connection: Connection, listed: ListedGames, key: str, received_at: datetime, now: datetime
) -> ResetResult:
    """Restart clocks and drop later orders in all games that an unreadable email may concern."""
    if not listed:
        return ResetResult(anew=False, taken_back=False)
    slips = {place["seat"]: place["slip"] for place in listed.values()}
    found = rows_of(_ListedSeat, connection.execute(_LISTED_SEATS_QUERY, {"seats": list(slips)}))
    settled = [_reset_game(connection, each, slips[each.code], key, received_at, now) for each in found]
    return ResetResult(any(each.anew for each in settled), any(each.taken_back for each in settled))


def _reset_game(
    connection: Connection, seat: _ListedSeat, slip: int, key: str, received_at: datetime, now: datetime
) -> ResetResult:
    session = open_session(connection, seat.game_id, now)
    side = Side(seat.side)
    settled = ResetResult(restart_clock(session, side), bool(session.drop_standing_orders(side)))
    if settled.anew:
        aside = {"read_at": now, "ply": session.state.ply}
        arrival = Arrival(write_email("", ()), (), received_at)
        inbox.store_unreadable_part(connection, seat.id, slip, key, arrival, **aside)
    if any(settled):
        session.close()
    return settled
