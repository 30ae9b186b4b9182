"""Draws pairs of true positions that a player can't tell apart, and compares that player's emails byte for byte.

    python -m bench.twins --pairs 2000

For each variant two games go on side by side. One player writes the same in both and is told the same; the other
plays differently in each. After every step in which the true positions differ, the player's email is composed in
both, with its text, HTML and drawn board, from what the player was handed. It shows what they recall, what is left of
a ghost on every square, the moves so far with their own captures, and the suggested move. Ends with status 1 if a
byte differs.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice
from typing import Any

from bench.driver import ask
from bench.letter import outgoing, view
from corr.game.memory import add_memory
from corr.mail.outward.compose import compose
from corr.orders import UnclearLine, parse_order
from corr.rules.core.try_lists import try_one_by_one
from corr.rules.core.umpire import Ruling, Umpire
from corr.rules.variants import UMPIRES
from corr.service import catalogue
from corr.service.games import notes
from corr.words.board import Side
from corr.words.orders import Ask, Castle, Drop, Move, Order, Tries
from corr.words.slips import GhostPieces, Sight, Slip, Verdict
from corr.words.view import answer_to_any, is_in_check

TRIES = 24
#: Verdicts that a player could foresee, so both twins must get them.
KNOWN_BEFORE = (Verdict.UNREADABLE, Verdict.NONSENSE)
#: How often a list is written.
A_LIST = 0.3
#: How many slips of a player an email shows.
SHOWN = 6
#: The most pairs from two games, so that many games are used.
EACH = 100


@dataclass(frozen=True)
class Game:
    """A game's state, one player's slips, and the last order."""

    ruling: Ruling[Any]
    slips: tuple[Slip, ...]
    side: Side | None = None
    order: Order | None = None

    def after(self, umpire: Umpire[Any], side: Side, order: Order, player: Side) -> Game:
        rulings = [ruling for _, ruling in try_one_by_one(umpire, self.ruling.truth, side, order)]
        handed = filter(None, (ruling.slips[player] for ruling in rulings))
        return Game(rulings[-1], reduce(_handed, handed, self.slips), side, order)


def _handed(slips: tuple[Slip, ...], slip: Slip) -> tuple[Slip, ...]:
    """A player's slips with a further one and its memory."""
    return (*slips, add_memory(slips[-1].sight if slips else None, slip))


def orders(umpire: Umpire[Any], sight: Sight) -> list[Order]:
    read = map(parse_order, umpire.possible_tries(sight))
    return [*(order for order in read if not isinstance(order, UnclearLine)), Ask()]


def twins(umpire: Umpire[Any], rng: random.Random) -> Iterator[tuple[Side, Game, Game]]:
    """The steps of two games that one player cannot tell apart, while they differ."""
    for player, one, other in games(umpire, rng):
        if umpire.pack(one.ruling.truth) != umpire.pack(other.ruling.truth):
            yield player, one, other


def games(umpire: Umpire[Any], rng: random.Random) -> Iterator[tuple[Side, Game, Game]]:
    """All steps of two games that one player cannot tell apart."""
    player, start = rng.choice(tuple(Side)), umpire.start()
    one = other = Game(start, reduce(_handed, filter(None, [start.slips[player]]), ()))
    while one.ruling.outcome is None:
        side = one.ruling.turn or rng.choice(tuple(Side))
        step = alike(umpire, one, other, side, player, rng)
        if step is None:
            return
        one, other = step
        yield player, one, other


def alike(
    umpire: Umpire[Any], one: Game, other: Game, side: Side, player: Side, rng: random.Random
) -> tuple[Game, Game] | None:
    """A further step after which the player still can't tell the two apart, or None."""
    mine, theirs = (orders(umpire, game.ruling.truth.sights[side]) for game in (one, other))
    for _ in range(TRIES):
        first = drawn(mine, rng)
        second = first if side is player else drawn(theirs, rng)
        steps = one.after(umpire, side, first, player), other.after(umpire, side, second, player)
        rulings = [game.ruling for game in steps]
        if side is player and any(ruling.verdict in KNOWN_BEFORE for ruling in rulings):
            assert rulings[0].verdict == rulings[1].verdict, (umpire.card.key, first)
            assert rulings[0].slips[player] == rulings[1].slips[player], (umpire.card.key, first)
        if steps[0].slips == steps[1].slips and rulings[0].turn is rulings[1].turn:
            return steps
    return None


def imagined(game: Game, player: Side) -> GhostPieces:
    """The ghosts that remain of one on every square after all slips."""
    everywhere = tuple((square, "q" if player is Side.WHITE else "Q") for square in range(64))
    return reduce(notes.keep_possible_ghosts, game.slips, everywhere)


def example(umpire: Umpire[Any], game: Game, player: Side) -> str:
    """The move that is suggested to the player, if any is."""
    if is_in_check(game.slips):
        return ""
    captures = answer_to_any(game.slips, player) is True
    return catalogue.example(umpire.card.key, game.slips[-1].sight, captures=captures)


def drawn(offered: list[Order], rng: random.Random) -> Order:
    """A random order of a side, or a list."""
    steps = [each for each in rng.choices(offered, k=3) if isinstance(each, Move | Castle | Drop)]
    return Tries(tuple(dict.fromkeys(steps))) if steps and rng.random() < A_LIST else rng.choice(offered)


def is_alike(umpire: Umpire[Any], player: Side, one: Game, other: Game) -> bool:
    """Whether the emails are the same bytes, and the restored positions look the same."""
    views = [
        replace(
            view(game.slips[-SHOWN:], 7, umpire.card, player),
            ghosts=imagined(game, player),
            score=catalogue.score(game.slips, 1),
            example=example(umpire, game, player),
        )
        for game in (one, other)
    ]
    letters = [compose(outgoing(seen)).message for seen in views]
    kept = [umpire.restore(umpire.pack(game.ruling.truth)).sights[player] for game in (one, other)]
    return letters[0] == letters[1] and kept[0] == kept[1]


def compared(umpire: Umpire[Any], pairs: int, seed: int) -> int:
    """Compare this many pairs; return how many differed."""
    rng, seen, unlike = random.Random(seed), 0, 0
    while seen < pairs:
        for player, one, other in islice(twins(umpire, rng), EACH):
            seen, unlike = seen + 1, unlike + (not is_alike(umpire, player, one, other))
    return unlike


def main() -> int:
    asked = ask(__doc__, pairs=2000, seed=1)
    unlike = {key: compared(umpire, asked.pairs, asked.seed) for key, umpire in UMPIRES.items()}
    for key, count in unlike.items():
        print(f"{key:12} {asked.pairs} pairs or more, {count} differ in a byte")
    return 1 if any(unlike.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
