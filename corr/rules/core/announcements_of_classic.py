"""Defines the announcements of Classic, Welbeck and Assassin, as facts made once. Both sides hear every word."""

from __future__ import annotations

from functools import cache, lru_cache

import chess

from corr.rules.core import announcements
from corr.rules.core.announcements import Facts
from corr.rules.core.any_question import word_refusals
from corr.rules.core.played_move import PlayedMove
from corr.rules.core.slip_delivery import News, announce_check, announce_next, rule_moved
from corr.rules.core.try_lists import LIST_RULES, REFUSAL_RULES
from corr.rules.core.umpire import Ruling, Truth
from corr.words.board import SQUARES, Side
from corr.words.codes import Common
from corr.words.slips import Fact

# ---------------------------------------------------------------- the words of the cards

QUESTION = (
    'Once a turn, before you move, you can ask "any?": can one of my pawns capture '
    'something? You both hear the question and the answer, "No" or "Try!". After "Try!" '
    "you must try a pawn capture next. When one has failed, you can write what you like."
)

REFUSALS = (
    "If only the other side's pieces or a check prevent a move, the umpire says \"White attempted an illegal "
    'move". If you could know that it\'s impossible, such as a pawn capture after "No", the umpire says '
    '"White: Impossible". Your opponent hears which of the two it was, but never the move.'
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
        'below it; the umpire tries what the answer leaves possible. With "any? yes: '
        'e4d5, e4f5 / no: g1f3" you write what to try after each answer.'
    ),
)

#: Orders without a square.
BUTTON_ORDERS = ("any?",)

# ---------------------------------------------------------------- facts


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
    return Fact(Common.MOVED, f"{side.called} has moved", (("side", side), ("move", move)))


def announce_move(played: PlayedMove, side: Side, landed: int) -> Facts:
    taken = played.taken
    captured = (_capture(side, landed, en_passant=landed != taken.square),) if taken else ()
    return (*captured, *announce_check(played, CHECK))


def announce_first_position(played: PlayedMove) -> News:
    return announce_next(played, announce_check(played, CHECK))


def rule_move(_before: Truth, played: PlayedMove, side: Side, move: chess.Move) -> Ruling[Truth]:
    """Deliver a move: only its side is told which, and both get the news of it."""
    own = moved_fact(side, move.uci())
    news = announce_next(played, announce_move(played, side, move.to_square))
    return rule_moved(played.truth, side, (own,), moved_fact(side, None), *news)


@cache
def _capture(side: Side, square: int, *, en_passant: bool) -> Fact:
    """Announce a capture by its square, en passant by the landing square; never by the pieces."""
    how = "taken en-passant" if en_passant else "captured"
    data = (("side", side), ("square", SQUARES[square]), ("en_passant", en_passant))
    return Fact(Common.CAPTURE, f"{side.called} has {how} on {SQUARES[square]}", data)
