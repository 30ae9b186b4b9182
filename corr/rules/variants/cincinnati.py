"""Cincinnati: all that the umpire says is heard by both, a refusal and a nonsense too."""

from __future__ import annotations

import chess

from corr.rules.core import announcements, memo, notation
from corr.rules.core.announcements import News
from corr.rules.core.handing import aloud, moved
from corr.rules.core.nonsense import is_out_of_pattern, is_pawn_diagonal
from corr.rules.core.play import Played, play
from corr.rules.core.referee import Referee
from corr.rules.core.trying import HEARD, LIST
from corr.rules.core.umpire import Ruling, Truth
from corr.words.board import Side
from corr.words.orders import Order, Step
from corr.words.slips import Verdict
from corr.words.view import Card

CARD = Card(
    key="cincinnati",
    name="Cincinnati",
    summary=(
        "Kriegspiel as it is played in Cincinnati: chess in which you see your own men only, and in which both "
        "players hear every word of the umpire. A move that cannot be made is refused aloud, and never counts as "
        "your move."
    ),
    announcements=(
        (
            'Before each turn both are told whose it is, "White\'s move" or "Black\'s move", and "Pawn capture" if a '
            "pawn of that side can capture something. You need not do it. Nothing is said if no pawn can."
        ),
        (
            'A capture is told with its square, "Pawn at d5 captured" or "Piece at d5 captured", and nothing finer. '
            "A pawn taken en passant is told on the square where it stood."
        ),
        (
            'A check is told with its kind: "Rank check", "File check", "Long-diagonal check", "Short-diagonal check" '
            'or "Knight check". Of the two diagonals through the king, the long one has more squares.'
        ),
        (
            'A move that is not possible is answered "Illegal" if only your opponent\'s men or a check prevent it, and '
            '"Nonsense" if you could know it from your own men and from what was said: a move that its man never '
            'makes, one that was refused before in the same turn, a pawn\'s capture when no "Pawn capture" was said. '
            "Your opponent hears which of the two it was, never the move."
        ),
        (
            "Castling and promotion are not told. The game ends as chess does. The umpire declares mate, stalemate, a "
            "third repetition, fifty moves without a pawn move or capture, and too little material; whoever runs out "
            "of time loses, unless the other side could not mate."
        ),
    ),
    words=(f"{LIST} {HEARD}",),
    example=(
        "White's move. Pawn capture.",
        "You write e4f5, and both of you are told: Illegal.",
        "You write e4d5, and both of you are told: Pawn at d5 captured.",
        "Your opponent does not learn that e4f5 was what you tried.",
    ),
    refused='Your opponent hears each refusal, "Illegal" or "Nonsense", and never the move.',
    chess="Standard",
)


_KNOWN = "Cincinnati knows moves such as e2e4, e7e8=N, o-o and o-o-o."


def _answer(truth: Truth, side: Side, order: Order) -> Ruling[Truth]:
    """Make the move, or say to both that it is illegal or nonsense."""
    move = notation.read(order, truth.board, _KNOWN)
    played = None if move is None else play(truth, move)
    if move is not None and played is not None:
        own = announcements.moved(side, move.from_square, move.to_square, move.promotion)
        return moved(played, side, own, announcements.MOVED[side], _news(played))
    if move is None or _turns_down(truth, move):
        return aloud(truth, Verdict.NONSENSE, announcements.NONSENSE_OF[side])
    return aloud(memo.refused(truth, move, bound=False), Verdict.REFUSED, announcements.ILLEGAL_OF[side])


def _is_vain(truth: Truth, step: Step) -> bool:
    move = notation.read(step, truth.board, _KNOWN)
    return move is None or _turns_down(truth, move)


def _turns_down(truth: Truth, move: chess.Move) -> bool:
    """G6 a to g: what this side could know from its own men, and from what was said in this turn."""
    unannounced = not truth.tries and is_pawn_diagonal(truth.board, move)
    return unannounced or memo.is_known(truth, move) or is_out_of_pattern(truth.board, move)


def _news(played: Played) -> News:
    """What both hear: the capture, the check, then the end or else whose turn it is and whether a pawn can capture."""
    return announcements.news(played, *((announcements.PAWN_CAPTURE,) if played.truth.tries else ()))


UMPIRE = Referee(CARD, _answer, _is_vain, _news)
