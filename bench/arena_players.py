"""Players for the arena: our own bots, and players by chance or by a rule of thumb."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import Any, Protocol

import chess

from corr.bots.bot import BotPlayer
from corr.bots.history import Observation
from corr.bots.move_scores import is_step, possible_moves
from corr.rules.core.umpire import Umpire
from corr.words.orders import Command, Deploy, Drop, Move, Order, Pass, Sense, Tries


class ArenaPlayer(Protocol):
    """A player at a seat in the arena."""

    def observe(self, heard: Observation) -> None:
        """Take in a slip."""

    def orders(self, *, is_awaited: bool, is_offered: bool) -> tuple[Order, ...]:
        """What it writes at its turn, or when a draw is offered."""

    def leave(self) -> None:
        """Leave the seat, whether the game is over or not."""


class Drawless(ABC):
    """A player that accepts no draw."""

    @abstractmethod
    def write(self) -> Order: ...

    def orders(self, *, is_awaited: bool, is_offered: bool) -> tuple[Order, ...]:
        if is_awaited:
            return (self.write(),)
        return (Command("decline"),) if is_offered else ()

    def leave(self) -> None:  # noqa: B027  # most have nothing to do
        """Nothing is left to do."""


class HousePlayer(BotPlayer):
    """One of our own bots."""

    def leave(self) -> None:
        """Nothing is left to do."""


class AtRandom(Drawless):
    """Tries its pieces' moves in any order; plays every game to its end."""

    def __init__(self, umpire: Umpire[Any], seed: int) -> None:
        self._umpire, self._chance = umpire, Random(seed)
        self._last: Observation | None = None
        self._taken: int | None = None

    def observe(self, heard: Observation) -> None:
        self._last = heard
        if heard.is_opponents_move:
            self._taken = heard.captured

    def write(self) -> Order:
        """Any set-up, any sense, all moves."""
        assert self._last
        sight = self._last.slip.sight
        if not sight.own:
            return Deploy(name=self._chance.choice(self._umpire.card.setups).name)
        if sight.sense_due:
            return Sense(self._chance.randrange(64))
        wishes = possible_moves(self._umpire, sight)
        self._chance.shuffle(wishes)
        wishes.sort(key=self._merit, reverse=True)
        return Tries(tuple(filter(is_step, wishes))) if self._umpire.card.lists else wishes[0]

    def _merit(self, _order: Move | Drop | Pass) -> tuple[bool, bool, int]:
        return (False, False, 0)


class ByRule(AtRandom):
    """Recaptures, promotes, or else makes its longest move."""

    def _merit(self, order: Move | Drop | Pass) -> tuple[bool, bool, int]:
        if not isinstance(order, Move):
            return (False, False, 0)
        length = chess.square_distance(order.origin, order.target)
        return (order.target == self._taken, order.promotion is not None, length)


SIMPLE = {"random": AtRandom, "heuristics": ByRule}
