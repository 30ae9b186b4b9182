"""Who sits where. The only maker of Seat: whoever holds one has shown a token, or is the house itself."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select

from corr.mail.address import Signet, Token, token_of
from corr.store.tables import Player, SeatRow, VoidSignet
from corr.words import Side


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's place in one game."""

    id: int
    game_id: int
    side: Side
    signet: Signet
    player_id: int
    player: str
    address: str
    zone: str
    mail: bool  # whether letters tell of what happens in games
    opponent: str | None  # by which name the subject of its letters goes on calling the opponent

    def is_written_by(self, sender: str) -> bool:
        """True if an address is the registered one of the player who sits here."""
        return sender.casefold() == self.address.casefold()


_SEATS = select(
    SeatRow.id,
    SeatRow.game_id,
    SeatRow.side,
    SeatRow.code,
    SeatRow.key,
    SeatRow.player_id,
    SeatRow.opponent,
    Player.name,
    Player.address,
    Player.zone,
    Player.mail,
).join(Player, Player.id == SeatRow.player_id)
_BY_CODE = _SEATS.where(SeatRow.code == bindparam("code"))
_VOID_BY_CODE = select(VoidSignet.seat_id, VoidSignet.key).where(VoidSignet.code == bindparam("code"))
_BY_ID = _SEATS.where(SeatRow.id.in_(bindparam("ids", expanding=True)))


def seat_of_address(connection: Connection, address: str, domain: str) -> tuple[Seat, Token] | None:
    """The seat that an address or Message-ID of ours names, if we really made it."""
    token = token_of(address, domain)
    if token is None:
        return None
    row = connection.execute(_BY_CODE, {"code": token.code}).one_or_none()
    if row is None or not token.is_signed_by(row.key):
        return None
    return _seat(row), token


def seat_of_void_address(connection: Connection, address: str, domain: str) -> tuple[Seat, Token] | None:
    """The seat that an address named before the seat got new ones."""
    token = token_of(address, domain)
    row = connection.execute(_VOID_BY_CODE, {"code": token.code}).one_or_none() if token else None
    if token is None or row is None or not token.is_signed_by(row.key):
        return None
    return seat_by_id(connection, row.seat_id), token


def seats_by_id(connection: Connection, ids: Collection[int]) -> dict[int, Seat]:
    """The seats of rows that name them."""
    return {row.id: _seat(row) for row in connection.execute(_BY_ID, {"ids": list(ids)})}


def seat_by_id(connection: Connection, seat_id: int) -> Seat:
    """The seat of a row that names it."""
    return seats_by_id(connection, [seat_id])[seat_id]


def _seat(row: Row[*tuple[Any, ...]]) -> Seat:
    signet = Signet(row.code, row.key)
    return Seat(
        id=row.id,
        game_id=row.game_id,
        side=Side(row.side),
        signet=signet,
        player_id=row.player_id,
        player=row.name,
        address=row.address,
        zone=row.zone,
        mail=row.mail,
        opponent=row.opponent,
    )
