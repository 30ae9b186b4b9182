"""Plays one game of two arena players, who write what they would write to a server."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from bench.arena_players import ArenaPlayer
from corr.bots.history import Observation
from corr.game import resign_and_draw
from corr.rules.core.try_lists import try_one_by_one
from corr.rules.core.umpire import Umpire
from corr.words.board import Side
from corr.words.orders import Command, Order
from corr.words.slips import Verdict

#: After this many half-moves, or requests for orders, a game is too long.
_PLIES, _ASKED = 400, 1600


@dataclass
class Played:
    """A game's result for one of its players."""

    ending: str = ""
    points: float = 0.5
    plies: int = 0
    moves: int = 0
    cpu: float = 0.0


class SingleGame:
    """A game while it is played."""

    def __init__(self, umpire: Umpire[Any], sitters: dict[Side, ArenaPlayer], counted: Side) -> None:
        self.umpire, self.sitters, self.counted = umpire, sitters, counted
        self.played = Played()
        self.truth: Any = None
        self._match = resign_and_draw.DrawOffer()

    def play(self) -> Played:
        """Play it to its end, unless it becomes too long."""
        asked = 0
        try:
            self._hand(self.umpire.start(), None, None)
            while not self.played.ending and self.played.plies < _PLIES and asked < _ASKED:
                turn = self.umpire.turn(self.truth)
                for side in [turn] if turn else Side:
                    asked += 1
                    for order in self._written(side):
                        self._put(side, order)
        finally:
            for sitter in self.sitters.values():
                sitter.leave()
        self.played.ending = self.played.ending or "too long"
        return self.played

    def _written(self, side: Side) -> tuple[Order, ...]:
        since = time.process_time()
        orders = self.sitters[side].orders(is_awaited=True, is_offered=self._match.offer is side.other)
        self._count(side, since)
        return orders

    def _put(self, side: Side, order: Order) -> None:
        if isinstance(order, Command):
            self._say(side, order.word)
            return
        for step, ruling in try_one_by_one(self.umpire, self.truth, side, order):
            self._hand(ruling, side, step)
            if ruling.verdict is Verdict.MOVED:
                self._match = resign_and_draw.after_move(self._match, side)
                self.played.moves += side is self.counted

    def _say(self, side: Side, word: str) -> None:
        reply = resign_and_draw.answer_word(self._match, side, word, self.played.plies, sure=True)
        self._match = reply.draw_offer
        if reply.ended == "resignation":
            self._hand(self.umpire.resigned(self.truth, side), None, None)
        elif reply.ended:
            self._hand(self.umpire.agreed(self.truth), None, None)

    def _hand(self, ruling: Any, by: Side | None, order: Order | None) -> None:
        self.truth = ruling.truth
        self.played.plies = self.umpire.plies(self.truth)
        for side in Side:
            slip = ruling.slips[side]
            if slip is not None:
                since = time.process_time()
                self.sitters[side].observe(Observation(slip, order if side is by else None))
                self._count(side, since)
        if ruling.outcome is not None:
            winner = ruling.outcome.winner
            self.played.ending = ruling.outcome.reason
            self.played.points = 0.5 if winner is None else float(winner is self.counted)

    def _count(self, side: Side, since: float) -> None:
        if side is self.counted:
            self.played.cpu += time.process_time() - since
