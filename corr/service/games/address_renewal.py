"""Gives a seat new addresses, so that a leaked old one is useless."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import bindparam, insert, select, update

from corr.mail.address import AddressSigner
from corr.service.games.game_session import GameSession, open_session
from corr.service.server import Server
from corr.store.tables import GameRow, OldAddressRow, PlayerRow, SeatRow
from corr.text.messages import sentence
from corr.words.board import Side
from corr.words.errors import Refused

_SEAT = select(SeatRow.id, SeatRow.code, SeatRow.key).where(SeatRow.id == bindparam("seat"))
_GAME_QUERY = select(GameRow.id).where(GameRow.code == bindparam("code"))
_VOID_INSERT = insert(OldAddressRow).from_select(["seat_id", "code", "key"], _SEAT)
_SEAT_UPDATE = update(SeatRow).where(SeatRow.id == bindparam("seat"))
_OWNER = select(SeatRow.player_id).where(SeatRow.id == bindparam("seat")).scalar_subquery()
_RENEWED_UPDATE = update(PlayerRow).where(PlayerRow.id == _OWNER).values(renewed=PlayerRow.renewed + 1)


def renew_addresses(session: GameSession, side: Side) -> None:
    """Give a seat new addresses, which its next email carries, and void the old ones."""
    # The link to stop emails in older emails stops working too.
    signet, seat = AddressSigner.new(), session.seat_states[side].id
    session.connection.execute(_VOID_INSERT, {"seat": seat})
    session.connection.execute(_SEAT_UPDATE, {"seat": seat, "code": signet.code, "key": signet.key})
    session.connection.execute(_RENEWED_UPDATE, {"seat": seat})


def renew_for_operator(server: Server, code: str, side: Side, now: datetime) -> None:
    """Renew a side's addresses for the operator, and email the new ones to its player."""
    with server.store.writing() as connection:
        game_id = connection.execute(_GAME_QUERY, {"code": code.lower()}).scalar_one_or_none()
        if game_id is None:
            raise Refused(sentence("games.no_code", code=code))
        session = open_session(connection, game_id, now)
        renew_addresses(session, side)
        session.write(side, "new_address")
        session.close()
