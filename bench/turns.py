"""How many letters a turn takes: scripted players who plan ahead, in every variant, by letters through a whole house.

    python -m bench.turns --games 2

Each player knows what the seat was handed and nothing else. A letter holds a list that begins with guesses and ends
with all that the player's own men allow, behind "any?" where there is a pawn's capture to ask about; a sense and its
move; or set-ups in order of preference. Ends with status 1 if fewer than 95 of 100 turns took one letter.
"""

from __future__ import annotations

import argparse
import random
import sys
import textwrap
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from sqlalchemy import bindparam, select

from corr import limits
from corr.orders import read_order
from corr.rules.variants import UMPIRES, umpire_of
from corr.store.rows import one_of
from corr.store.slips import unpack
from corr.store.tables import Game, SeatRow, SlipRow
from corr.words.board import SQUARES, Side
from corr.words.orders import Move
from corr.words.slips import Sight
from tests.support.table import ANN, BEN, Table, lay

PLAYERS = {Side.WHITE: ANN, Side.BLACK: BEN}
PLIES, GUESSES, GOAL = 80, 6, 0.95


class Handed(NamedTuple):
    """What a seat was handed last."""

    facts: bytes
    sight: bytes


class Public(NamedTuple):
    """What everybody may know of the one game of a house."""

    state: str
    turn: str | None
    ply: int


_NEWEST = (
    select(SlipRow.facts, SlipRow.sight)
    .join(SeatRow, SlipRow.seat_id == SeatRow.id)
    .where(SeatRow.side == bindparam("side"))
    .order_by(SlipRow.number.desc(), SlipRow.step.desc())
    .limit(1)
)
_PUBLIC = select(Game.state, Game.turn, Game.ply)


def sight_of(table: Table, side: Side) -> Sight:
    with table.house.store.reading() as connection:
        handed = one_of(Handed, connection.execute(_NEWEST, {"side": side}))
    return unpack(side, handed.facts, handed.sight).sight


def public(table: Table) -> Public:
    with table.house.store.reading() as connection:
        return one_of(Public, connection.execute(_PUBLIC))


def planned(variant: str, sight: Sight, rng: random.Random) -> str:
    """A letter for a whole turn."""
    umpire = umpire_of(variant)
    options = list(umpire.options(sight._replace(sense_due=False)))
    rng.shuffle(options)
    if sight.sense_due:
        return f"sense {rng.choice(SQUARES)}; {options[0]}"
    steps = options[:GUESSES] + sorted(options[GUESSES:], key=_reach)
    aslant = [step for step in steps if _is_aslant(step, sight)]
    if not aslant or "any?" not in umpire.card.presses:
        return _wrapped(", ".join(aslant + [step for step in steps if step not in aslant]))
    others = [step for step in steps if step not in aslant]
    return _wrapped(f"any? yes: {', '.join(aslant)} / no: {', '.join(others)}")


def _reach(step: str) -> int:
    """How far a move goes: the further, the more may stand in its way."""
    match read_order(step):
        case Move(origin, target):
            return max(abs(origin % 8 - target % 8), abs(origin // 8 - target // 8))
        case _:
            return 8


def _is_aslant(step: str, sight: Sight) -> bool:
    match read_order(step):
        case Move(origin, target):
            return sight.pawns >> origin & 1 == 1 and origin % 8 != target % 8
        case _:
            return False


def _wrapped(text: str) -> str:
    return "\n".join(textwrap.wrap(text, 72))


def played(table: Table, variant: str, rng: random.Random) -> Counter[int]:
    """One game, and how many turns in it took how many letters."""
    table.begin_anew(variant)
    turns: Counter[int] = Counter()
    if rounds := deployed(table, variant, rng):
        turns[rounds] += len(PLAYERS)
    now = public(table)
    while now.turn and now.ply < PLIES:
        side, before, letters = Side(now.turn), now.ply, 0
        while now.state == "running" and now.ply == before and letters < 20:
            table.reply(PLAYERS[side], planned(variant, sight_of(table, side), rng))
            letters, now = letters + 1, public(table)
        turns[letters] += 1
    return turns


def deployed(table: Table, variant: str, rng: random.Random) -> int:
    """How often both had to deploy; never where nobody does."""
    names, rounds = [setup.name for setup in umpire_of(variant).card.setups], 0
    while public(table).state == "deploying":
        rounds += 1
        for player in PLAYERS.values():
            wishes = rng.sample(names, min(limits.SET_UPS, len(names)))
            table.reply(player, "\n".join(f"deploy {name}" for name in wishes))
    return rounds


def counted(variant: str, games: int) -> Counter[int]:
    """Some games of a variant, each in a house of its own."""
    rng, turns = random.Random(variant), Counter[int]()
    for _ in range(games):
        with TemporaryDirectory() as folder:
            table = lay(Path(folder))
            turns += played(table, variant, rng)
            table.house.store.close()
    return turns


def main() -> int:
    """Play, count, print."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", type=int, default=2)
    asked.add_argument("--variant", choices=UMPIRES, action="append")
    given = asked.parse_args()
    shares = []
    for variant in given.variant or UMPIRES:
        turns = counted(variant, given.games)
        letters = sum(count * times for count, times in turns.items())
        shares.append(turns[1] / turns.total())
        print(
            f"{variant:11} {turns.total():4} turns, {letters:4} letters, {shares[-1]:.1%} of the turns with one",
            flush=True,
        )
    return 0 if min(shares) >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
