"""Finds seats by signed email address or id, and renews their addresses. Only this module makes a `Seat`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, bindparam, insert, select, update
from sqlalchemy.orm import InstrumentedAttribute

from corr.mail.address import AddressSigner, Token, parse_token
from corr.service.games.game_session import GameSession, open_session
from corr.service.server import Server
from corr.store.rows import columns_of, one_or_none_of, rows_of
from corr.store.tables import GameRow, OldAddressRow, PlayerRow, SeatRow
from corr.text.messages import sentence
from corr.words.board import Side
from corr.words.errors import Refused


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's place in one game."""

    id: int
    game_id: int
    side: Side
    signer: AddressSigner
    player_id: int
    player: str
    address: str
    zone: str
    mailing: str  # whether emails tell of game events: each, daily, off
    opponent: str | None  # the opponent's name that the subjects of its emails keep using

    def is_written_by(self, sender: str) -> bool:
        """Whether an address is the registered one of this seat's player."""
        return sender.casefold() == self.address.casefold()


class StoredSeat(NamedTuple):
    id: int
    game_id: int
    side: str
    code: str
    key: bytes
    player_id: int
    opponent: str | None
    name: str
    address: str
    zone: str
    mailing: str

    @property
    def seat(self) -> Seat:
        return Seat(
            id=self.id,
            game_id=self.game_id,
            side=Side(self.side),
            signer=AddressSigner(self.code, self.key),
            player_id=self.player_id,
            player=self.name,
            address=self.address,
            zone=self.zone,
            mailing=self.mailing,
            opponent=self.opponent,
        )


class _VoidRow(NamedTuple):
    seat_id: int
    key: bytes


_SEATS = select(*columns_of(StoredSeat, SeatRow, PlayerRow)).join(
    PlayerRow, PlayerRow.id == SeatRow.player_id
)
_BY_CODE = _SEATS.where(SeatRow.code == bindparam("code"))
_VOID_BY_CODE = select(OldAddressRow.seat_id, OldAddressRow.key).where(
    OldAddressRow.code == bindparam("code")
)
_BY_ID = _SEATS.where(SeatRow.id.in_(bindparam("ids", expanding=True)))


def seat_of_address(connection: Connection, address: str, domain: str) -> tuple[Seat, Token] | None:
    """Find the seat of a signed email address or Message-ID; None if it isn't ours."""
    token = parse_token(address, domain)
    if token is None:
        return None
    kept = one_or_none_of(StoredSeat, connection.execute(_BY_CODE, {"code": token.code}))
    if kept is None or not token.is_signed_by(kept.key):
        return None
    return kept.seat, token


def seat_of_void_address(connection: Connection, address: str, domain: str) -> tuple[Seat, Token] | None:
    """Find the seat of an address that its player has had replaced; None for other addresses."""
    token = parse_token(address, domain)
    if token is None:
        return None
    void = one_or_none_of(_VoidRow, connection.execute(_VOID_BY_CODE, {"code": token.code}))
    if void is None or not token.is_signed_by(void.key):
        return None
    return seat_by_id(connection, void.seat_id), token


def seats_by_id(connection: Connection, ids: Collection[int]) -> dict[int, Seat]:
    found = rows_of(StoredSeat, connection.execute(_BY_ID, {"ids": list(ids)}))
    return {kept.id: kept.seat for kept in found}


def seat_by_id(connection: Connection, seat_id: int) -> Seat:
    return seats_by_id(connection, [seat_id])[seat_id]


def select_seats(*beside: ColumnElement[Any] | InstrumentedAttribute[Any]) -> Select[*tuple[Any, ...]]:
    """Build a query of seats with the columns of `StoredSeat` and these further ones."""
    return _SEATS.add_columns(*beside)


_SEAT = select(SeatRow.id, SeatRow.code, SeatRow.key).where(SeatRow.id == bindparam("seat"))
_GAME_QUERY = select(GameRow.id).where(GameRow.code == bindparam("code"))
_VOID_INSERT = insert(OldAddressRow).from_select(["seat_id", "code", "key"], _SEAT)
_SEAT_UPDATE = update(SeatRow).where(SeatRow.id == bindparam("seat"))
_OWNER = select(SeatRow.player_id).where(SeatRow.id == bindparam("seat")).scalar_subquery()
_RENEWED_UPDATE = update(PlayerRow).where(PlayerRow.id == _OWNER).values(renewed=PlayerRow.renewed + 1)


def renew_addresses(session: GameSession, side: Side) -> None:
    """Give a seat new addresses, which its next email carries, and void the old ones."""
    # The link to stop emails in older emails stops working too.
    signer, seat = AddressSigner.new(), session.seat_states[side].id
    session.connection.execute(_VOID_INSERT, {"seat": seat})
    session.connection.execute(_SEAT_UPDATE, {"seat": seat, "code": signer.code, "key": signer.key})
    session.connection.execute(_RENEWED_UPDATE, {"seat": seat})


def renew_for_operator(server: Server, code: str, side: Side, now: datetime) -> None:
    """Renew a side's addresses for the operator, and email them to its player; Refused for an unknown code."""
    with server.store.writing() as connection:
        game_id = connection.execute(_GAME_QUERY, {"code": code.lower()}).scalar_one_or_none()
        if game_id is None:
            raise Refused(sentence("games.no_code", code=code))
        session = open_session(connection, game_id, now)
        renew_addresses(session, side)
        session.write(side, "new_address")
        session.close()
