"""What anybody may read of a game that is over: nothing of one that is not ever leaves here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select

from corr.desk import catalogue
from corr.desk.house import House
from corr.game.clock import clock_of
from corr.store.slips import unpack
from corr.store.tables import Game, OutboxRow, Player, SeatRow, SlipRow
from corr.words import Finished, Outcome, Pair, Refused, Side, Slip

_NOT_OVER = {
    "offered": "Game {} has not begun, so there is nothing to read of it.",
    "deploying": "Game {} is not over, so what happens in it is nobody's to read yet.",
    "running": "Game {} is not over, so what happens in it is nobody's to read yet.",
}
_NO_GAME = "Game {} never took place, so there is nothing to read of it."
_UNKNOWN_DAY = "????.??.??"


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A finished game and which variant it was."""

    variant: str
    finished: Finished

    @property
    def pgn(self) -> str:
        """The game as a PGN file."""
        return catalogue.written(self.variant, self.finished)


def pgn(house: House, code: str) -> str:
    """A finished game as a PGN file; Refused for one that is not over, or of which there is nothing to tell."""
    with house.store.reading() as connection:
        game = connection.execute(_BY_CODE, {"code": code.strip().lower()}).one_or_none()
        if game is None:
            raise Refused(f'There is no game "{code}" here.')
        reviewed = _review(connection, game, house.domain)
    return reviewed.pgn


def of_game(connection: Connection, game_id: int, domain: str) -> Reviewed:
    """A finished game, all that was handed out in it; Refused for one that is not over."""
    return _review(connection, connection.execute(_BY_ID, {"game": game_id}).one(), domain)


_GAME = select(Game.id, Game.code, Game.variant, Game.clock, Game.state, Game.winner, Game.reason)
_BY_CODE = _GAME.where(Game.code == bindparam("code"))
_BY_ID = _GAME.where(Game.id == bindparam("game"))
_SEATS = (
    select(SeatRow.id, SeatRow.side, Player.name)
    .join(Player, Player.id == SeatRow.player_id)
    .where(SeatRow.game_id == bindparam("game"))
)
_SLIPS = (
    select(SlipRow.facts, SlipRow.sight)
    .where(SlipRow.seat_id == bindparam("seat"))
    .order_by(SlipRow.number, SlipRow.step)
)
#: The first letter that told of a slip is the one with which the game began.
_BEGUN = select(func.min(OutboxRow.made_at)).where(
    OutboxRow.seat_id.in_(bindparam("seats", expanding=True)), OutboxRow.slip > 0
)


def _review(connection: Connection, game: Row[*tuple[Any, ...]], domain: str) -> Reviewed:
    if game.state != "over":
        raise Refused(_NOT_OVER[game.state].format(game.code))
    seats = {row.side: row for row in connection.execute(_SEATS, {"game": game.id})}
    slips = Pair(*(_slips(connection, seats[side].id, side) for side in Side))
    if not (slips.white and slips.black):
        raise Refused(_NO_GAME.format(game.code))
    begun = connection.execute(_BEGUN, {"seats": [row.id for row in seats.values()]}).scalar_one()
    finished = Finished(
        game=game.code,
        site=domain,
        begun=_day(begun),
        time_control=clock_of(game.clock).time_control,
        players=Pair(seats[Side.WHITE].name, seats[Side.BLACK].name),
        slips=slips,
        outcome=Outcome(Side(game.winner) if game.winner else None, game.reason),
    )
    return Reviewed(game.variant, finished)


def _slips(connection: Connection, seat_id: int, side: Side) -> tuple[Slip, ...]:
    rows = connection.execute(_SLIPS, {"seat": seat_id})
    return tuple(unpack(side, row.facts, row.sight) for row in rows)


def _day(moment: datetime | None) -> str:
    return moment.strftime("%Y.%m.%d") if moment else _UNKNOWN_DAY
