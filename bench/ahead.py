"""How many letters a game of Wild 16 takes whose players order ahead, and the same without.

    python -m bench.ahead --moves 40 --games 3

Two scripts play by letters through the whole house. Each turn each writes a list of all that its men's pattern allows,
captures by pawns first where the umpire counts some. Ahead, each writes beside that what it would answer to a check, to
a pawn that can capture, and to anything else.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from sqlalchemy import select

from corr.rules.variants import umpire_of
from corr.store import truths
from corr.store.tables import Game
from corr.words.board import Side
from tests.support.table import ANN, BEN, Table, lay

PLAYERS = {Side.WHITE: ANN, Side.BLACK: BEN}


class Letters(NamedTuple):
    """How many letters the players and the house wrote in a game, and how many moves were made in it."""

    players: int
    house: int
    plies: int


class Stand(NamedTuple):
    """Where a game stands: what the bench looks up, as each player would read it from a letter."""

    turn: Side | None
    ply: int
    moves: tuple[str, ...]


def stand(table: Table) -> Stand:
    """Whose turn it is, and what the pattern of that side's men allows."""
    umpire = umpire_of("wild16")
    with table.house.store.reading() as connection:
        turn, ply = connection.execute(select(Game.turn, Game.ply)).one()
        truth = umpire.restore(truths.unseal(connection, 1))
    side = Side(turn) if turn else None
    return Stand(side, ply, umpire.options(truth.sights[side]) if side else ())


def written(moves: tuple[str, ...], rng: random.Random, *, ahead: bool) -> str:
    """A turn's letter: a list, and ahead what is answered to what may be told."""
    shuffled = rng.sample(moves, len(moves))
    aslant = [move for move in shuffled if move[0] != move[2]]
    tries = ", ".join(shuffled)
    if not ahead:
        return tries
    answer = ", ".join(rng.sample(moves, len(moves)))
    forced = ", ".join(dict.fromkeys([*aslant, *shuffled]))
    return f"{tries}\nif check: {forced}; if tries>0: {forced}; else {answer}"


def played(folder: Path, moves: int, seed: int, *, ahead: bool) -> Letters:
    """One game of so many moves of each side, or until it ends."""
    table, rng, count = lay(folder), random.Random(seed), 0
    table.begin_anew("wild16")
    before = len(table.all_letters())
    now = stand(table)
    while now.turn and now.ply < 2 * moves:
        table.reply(PLAYERS[now.turn], written(now.moves, rng, ahead=ahead))
        table.clock.pass_by(hours=2)
        count, now = count + 1, stand(table)
    table.house.store.close()
    return Letters(count, len(table.all_letters()) - before, now.ply)


def main() -> None:
    """Play with and without, and tell."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--moves", type=int, default=40)
    asked.add_argument("--games", type=int, default=3)
    given = asked.parse_args()
    for seed in range(given.games):
        for ahead in (False, True):
            with TemporaryDirectory() as folder:
                letters = played(Path(folder), given.moves, seed, ahead=ahead)
            how = "ahead" if ahead else "turn by turn"
            share = letters.players / letters.plies
            print(
                f"game {seed + 1}, {how:12} {letters.plies} half-moves: {letters.players} letters of the players"
                f" ({share:.2f} for each), {letters.house} of the house"
            )


if __name__ == "__main__":
    main()
