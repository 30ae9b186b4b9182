"""Creates a game and its two seats, before anything is said."""

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

# A code has no letters a to h, so it never looks like a square, and begins with a letter, unlike a number.
_LETTERS = "jkmnpqrstvwxyz"
_SIGNS = "23456789" + _LETTERS
_LENGTH = 5


@dataclass(frozen=True, slots=True)
class Pairing:
    """The players, variant and clock of a game to create."""

    players: Pair[int]
    variant: str
    clock: str
    rated: bool
    lesson: int | None = None  # the lesson that a tutorial begins with
    house: Side | None = None  # the side of the site's own bot
    by_lot: bool = False  # whether the colours were drawn by lot


class Paired(NamedTuple):
    """A new game, by its row and its code."""

    id: int
    code: str


def pair(connection: Connection, pairing: Pairing, *, accepted: bool) -> Paired:
    """Create a game that is offered to its players, or that both have accepted."""
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
    """Return the same pairing with colours swapped."""
    game = one_of(_GameBefore, connection.execute(_PLAYED.where(Game.id == game_id)))
    seats = rows_of(_SeatBefore, connection.execute(_SEATED.where(SeatRow.game_id == game_id)))
    by_side = {Side(seat.side): seat.player_id for seat in seats}
    players = Pair(by_side[Side.BLACK], by_side[Side.WHITE])
    kept = next((Side(seat.side).other for seat in seats if seat.house), None)
    return Pairing(players, game.variant, game.clock, rated=game.rated, house=kept)


def free_code(connection: Connection) -> str:
    """Draw a short code that no game, challenge or event has."""
    while True:
        code = secrets.choice(_LETTERS) + "".join(secrets.choice(_SIGNS) for _ in range(_LENGTH - 1))
        taken = union_all(*(select(kind.id).where(kind.code == code) for kind in (Game, Challenge, EventRow)))
        if connection.execute(taken).scalars().first() is None:
            return code
