"""What anybody may read of a game that is over: nothing of one that is not ever leaves here."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy import Connection, Row, bindparam, func, select

from corr.desk import catalogue, correspondents
from corr.desk.house import House
from corr.game.clock import clock_of
from corr.sentences import sentence
from corr.store.slips import unpack
from corr.store.tables import Game, OutboxRow, Player, SeatRow, SlipRow
from corr.words import Finished, Outcome, Pair, Refused, Side, Slip

_UNKNOWN_DAY = "????.??.??"
_MAC = 10

#: What a side was handed, as it is kept: facts and sights.
Kept: TypeAlias = tuple[tuple[str, str], ...]


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
            raise Refused(sentence("games.no_code", code=code))
        reviewed = _review(connection, game, house.domain)
    return reviewed.pgn


def of_game(connection: Connection, game_id: int, domain: str) -> Reviewed:
    """A finished game, all that was handed out in it; Refused for one that is not over."""
    return _review(connection, connection.execute(_BY_ID, {"game": game_id}).one(), domain)


def share_mark(connection: Connection, code: str) -> str | None:
    """By which a finished game's page is found: the same at every call, and not to be guessed.

    None while the game is not over, and where its men were never on the board.
    """
    return _marked(connection, code) if connection.execute(_SHARED, {"code": code}).first() else None


def shared(connection: Connection, mark: str) -> Row[*tuple[Any, ...]]:
    """The finished game of a page's mark; Refused alike for any other."""
    code = mark.partition("-")[0]
    is_ours = hmac.compare_digest(_marked(connection, code).encode(), mark.encode())
    game = connection.execute(_SHARED, {"code": code}).one_or_none() if is_ours else None
    if game is None:
        raise Refused(sentence("games.no_page"))
    return game


def of_mark(house: House, mark: str) -> Reviewed:
    """The finished game of a page's mark; Refused where there is none."""
    with house.store.reading() as connection:
        return _review(connection, shared(connection, mark), house.domain)


def _marked(connection: Connection, code: str) -> str:
    key = correspondents.secret(connection, "marks")
    mac = hmac.digest(key, f"finished {code}".encode(), hashlib.sha256)[:_MAC]
    return f"{code}-{base64.b32encode(mac).decode().lower()}"


_GAME = select(Game.id, Game.code, Game.variant, Game.clock, Game.state, Game.winner, Game.reason)
_BY_CODE = _GAME.where(Game.code == bindparam("code"))
#: In a game that ends before the men are on the board nothing was played.
_SHARED = _BY_CODE.where(
    Game.state == "over",
    Game.ply >= 0,
    select(SeatRow.id)
    .join(SlipRow, SlipRow.seat_id == SeatRow.id)
    .where(SeatRow.game_id == Game.id)
    .exists(),
)
_BY_ID = _GAME.where(Game.id == bindparam("game"))
_SEATS = (
    select(SeatRow.id, SeatRow.side, SeatRow.player_id, Player.name)
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
    if game.state == "offered":
        raise Refused(sentence("games.not_begun", code=game.code))
    if game.state != "over":
        raise Refused(sentence("games.not_over", code=game.code))
    seats = seats_of(connection, game.id)
    slips = Pair(*(unpacked(side, handed(connection, seats[side].id)) for side in Side))
    if not (slips.white and slips.black):
        raise Refused(sentence("games.never_begun", code=game.code))
    finished = Finished(
        game=game.code,
        site=domain,
        begun=_day(begun(connection, seats.values())),
        time_control=clock_of(game.clock).time_control,
        players=Pair(seats[Side.WHITE].name, seats[Side.BLACK].name),
        slips=slips,
        outcome=Outcome(Side(game.winner) if game.winner else None, game.reason),
    )
    return Reviewed(game.variant, finished)


def seats_of(connection: Connection, game_id: int) -> dict[Side, Row[*tuple[Any, ...]]]:
    """Who played which side of a game."""
    return {Side(row.side): row for row in connection.execute(_SEATS, {"game": game_id})}


def handed(connection: Connection, seat_id: int) -> Kept:
    """What a side was handed, as it is kept."""
    return tuple((facts, sight) for facts, sight in connection.execute(_SLIPS, {"seat": seat_id}))


def unpacked(side: Side, kept: Kept) -> tuple[Slip, ...]:
    """The slips themselves."""
    return tuple(unpack(side, *each) for each in kept)


def begun(connection: Connection, seats: Collection[Row[*tuple[Any, ...]]]) -> datetime | None:
    """When the first letter was written that told of a slip."""
    moment: datetime | None = connection.execute(_BEGUN, {"seats": [row.id for row in seats]}).scalar_one()
    return moment


def _day(moment: datetime | None) -> str:
    return moment.strftime("%Y.%m.%d") if moment else _UNKNOWN_DAY
