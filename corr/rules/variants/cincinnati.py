"""Cincinnati: both sides hear all that the umpire says, including "Illegal" and "Nonsense"."""

from __future__ import annotations

import chess

from corr.rules.core import announcements, impossible_moves, notation
from corr.rules.core.impossible_moves import is_impossible_by_own_pieces, is_pawn_capture_step
from corr.rules.core.played_move import PlayedMove, play
from corr.rules.core.referee import Referee
from corr.rules.core.slip_delivery import News, announce_position, rule_aloud, rule_moved
from corr.rules.core.try_lists import LIST_RULES, REFUSAL_RULES
from corr.rules.core.umpire import Ruling, Truth
from corr.words.board import Side
from corr.words.orders import Order, Step
from corr.words.slips import Verdict
from corr.words.view import VariantInfo

CARD = VariantInfo(
    key="cincinnati",
    name="Cincinnati",
    says_if_pawns_capture=True,
    summary=(
        "Kriegspiel as played in Cincinnati: you see only your own pieces, and both players hear every word "
        "the umpire says. The umpire refuses an impossible move aloud, and it never counts as your move."
    ),
    announcements=(
        (
            'Before each turn you both hear whose move it is, "White\'s move" or "Black\'s '
            'move", and "Pawn capture possible" if one of that side\'s pawns can capture something. You don\'t have to '
            "capture. If no pawn can capture, the umpire says nothing about it."
        ),
        announcements.ABOUT_CAPTURES,
        announcements.ABOUT_CHECKS,
        (
            "If a move fails only because of a check or because of where the enemy pieces are, the umpire says "
            '"Illegal". If you could have ruled it out yourself, the umpire says "Nonsense". Examples are a move the '
            "piece can never make, one already refused in the same turn, and a pawn capture when none was announced. "
            "Your opponent hears which of the two it was, but never the move."
        ),
        (
            "The umpire doesn't announce castling or promotion. The game ends as in chess. The umpire "
            "declares mate, stalemate, threefold repetition, fifty moves without a pawn move or capture, and "
            "insufficient material. If you run out of time you lose, unless the other side couldn't mate."
        ),
    ),
    words=(f"{LIST_RULES} {REFUSAL_RULES}",),
    example=(
        "White's move. Pawn capture.",
        "You write e4f5, and you both hear: Illegal.",
        "You write e4d5, and you both hear: Pawn at d5 captured.",
        "Your opponent doesn't learn that you tried e4f5.",
    ),
    refused='Your opponent hears each refusal, "Illegal" or "Nonsense", but never the move.',
    chess="Standard",
)

_NOTATION_HELP = (
    'In Cincinnati, write moves such as e2e4, e7e8=N, o-o and o-o-o. There is no "any?" question.'
)


def _answer(truth: Truth, side: Side, order: Order) -> Ruling[Truth]:
    """Make the move, or tell both sides that it is illegal or nonsense."""
    move = notation.read(order, truth.board, _NOTATION_HELP)
    played = None if move is None else play(truth, move)
    if move is not None and played is not None:
        own = announcements.moved_fact(side, move.uci())
        return rule_moved(
            played.truth, side, (own,), announcements.moved_fact(side, None), *_list_news(played)
        )
    if move is None or _is_impossible(truth, move):
        return rule_aloud(truth, Verdict.NONSENSE, announcements.NONSENSE_OF[side])
    return rule_aloud(
        impossible_moves.remember_refusal(truth, move, bound=False),
        Verdict.REFUSED,
        announcements.ILLEGAL_OF[side],
    )


def _is_knowably_impossible(truth: Truth, step: Step) -> bool:
    """Whether the player could see that this move is impossible, so that lists skip it."""
    move = notation.read(step, truth.board, _NOTATION_HELP)
    return move is None or _is_impossible(truth, move)


def _is_impossible(truth: Truth, move: chess.Move) -> bool:
    """Whether own pieces and this turn's words show that a move is impossible (ruling G6, a to g)."""
    unannounced = not truth.tries and is_pawn_capture_step(truth.board, move)
    return (
        unannounced
        or impossible_moves.is_already_refused(truth, move)
        or is_impossible_by_own_pieces(truth.board, move)
    )


def _list_news(played: PlayedMove) -> News:
    """Return what both hear, including whether a pawn can capture, and the outcome if any."""
    return announce_position(played, *([announcements.PAWN_CAPTURE] if played.truth.tries else []))


UMPIRE = Referee(CARD, _answer, _is_knowably_impossible, _list_news)
