"""Writes a finished game's record, for a player or for everybody: every turn, with the salts that hid it."""

from __future__ import annotations

import gzip
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, select

from corr.messages import sentence
from corr.record import turns
from corr.record.seals import canonical
from corr.record.turns import Heading
from corr.service.games import seals
from corr.service.games.public_state import outcome_of
from corr.service.games.seals import Ended, Sat, Time
from corr.service.house import House
from corr.store.rows import one_of, rows_of
from corr.store.tables import Game, Leaf, OutboxRow, Player, Quotable, SeatRow
from corr.words.board import Pair, Side
from corr.words.errors import Refused
from corr.words.view import Stage


class _Played(NamedTuple):
    game_id: int
    side: str


class _Game(NamedTuple):
    code: str
    variant: str
    clock: str
    rated: bool
    by_lot: bool
    state: str
    winner: str | None
    reason: str | None


class _Seat(NamedTuple):
    id: int
    side: str
    tells_tries: bool
    opponent: str | None
    name: str


class _Leaf(NamedTuple):
    number: int
    told: str
    seal: bytes
    disclosed: bytes | None


class _Unsealed(NamedTuple):
    number: int
    digest: str


_BY_CODE = select(Game.id).where(Game.code == bindparam("code"))
_OF_PLAYER = (
    select(SeatRow.game_id, SeatRow.side)
    .join(Game, Game.id == SeatRow.game_id)
    .where(Game.code == bindparam("code"), SeatRow.player_id == bindparam("player"))
    .order_by(SeatRow.id)
)
_GAME = select(
    Game.code, Game.variant, Game.clock, Game.rated, Game.by_lot, Game.state, Game.winner, Game.reason
).where(Game.id == bindparam("game"))
_SEATS = (
    select(SeatRow.id, SeatRow.side, SeatRow.tells_tries, SeatRow.opponent, Player.name)
    .join(Player, Player.id == SeatRow.player_id)
    .where(SeatRow.game_id == bindparam("game"))
)
_LEAVES = (
    select(Leaf.number, Leaf.told, Leaf.seal, Leaf.disclosed)
    .where(Leaf.game_id == bindparam("game"))
    .order_by(Leaf.number)
)
#: Digests of emails that are still kept; after the newest of them, no turn may have been sealed.
_UNSEALED = (
    select(OutboxRow.number, Quotable.digest)
    .join(OutboxRow, OutboxRow.id == Quotable.letter_id)
    .where(OutboxRow.seat_id == bindparam("seat"), Quotable.digest != "")
)
_SHOWN = (
    select(OutboxRow.seal)
    .where(OutboxRow.seat_id == bindparam("seat"), func.length(OutboxRow.seal) > 0)
    .order_by(OutboxRow.number)
)


def of_code(house: House, code: str, side: Side) -> str:
    """Return the record of a finished game by its code."""
    with house.store.reading() as connection:
        found = connection.execute(_BY_CODE, {"code": code.strip().lower()}).scalar_one_or_none()
        if found is None:
            raise Refused(sentence("games.no_code", code=code))
        return record(connection, found, side)


def of_player(house: House, code: str, player_id: int) -> str:
    """Return a player's own game record; others' games and unknown codes get the same Refused."""
    with house.store.reading() as connection:
        asked = {"code": code.strip().lower(), "player": player_id}
        found = rows_of(_Played, connection.execute(_OF_PLAYER, asked))
        if not found:
            raise Refused(sentence("games.no_code", code=code))
        return record(connection, found[0].game_id, Side(found[0].side))


def packed(text: str) -> bytes:
    """Compress a record, which repeats itself a lot."""
    return gzip.compress(text.encode(), mtime=0)


def record(connection: Connection, game_id: int, side: Side, before: float = math.inf) -> str:
    """Return one side's record; Refused for unfinished games and games from before sealing.

    The record in an email lists only the emails before it, so that composing it again gives the same text.
    """
    return "".join(f"{each}\n" for each in lines(connection, game_id, side, before))


def lines(connection: Connection, game_id: int, side: Side | None, before: float = math.inf) -> Iterator[str]:
    """Yield the same record line by line; without a side, the public record.

    A part holds a side's held-back, unreadable and reconsidered orders, which only that player may read. The
    tries in it are public if that player allows it.
    """
    game = one_of(_Game, connection.execute(_GAME, {"game": game_id}))
    leaves = rows_of(_Leaf, connection.execute(_LEAVES, {"game": game_id}))
    if game.state != Stage.OVER or not leaves:
        raise Refused(sentence("games.no_record", code=game.code))
    seats = {Side(seat.side): seat for seat in rows_of(_Seat, connection.execute(_SEATS, {"game": game_id}))}
    sat = Sat(
        game_id,
        Pair(*(seats[each].id for each in Side)),
        Heading(game.code, game.variant, game.clock, game.rated, game.by_lot),
        Pair(*(seats[each.other].opponent or seats[each].name for each in Side)),
    )
    names = {each.value: sat.names[each] for each in Side} if side else {}
    happened = seals.by_leaf(seals.kept(connection, sat), sat.seats)
    read = {turns.tries_of(each) for each in Side if seats[each].tells_tries}
    if side:
        read |= {side.value, turns.tries_of(side)}
    sealed = [seals.words(Time.of_kept(leaf.told).turn, leaf.seal) for leaf in leaves]
    sent = {each: _sent(connection, seats[each].id, sealed) for each in Side}
    letters = _unsealed(connection, seats[side].id, before) if side else []
    yield canonical({"corr": "record", "game": game.code, "side": side, "sent": sent, "letters": letters})
    for leaf in leaves:
        is_last = leaf.number == len(leaves) - 1
        ended = Ended(Time.of_kept(leaf.told), outcome_of(game.winner, game.reason) if is_last else None)
        line = seals.line(sat.heading, leaf.number, happened.get(leaf.number), ended, leaf.disclosed or b"")
        yield line.written(leaf.seal, read, names)


def _unsealed(connection: Connection, seat_id: int, before: float) -> list[str]:
    """Return digests of a seat's emails before this one with no turn sealed after them."""
    kept = rows_of(_Unsealed, connection.execute(_UNSEALED, {"seat": seat_id}))
    return sorted({each.digest for each in kept if each.number < before})


def _sent(connection: Connection, seat_id: int, sealed: Sequence[str]) -> list[list[str]]:
    """List every turn's seal, and any other seal that a side's emails showed.

    Listing only the emailed seals would reveal orders given ahead, and whether the side gets emails at all.
    """
    shown = connection.execute(_SHOWN, {"seat": seat_id}).scalars()
    return [each.split(": ") for each in dict.fromkeys((*sealed, *shown))]
