"""Two players are put at a table: a game and its seats, before anything is said."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, func, insert, select, union_all

from corr.game.clock import clock_of
from corr.mail.address import Signet
from corr.service.games import outages
from corr.store.rows import one_of, rows_of
from corr.store.tables import Challenge, EventRow, Game, SeatRow
from corr.words.board import Pair, Side
from corr.words.view import Stage

# No letters from a to h: a code must never look like a square; and a letter first: nor like a number.
_LETTERS = "jkmnpqrstvwxyz"
_SIGNS = "23456789" + _LETTERS
_LENGTH = 5


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who plays whom, at what."""

    players: Pair[int]
    variant: str
    clock: str
    rated: bool
    lesson: int | None = None  # with which a tutorial begins
    house: Side | None = None  # which side the house itself keeps
    by_lot: bool = False  # whether the colours were drawn


class Paired(NamedTuple):
    """A game that was made, by its row and by its code."""

    id: int
    code: str


def pair(connection: Connection, pairing: Pairing, *, accepted: bool) -> Paired:
    """Make the game, which is offered to its players, or which both have accepted already."""
    made = (
        insert(Game)
        .values(
            code=free_code(connection),
            variant=pairing.variant,
            clock=pairing.clock,
            rated=pairing.rated,
            by_lot=pairing.by_lot,
            lesson=pairing.lesson,
            state=Stage.OFFERED,
            credited=func.coalesce(outages.NEWEST, 0),
            ply=0,
            offered_white=0,
            offered_black=0,
        )
        .returning(Game.id, Game.code)
    )
    game = one_of(Paired, connection.execute(made))
    bank = clock_of(pairing.clock).pace.bank
    for side in Side:
        signet = Signet.new()
        connection.execute(
            insert(SeatRow).values(
                game_id=game.id,
                player_id=pairing.players[side],
                side=side,
                house=side is pairing.house,
                code=signet.code,
                key=signet.key,
                bank=bank,
                accepted=accepted,
                slips=0,
                steps=0,
                letters=0,
            )
        )
    return game


class _GameBefore(NamedTuple):
    variant: str
    clock: str
    rated: bool


class _SeatBefore(NamedTuple):
    side: str
    player_id: int
    house: bool


_PLAYED = select(Game.variant, Game.clock, Game.rated)
_SEATED = select(SeatRow.side, SeatRow.player_id, SeatRow.house)


def swapped(connection: Connection, game_id: int) -> Pairing:
    """The same players at the same, with the colours changed."""
    game = one_of(_GameBefore, connection.execute(_PLAYED.where(Game.id == game_id)))
    seats = rows_of(_SeatBefore, connection.execute(_SEATED.where(SeatRow.game_id == game_id)))
    by_side = {Side(seat.side): seat.player_id for seat in seats}
    players = Pair(by_side[Side.BLACK], by_side[Side.WHITE])
    kept = next((Side(seat.side).other for seat in seats if seat.house), None)
    return Pairing(players, game.variant, game.clock, rated=game.rated, house=kept)


def free_code(connection: Connection) -> str:
    """A short code that no game, challenge or event has."""
    while True:
        code = secrets.choice(_LETTERS) + "".join(secrets.choice(_SIGNS) for _ in range(_LENGTH - 1))
        taken = union_all(*(select(kind.id).where(kind.code == code) for kind in (Game, Challenge, EventRow)))
        if connection.execute(taken).scalars().first() is None:
            return code
