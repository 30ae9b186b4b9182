"""Umpires chess variants in which each side sees only its own pieces; each supplies what differs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import chess

from corr.rules.core import setups, snapshot
from corr.rules.core.notation import possible_tries
from corr.rules.core.played_move import PlayedMove, play_first_position
from corr.rules.core.sights import LossFilter, show_loss_kinds, sights_after_end
from corr.rules.core.slip_delivery import News, answer_in_turn, rule_for_both
from corr.rules.core.umpire import NOTHING_REMEMBERED, WHITE, Ruling, Truth, Umpire
from corr.words.board import Side
from corr.words.orders import Order, Step
from corr.words.slips import Fact, Outcome, Sight, Verdict
from corr.words.view import VariantInfo


@dataclass(frozen=True, slots=True)
class Referee(Umpire[Truth]):
    """The umpire of a variant with the pieces of chess, built from the functions in which variants differ."""

    card: VariantInfo
    answer: Callable[[Truth, Side, Order], Ruling[Truth]]
    knowably_impossible: Callable[[Truth, Step], bool]
    news: Callable[[PlayedMove], News]
    shown: LossFilter = show_loss_kinds

    def start(self, fen: str | None = None) -> Ruling[Truth]:
        return self.begin(play_first_position(setups.parse_fen(fen), self.shown))

    def begin(self, played: PlayedMove) -> Ruling[Truth]:
        """Give both sides their first slip of a position in which the game begins."""
        news, outcome = self.news(played)
        return rule_for_both(played.truth, Verdict.TOLD, news, news, outcome)

    def judge(self, truth: Truth, side: Side, order: Order) -> Ruling[Truth]:
        return answer_in_turn(self.answer, truth, side, order)

    def is_knowably_impossible(self, truth: Truth, step: Step) -> bool:
        return self.knowably_impossible(truth, step)

    def end(self, truth: Truth, fact: Fact, outcome: Outcome) -> Ruling[Truth]:
        """End the game, and show both sides the whole board."""
        sights = sights_after_end(truth.board, truth.lost, truth.reserves)
        last = truth._replace(sights=sights, over=True, memo=NOTHING_REMEMBERED)
        return rule_for_both(last, Verdict.TOLD, (fact,), (fact,), outcome)

    def can_mate(self, truth: Truth, side: Side) -> bool:
        return not truth.board.has_insufficient_material(side is WHITE)

    def possible_tries(self, sight: Sight) -> tuple[str, ...]:
        return possible_tries(sight)

    def legal(self, board: chess.Board) -> tuple[str, ...]:
        """Return every legal move except captures of the king, which an unusual first position may allow."""
        return tuple(move.uci() for move in board.legal_moves if not board.kings >> move.to_square & 1)

    def fen(self, truth: Truth) -> str:
        return truth.board.fen()

    def pack(self, truth: Truth) -> bytes:
        return snapshot.pack(truth)

    def restore(self, data: bytes) -> Truth:
        return snapshot.restore(data, self.shown)
