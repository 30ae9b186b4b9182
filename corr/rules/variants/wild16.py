"""Wild 16: only the mover hears refusals; both hear captures, checks, pawn tries (words: `core/announcements.py`)."""

from __future__ import annotations

import chess

from corr.rules.core import announcements, notation
from corr.rules.core.moves import legal_pawn_captures
from corr.rules.core.played_move import PlayedMove, play
from corr.rules.core.referee import Referee
from corr.rules.core.slip_delivery import News, announce_position, rule_for_one, rule_moved
from corr.rules.core.try_lists import LIST_RULES
from corr.rules.core.umpire import Ruling, Truth
from corr.words.board import Side
from corr.words.errors import Refused
from corr.words.orders import Order, PawnTry, Step
from corr.words.slips import Verdict
from corr.words.view import ConditionTopic, VariantInfo

CARD = VariantInfo(
    key="wild16",
    name="Wild 16",
    summary=(
        "Kriegspiel as played on the Internet Chess Club: you see only your own pieces. If "
        "you try an impossible move, the umpire tells only you, and you can try another."
    ),
    announcements=(
        (
            'Before each turn you both hear whose move it is, "White\'s move" or "Black\'s '
            'move", and how many captures that side\'s pawns could make, such as "2 pawn '
            "tries\". You don't have to make one."
        ),
        announcements.ABOUT_CAPTURES,
        announcements.ABOUT_CHECKS,
        (
            'The umpire answers every impossible move with "Illegal move", whatever the reason, '
            "and only you hear it. The umpire doesn't announce castling or promotion."
        ),
        (
            "The game ends as in chess. The umpire declares mate, stalemate, threefold repetition, fifty moves "
            "without a pawn move or capture, and insufficient material. If you run out of time you lose, "
            "unless the other side couldn't mate."
        ),
    ),
    words=(
        f"{LIST_RULES} Only you hear of a refusal, so a list costs you nothing.",
        (
            'If the umpire counts exactly one pawn try, "px" makes that capture, even if you don\'t know '
            'which it is. "px=N" promotes the pawn to a knight if it reaches the last rank.'
        ),
    ),
    example=(
        "White's move. 1 pawn tries.",
        "You write e4f5 and hear: Illegal move.",
        "You write e4d5 and hear: Pawn at d5 captured.",
        "Your opponent hears of the capture, but not of e4f5.",
    ),
    refused="A refused try costs nothing, and only you hear of it.",
    chess="Standard",
    presses=("px",),
    told=tuple(ConditionTopic),
)

_NOTATION_HELP = "In Wild 16, write moves such as e2e4, e7e8=N, o-o and o-o-o, and px for the one pawn try."


def _answer(truth: Truth, side: Side, order: Order) -> Ruling[Truth]:
    """Make the move, or refuse it to the mover only."""
    move = _read_move(truth, order)
    played = None if move is None else play(truth, move)
    if move is None or played is None:
        return rule_for_one(truth, side, Verdict.REFUSED, announcements.ILLEGAL)
    own = announcements.moved_fact(side, move.uci())
    return rule_moved(played.truth, side, (own,), announcements.moved_fact(side, None), *_news(played))


def _read_move(truth: Truth, order: Order) -> chess.Move | None:
    """Return the move that an order means; Refused if it is no move in this variant."""
    if isinstance(order, PawnTry):
        return _find_pawn_capture(truth, order)
    return notation.read(order, truth.board, _NOTATION_HELP)


def _is_knowably_impossible(truth: Truth, step: Step) -> bool:
    """Return False, since a refused move costs nothing here; Refused if it is no move."""
    _read_move(truth, step)
    return False


def _find_pawn_capture(truth: Truth, order: PawnTry) -> chess.Move:
    """Return the only pawn capture; an unneeded promotion letter is ignored, or it would reveal something."""
    chosen = notation.piece(order.promotion)
    if truth.tries != 1:
        raise Refused("px needs exactly one pawn try")
    found = legal_pawn_captures(truth.board)[0]
    return notation.chess_move(found.from_square, found.to_square, chosen if found.promotion else None)


def _news(played: PlayedMove) -> News:
    """Return what both hear: the capture, the check, then the end or the turn and the pawn tries."""
    return announce_position(played, announcements.tries_fact(played.truth.tries))


UMPIRE = Referee(CARD, _answer, _is_knowably_impossible, _news)
