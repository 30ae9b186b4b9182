"""Gives a seat new addresses, so that a leaked old one is useless."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, insert, literal, select, update

from corr.mail.address import Signet
from corr.messages import sentence
from corr.service.games.game_session import Sitting, sit_down
from corr.service.house import House
from corr.store.tables import Game, Player, SeatRow, VoidSignet
from corr.words.board import Side
from corr.words.errors import Refused

_SEAT = select(SeatRow.id, SeatRow.code, SeatRow.key).where(SeatRow.id == bindparam("seat"))
_VOID = insert(VoidSignet).from_select(["seat_id", "code", "key"], _SEAT)
_ANEW = update(SeatRow).where(SeatRow.id == bindparam("seat"))
_OWNER = select(SeatRow.player_id).where(SeatRow.id == bindparam("seat")).scalar_subquery()
_RENEWED = update(Player).where(Player.id == _OWNER).values(renewed=Player.renewed + 1)


def rekey(sitting: Sitting, side: Side) -> None:
    """Give a seat new addresses, which its next email carries, and void the old ones.

    The link to stop emails in older emails stops working too.
    """
    signet, seat = Signet.new(), sitting.chairs[side].id
    sitting.connection.execute(_VOID, {"seat": seat})
    sitting.connection.execute(_ANEW, {"seat": seat, "code": signet.code, "key": signet.key})
    sitting.connection.execute(_RENEWED, {"seat": seat})


def rekey_of_game(house: House, code: str, side: Side, now: datetime) -> None:
    """Renew a side's addresses for the operator, and email the new ones to its player."""
    with house.store.writing() as connection:
        sitting = sit_down(connection, _game(connection, code), now)
        rekey(sitting, side)
        sitting.write(side, "new_address")
        sitting.close()


def _game(connection: Connection, code: str) -> int:
    asked = select(Game.id).where(Game.code == literal(code.lower()))
    found = connection.execute(asked).scalar_one_or_none()
    if found is None:
        raise Refused(sentence("games.no_code", code=code))
    return found
