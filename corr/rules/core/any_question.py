"""Umpires variants with the question "any?" (can a pawn capture?) and public refusals, and words their moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

import chess

from corr.rules.core import announcements, impossible_moves, notation
from corr.rules.core.announcements import Facts
from corr.rules.core.impossible_moves import (
    is_impossible_by_own_pieces,
    is_pawn_capture_step,
    is_ruled_out,
    may_ask,
)
from corr.rules.core.played_move import PlayedMove
from corr.rules.core.slip_delivery import News, announce_check, announce_next, rule_aloud, rule_moved
from corr.rules.core.try_lists import LIST_RULES, REFUSAL_RULES
from corr.rules.core.umpire import Ruling, Truth
from corr.words.board import SQUARES, Side
from corr.words.codes import Common
from corr.words.orders import Ask, Order, Step
from corr.words.slips import Fact, Verdict


class RefusalFacts(NamedTuple):
    """How an umpire announces an illegal or impossible move, by side, and a question, by side and answer."""

    illegal: Mapping[Side, Fact]
    impossible: Mapping[Side, Fact]
    asked: Mapping[tuple[Side, bool], Fact]


def word_refusals(illegal: str, impossible: str, no: str, yes: str) -> RefusalFacts:
    """Make a variant's refusals and answers from the words said after the side's name."""

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
    """How one variant parses an order, decides what its player could see is impossible, and words it."""

    moves_known: str
    voice: RefusalFacts
    play: Callable[[Truth, chess.Move], PlayedMove | None]
    made: Callable[[Truth, PlayedMove, Side, chess.Move], Ruling[Truth]]
    is_barred: Callable[[Truth, chess.Move], bool] = is_ruled_out  # by what was said in this turn
    #: By the side's own pieces only: no legal move is.
    is_impossible_by_own_pieces: Callable[[chess.Board, chess.Move], bool] = is_impossible_by_own_pieces
    may_ask: Callable[[Truth], bool] = may_ask
    parse: Callable[[Order, chess.Board, str], chess.Move | None] = notation.read

    def answer(self, truth: Truth, side: Side, order: Order) -> Ruling[Truth]:
        """Answer "any?", make the move, or tell both sides that it is illegal or impossible."""
        if isinstance(order, Ask):
            return self._ask(truth, side)
        return self._try(truth, side, self.parse(order, truth.board, self.moves_known))

    def is_knowably_impossible(self, truth: Truth, step: Step) -> bool:
        """Whether the player could see that this move is impossible, so that lists skip it."""
        move = self.parse(step, truth.board, self.moves_known)
        return (
            move is None or self.is_barred(truth, move) or self.is_impossible_by_own_pieces(truth.board, move)
        )

    def _ask(self, truth: Truth, side: Side) -> Ruling[Truth]:
        """Answer "any?" to both sides; moves written after it are judged separately (`try_lists.py`)."""
        if not self.may_ask(truth):
            return rule_aloud(truth, Verdict.NONSENSE, self.voice.impossible[side])
        answer = truth.tries > 0
        return rule_aloud(
            impossible_moves.remember_answer(truth, answer=answer),
            Verdict.TOLD,
            self.voice.asked[side, answer],
        )

    def _try(self, truth: Truth, side: Side, move: chess.Move | None) -> Ruling[Truth]:
        """Make a move, or tell both sides that it is illegal or impossible."""
        if move is None or self.is_barred(truth, move):
            return rule_aloud(truth, Verdict.NONSENSE, self.voice.impossible[side])
        played = self.play(truth, move)
        if played is not None:
            return self.made(truth, played, side, move)
        if self.is_impossible_by_own_pieces(truth.board, move):
            return rule_aloud(truth, Verdict.NONSENSE, self.voice.impossible[side])
        still_bound = truth.memo.bound and not is_pawn_capture_step(truth.board, move)
        return rule_aloud(
            impossible_moves.remember_refusal(truth, move, bound=still_bound),
            Verdict.REFUSED,
            self.voice.illegal[side],
        )


QUESTION = (
    'Once a turn, before you move, you can ask "any?": can any of my pawns capture '
    'something? You both hear the question and the answer, "No" or "Try!". After "Try!" '
    "you must try a pawn capture next. Once a capture has failed, you can try any move."
)

REFUSALS = (
    "If a move fails only because of a check or because of where the enemy pieces are, the umpire says "
    '"White attempted an illegal move". If you could have ruled it out yourself, as with a pawn capture after '
    '"No", the umpire says "White: Impossible". Your opponent hears which of the two it was, but never the move.'
)

REFUSED = "Your opponent hears each refusal and its type, never the move."

ENDS = (
    "The umpire doesn't announce castling or promotion. The game ends as in chess. The umpire declares mate, "
    "stalemate, threefold repetition, fifty moves without a pawn move or capture, and insufficient material. "
    "If you run out of time you lose, unless the other side couldn't mate."
)

WORDS = (
    f"{LIST_RULES} {REFUSAL_RULES}",
    (
        '"any?" asks about pawn captures. You can write a move or a list on the line '
        'below it; the umpire skips what the answer rules out. With "any? yes: '
        'e4d5, e4f5 / no: g1f3" you say what to try after each answer.'
    ),
)

BUTTON_ORDERS = ("any?",)  # orders without a square

REFUSAL_FACTS = word_refusals(
    " attempted an illegal move", ": Impossible", " asked Any?: No", " asked Any?: Try!"
)

CHECK_DIRECTIONS = {
    "rank": "on the row",
    "file": "on the column",
    "long-diagonal": "on the large diagonal",
    "short-diagonal": "on the small diagonal",
    "knight": "by a knight",
}
CHECK = announcements.check_facts(lambda kind: f"Check {CHECK_DIRECTIONS[kind]}")


@lru_cache(maxsize=8192)
def moved_fact(side: Side, move: str | None) -> Fact:
    """Announce that a side has moved; only the mover's copy names the move."""
    return Fact(Common.MOVED, f"{side.called} has moved", (("side", side), ("move", move)))


def announce_move(played: PlayedMove, side: Side, landed: int) -> Facts:
    """Return what both sides hear of a move: a capture and a check."""
    taken = played.taken
    captured = (_capture(side, landed, en_passant=landed != taken.square),) if taken else ()
    return (*captured, *announce_check(played, CHECK))


def announce_first_position(played: PlayedMove) -> News:
    """Return what both sides hear of the position in which the game begins."""
    return announce_next(played, announce_check(played, CHECK))


def rule_move(_before: Truth, played: PlayedMove, side: Side, move: chess.Move) -> Ruling[Truth]:
    """Build the ruling on a legal move: only the mover is told which it was."""
    own = moved_fact(side, move.uci())
    news = announce_next(played, announce_move(played, side, move.to_square))
    return rule_moved(played.truth, side, (own,), moved_fact(side, None), *news)


@cache
def _capture(side: Side, square: int, *, en_passant: bool) -> Fact:
    """Announce a capture by its square, en passant by the landing square; never by the pieces."""
    how = "taken en-passant" if en_passant else "captured"
    data = (("side", side), ("square", SQUARES[square]), ("en_passant", en_passant))
    return Fact(Common.CAPTURE, f"{side.called} has {how} on {SQUARES[square]}", data)
