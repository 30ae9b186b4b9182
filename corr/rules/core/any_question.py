"""Umpires variants with the question "any?", in which both sides hear refusals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import chess

from corr.rules.core import turn_memory
from corr.rules.core.impossible_moves import is_pawn_capture_step
from corr.rules.core.played_move import PlayedMove
from corr.rules.core.slip_delivery import rule_aloud
from corr.rules.core.umpire import Ruling, Truth
from corr.words.board import Side
from corr.words.orders import Ask, Order, Step
from corr.words.slips import Fact, Verdict


class RefusalFacts(NamedTuple):
    """How an umpire announces an illegal or impossible move, by side, and a question, by side and answer."""

    illegal: Mapping[Side, Fact]
    impossible: Mapping[Side, Fact]
    asked: Mapping[tuple[Side, bool], Fact]


@dataclass(frozen=True, slots=True)
class QuestionUmpire:
    """How one variant parses an order, decides what its player could know to be impossible, and words it."""

    read: Callable[[Truth, Order], chess.Move | None]
    is_barred: Callable[[Truth, chess.Move], bool]  # by what was said in this turn
    is_out_of_pattern: Callable[[Truth, chess.Move], bool]  # by the side's own pieces only: no legal move is
    may_ask: Callable[[Truth], bool]
    play: Callable[[Truth, chess.Move], PlayedMove | None]
    made: Callable[[Truth, PlayedMove, Side, chess.Move], Ruling[Truth]]
    voice: RefusalFacts

    def answer(self, truth: Truth, side: Side, order: Order) -> Ruling[Truth]:
        """Answer the question, make the move, or tell both sides that it is illegal or impossible."""
        if isinstance(order, Ask):
            return self._ask(truth, side)
        return self._try(truth, side, self.read(truth, order))

    def is_vain(self, truth: Truth, step: Step) -> bool:
        """Whether the side to move could know that a step is impossible."""
        move = self.read(truth, step)
        return move is None or self.is_barred(truth, move) or self.is_out_of_pattern(truth, move)

    def _ask(self, truth: Truth, side: Side) -> Ruling[Truth]:
        """Answer the question only; what to try after the answer is an order of its own (`try_lists.py`)."""
        if not self.may_ask(truth):
            return rule_aloud(truth, Verdict.NONSENSE, self.voice.impossible[side])
        answer = truth.tries > 0
        return rule_aloud(
            turn_memory.remember_answer(truth, answer=answer), Verdict.TOLD, self.voice.asked[side, answer]
        )

    def _try(self, truth: Truth, side: Side, move: chess.Move | None) -> Ruling[Truth]:
        if move is None or self.is_barred(truth, move):
            return rule_aloud(truth, Verdict.NONSENSE, self.voice.impossible[side])
        played = self.play(truth, move)
        if played is not None:
            return self.made(truth, played, side, move)
        if self.is_out_of_pattern(truth, move):
            return rule_aloud(truth, Verdict.NONSENSE, self.voice.impossible[side])
        still_bound = truth.memo.bound and not is_pawn_capture_step(truth.board, move)
        return rule_aloud(
            turn_memory.remember_refusal(truth, move, bound=still_bound),
            Verdict.REFUSED,
            self.voice.illegal[side],
        )
