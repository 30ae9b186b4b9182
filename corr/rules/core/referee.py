"""Umpires chess in which each side sees its own pieces; each variant supplies its differences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import chess

from corr.rules.core.game_setup import CHESS, GameRules
from corr.rules.core.played_move import PlayedMove
from corr.rules.core.sights import LossFilter, show_loss_kinds, sights_after_end
from corr.rules.core.slip_delivery import News, answer_in_turn, rule_for_both
from corr.rules.core.umpire import NOTHING_REMEMBERED, Ruling, Truth, Umpire
from corr.words.board import Side
from corr.words.orders import Order, Step
from corr.words.slips import Fact, Outcome, Sight, Verdict
from corr.words.view import Card


@dataclass(frozen=True, slots=True)
class Referee(Umpire[Truth]):
    """One variant: its card, its answers to orders, which steps are vain, and its news of a position."""

    card: Card
    answer: Callable[[Truth, Side, Order], Ruling[Truth]]
    vain: Callable[[Truth, Step], bool]
    news: Callable[[PlayedMove], News]
    shown: LossFilter = show_loss_kinds
    kit: GameRules = CHESS

    def start(self, fen: str | None = None) -> Ruling[Truth]:
        return self.begin(self.kit.lay(fen, self.shown))

    def begin(self, played: PlayedMove) -> Ruling[Truth]:
        news, outcome = self.news(played)
        return rule_for_both(played.truth, Verdict.TOLD, news, news, outcome)

    def judge(self, truth: Truth, side: Side, order: Order) -> Ruling[Truth]:
        return answer_in_turn(self.answer, truth, side, order)

    def is_vain(self, truth: Truth, step: Step) -> bool:
        return self.vain(truth, step)

    def end(self, truth: Truth, fact: Fact, outcome: Outcome) -> Ruling[Truth]:
        """End the game, and show both sides the whole board."""
        sights = sights_after_end(truth.board, truth.lost, truth.reserves)
        last = truth._replace(sights=sights, over=True, memo=NOTHING_REMEMBERED)
        return rule_for_both(last, Verdict.TOLD, (fact,), (fact,), outcome)

    def can_mate(self, truth: Truth, side: Side) -> bool:
        return self.kit.can_mate(truth, side)

    def options(self, sight: Sight) -> tuple[str, ...]:
        return self.kit.options(sight)

    def legal(self, board: chess.Board) -> tuple[str, ...]:
        return self.kit.legal(board)

    def fen(self, truth: Truth) -> str:
        return self.kit.fen(truth)

    def pack(self, truth: Truth) -> bytes:
        return self.kit.pack(truth)

    def restore(self, data: bytes) -> Truth:
        return self.kit.restore(data, self.shown)
