"""Umpires chess in which each side sees its own pieces; each variant supplies its differences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import chess

from corr.rules.core import announcements
from corr.rules.core.announcements import News
from corr.rules.core.game_setup import CHESS, GameRules
from corr.rules.core.played_move import PlayedMove
from corr.rules.core.sights import LossFilter, show_loss_kinds
from corr.rules.core.slip_delivery import rule_end, rule_for_both, rule_for_one, rule_unreadable
from corr.rules.core.umpire import SIDES, Ruling, Truth
from corr.words.board import Side
from corr.words.errors import Refused
from corr.words.orders import Order, Step
from corr.words.slips import Outcome, Sight, Verdict
from corr.words.view import Card


@dataclass(frozen=True, slots=True)
class Referee:
    """One variant: its card, its answers to orders, which steps are vain, and its news of a position."""

    card: Card
    answer: Callable[[Truth, Side, Order], Ruling[Truth]]
    vain: Callable[[Truth, Step], bool]
    news: Callable[[PlayedMove], News]
    shown: LossFilter = show_loss_kinds
    kit: GameRules = CHESS

    def start(self, fen: str | None = None) -> Ruling[Truth]:
        """Set up the pieces; both sides hear whose move it is."""
        return self.begin(self.kit.lay(fen, self.shown))

    def begin(self, played: PlayedMove) -> Ruling[Truth]:
        """Tell both sides of the first position."""
        news, outcome = self.news(played)
        return rule_for_both(played.truth, Verdict.TOLD, news, news, outcome)

    def judge(self, truth: Truth, side: Side, order: Order) -> Ruling[Truth]:
        """Answer the side to move; orders out of turn or after the end are no attempts."""
        if truth.over:
            return rule_for_one(truth, side, Verdict.OVER, announcements.OVER)
        if side is not SIDES[truth.board.turn]:
            return rule_unreadable(truth, side, f"It is {side.other.called}'s turn.")
        try:
            return self.answer(truth, side, order)
        except Refused as puzzle:
            return rule_unreadable(truth, side, str(puzzle))

    def is_vain(self, truth: Truth, step: Step) -> bool:
        """Whether the side to move could know that a step is impossible; Refused if it is no move."""
        return self.vain(truth, step)

    def resigned(self, truth: Truth, side: Side) -> Ruling[Truth]:
        """End the game with a win for the opponent."""
        return rule_end(truth, announcements.resignation_fact(side), Outcome(side.other, "resignation"))

    def agreed(self, truth: Truth) -> Ruling[Truth]:
        """End the game as a draw."""
        return rule_end(truth, announcements.end_fact("agreement", None), Outcome(None, "agreement"))

    def flagged(self, truth: Truth, side: Side) -> Ruling[Truth]:
        """End the game with a win for the opponent, unless it lacks the material to mate."""
        draw = not self.kit.can_mate(truth, side.other)
        winner = None if draw else side.other
        return rule_end(truth, announcements.time_fact(side, draw=draw), Outcome(winner, "time"))

    def abandoned(self, truth: Truth, side: Side) -> Ruling[Truth]:
        """End the game without result, since a side has left it."""
        return rule_end(truth, announcements.abandoned_fact(side), Outcome(None, "void"))

    def left(self, truth: Truth, side: Side) -> Ruling[Truth]:
        """End the game with a win for the opponent, since the side has left the event."""
        return rule_end(truth, announcements.left_event_fact(side), Outcome(side.other, "resignation"))

    def adjudicated(self, truth: Truth, outcome: Outcome) -> Ruling[Truth]:
        """End the game as an admin has decided."""
        return rule_end(truth, announcements.adjudication_fact(outcome), outcome)

    def options(self, sight: Sight) -> tuple[str, ...]:
        """Return every move that the side's own pieces allow, possible or not."""
        return self.kit.options(sight)

    def legal(self, board: chess.Board) -> tuple[str, ...]:
        """Return every legal move on this board, a secret until the end of the game."""
        return self.kit.legal(board)

    def turn(self, truth: Truth) -> Side | None:
        """Return whose turn it is; None after the end."""
        return None if truth.over else SIDES[truth.board.turn]

    def plies(self, truth: Truth) -> int:
        """Return how many moves both sides have made, counted from move one."""
        return truth.board.ply()

    def fen(self, truth: Truth) -> str:
        """Return the whole position as FEN, a secret until the end of the game."""
        return self.kit.fen(truth)

    def pack(self, truth: Truth) -> bytes:
        """Pack a snapshot that `restore` can read in any process."""
        return self.kit.pack(truth)

    def restore(self, data: bytes) -> Truth:
        """Restore a snapshot, in time that does not grow with the game."""
        return self.kit.restore(data, self.shown)
