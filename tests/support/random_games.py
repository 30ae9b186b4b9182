"""Random games with any umpire, and all their slips."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from corr.game.memory import add_memory
from corr.orders import parse_order
from corr.rules.core.try_lists import try_one_by_one
from corr.rules.core.umpire import Ruling, Umpire
from corr.words.board import Pair, Side, squares_of
from corr.words.orders import Ask, Move, Order, Tries
from corr.words.replay import CompletedGame
from corr.words.slips import Sight, Slip, Verdict


@dataclass
class PlayedGame:
    """A game and its rulings."""

    umpire: Umpire
    rulings: list[Ruling] = field(default_factory=list)

    @property
    def last(self) -> Ruling:
        return self.rulings[-1]

    @property
    def slips(self) -> Pair[tuple[Slip, ...]]:
        """All slips of both sides, with what they remember."""
        return Pair(*(tuple(self._handed(side)) for side in Side))

    def _handed(self, side: Side) -> Iterator[Slip]:
        before = None
        for slip in filter(None, (each.slips[side] for each in self.rulings)):
            handed = add_memory(before, slip)
            before = handed.sight
            yield handed

    def sight(self, side: Side) -> Sight:
        """The last sight of a side, without what it remembers."""
        return next(slip.sight for ruling in reversed(self.rulings) if (slip := ruling.slips[side]))

    def put(self, side: Side, order: Order) -> None:
        self.rulings += [ruling for _, ruling in try_one_by_one(self.umpire, self.last.truth, side, order)]

    def finished(self, white: str = "Ann", black: str = "Ben") -> CompletedGame:
        assert self.last.outcome
        return CompletedGame(
            game="k3x9q",
            site="play.example",
            begun="2026.11.20",
            time_control="1/259200",
            players=Pair(white, black),
            slips=self.slips,
            outcome=self.last.outcome,
        )


def begin_game(umpire: Umpire) -> PlayedGame:
    """Begin a game; if there are set-ups, White takes `home` and Black `corner`."""
    played = PlayedGame(umpire, [umpire.start()])
    if played.last.turn is None:
        played.put(Side.WHITE, parse_order("deploy home"))
        played.put(Side.BLACK, parse_order("deploy corner"))
    return played


def play_lines(umpire: Umpire, lines: Iterable[str]) -> PlayedGame:
    """Play these lines, each for the side to move; then Black resigns."""
    played = begin_game(umpire)
    for line in lines:
        assert played.last.turn
        played.put(played.last.turn, parse_order(line))
    return resign(played, Side.BLACK)


@cache
def play_random_game(umpire: Umpire, seed: int, most: int = 400) -> PlayedGame:
    """A game of random orders up to a resignation; cached, because many tests use it."""
    rng, played = random.Random(seed), begin_game(umpire)
    for _ in range(most):
        side = played.last.turn
        if side is None:
            return played
        options = umpire.possible_tries(played.sight(side))
        played.put(side, Ask() if rng.random() < 0.05 else parse_order(rng.choice(options)))
    return resign(played, played.last.turn)


def resign(played: PlayedGame, side: Side | None) -> PlayedGame:
    if side and played.last.outcome is None:
        played.rulings.append(played.umpire.resigned(played.last.truth, side))
    return played


def impossible_tries(umpire: Umpire, truth: Any, most: int = 200) -> Tries:
    """This many moves of a side's own pieces, all of them impossible."""
    side = umpire.turn(truth)
    moves = [Move(origin, target) for origin in squares_of(truth.sights[side].own) for target in range(64)]
    never = [
        move
        for move in moves
        if move.origin != move.target and umpire.judge(truth, side, move).verdict is not Verdict.MOVED
    ]
    return Tries(tuple(random.Random(1).sample(never, most)))
