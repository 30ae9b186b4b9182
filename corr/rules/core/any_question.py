"""Umpires variants with the question "any?", in which both sides hear refusals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import chess

from corr.rules.core import notation, turn_memory
from corr.rules.core.impossible_moves import is_out_of_pattern, is_pawn_capture_step, is_ruled_out, may_ask
from corr.rules.core.played_move import PlayedMove
from corr.rules.core.slip_delivery import rule_aloud
from corr.rules.core.umpire import Ruling, Truth
from corr.words.board import Side
from corr.words.codes import Common
from corr.words.orders import Ask, Order, Step
from corr.words.slips import Fact, Verdict


class RefusalFacts(NamedTuple):
    """How an umpire announces an illegal or impossible move, by side, and a question, by side and answer."""

    illegal: Mapping[Side, Fact]
    impossible: Mapping[Side, Fact]
    asked: Mapping[tuple[Side, bool], Fact]


def word_refusals(illegal: str, impossible: str, no: str, yes: str) -> RefusalFacts:
    """Return these facts, from what is said after the side's name."""

    def by_side(code: Common, words: str) -> dict[Side, Fact]:
        return {side: Fact(code, side.called + words, (("side", side),)) for side in Side}

    asked = {
        (side, answer): Fact(Common.ANY, side.called + words, (("side", side), ("answer", answer)))
        for side in Side
        for answer, words in ((False, no), (True, yes))
    }
    return RefusalFacts(by_side(Common.ILLEGAL, illegal), by_side(Common.IMPOSSIBLE, impossible), asked)


@dataclass(frozen=True, slots=True)
class QuestionUmpire:
    """How one variant parses an order, decides what its player could know to be impossible, and words it."""

    moves_known: str
    voice: RefusalFacts
    play: Callable[[Truth, chess.Move], PlayedMove | None]
    made: Callable[[Truth, PlayedMove, Side, chess.Move], Ruling[Truth]]
    is_barred: Callable[[Truth, chess.Move], bool] = is_ruled_out  # by what was said in this turn
    #: By the side's own pieces only: no legal move is.
    is_out_of_pattern: Callable[[chess.Board, chess.Move], bool] = is_out_of_pattern
    may_ask: Callable[[Truth], bool] = may_ask
    parse: Callable[[Order, chess.Board, str], chess.Move | None] = notation.read

    def answer(self, truth: Truth, side: Side, order: Order) -> Ruling[Truth]:
        """Answer the question, make the move, or tell both sides that it is illegal or impossible."""
        if isinstance(order, Ask):
            return self._ask(truth, side)
        return self._try(truth, side, self.parse(order, truth.board, self.moves_known))

    def is_vain(self, truth: Truth, step: Step) -> bool:
        move = self.parse(step, truth.board, self.moves_known)
        return move is None or self.is_barred(truth, move) or self.is_out_of_pattern(truth.board, move)

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
        if self.is_out_of_pattern(truth.board, move):
            return rule_aloud(truth, Verdict.NONSENSE, self.voice.impossible[side])
        still_bound = truth.memo.bound and not is_pawn_capture_step(truth.board, move)
        return rule_aloud(
            turn_memory.remember_refusal(truth, move, bound=still_bound),
            Verdict.REFUSED,
            self.voice.illegal[side],
        )
