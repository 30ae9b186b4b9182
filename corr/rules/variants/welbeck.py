"""Welbeck: Classic's umpire over secretly deployed pieces; a pawn never moves two squares."""

from __future__ import annotations

import chess

from corr.rules.core import any_question as said
from corr.rules.core.any_question import QuestionUmpire
from corr.rules.core.deployed_play import DeployedReferee, DeployedRules, PieceMovement
from corr.rules.core.deployment import DeploymentUmpire
from corr.rules.core.impossible_moves import is_impossible_by_own_pieces
from corr.rules.core.setups import DEPLOY_HELP, DEPLOYMENT, SETUPS
from corr.rules.core.umpire import WHITE, Truth
from corr.words.board import Side
from corr.words.view import VariantInfo

CARD = VariantInfo(
    key="welbeck",
    name="Welbeck",
    summary=(
        "A form of Kriegspiel by Hubert Phillips, in which both players first set up their pieces in secret, "
        "as they like, on their own four ranks. Then the umpire tells each player where the other's king is, "
        "and the game begins. You see only your own pieces, and both players hear every word the umpire says."
    ),
    announcements=(
        *DEPLOYMENT,
        (
            "A pawn only ever steps one square, so there is no en passant. You can castle "
            "if you deployed king and rook on their usual squares."
        ),
        (
            'The umpire announces a move as "White has moved", and a capture with its square, "White has '
            'captured on d3". A check comes with its direction: "Check on the row", "on the column", "on the '
            'large diagonal", "on the small diagonal" or "by a knight". The king\'s large diagonal is the '
            "one with more squares."
        ),
        said.QUESTION,
        said.REFUSALS,
        said.ENDS,
    ),
    words=(DEPLOY_HELP, *said.WORDS),
    refused=f"A pawn steps one square at a time. {said.REFUSED}",
    men="A pawn steps one square at a time, even on its first move.",
    presses=said.BUTTON_ORDERS,
    lines=said.CHECK_DIRECTIONS,
    example=(
        "You write deploy corner, and you both hear: White has deployed.",
        "Black deploys too, and you hear: Black's king stands on g7. White's move.",
        "You write d3d4, and you both hear: White has moved.",
    ),
    setups=SETUPS,
)

_TWO_ROWS = 16
_NOTATION_HELP = 'In Welbeck, write moves such as e2e3, e7e8=N, o-o and o-o-o, and the question "any?".'


def _find_end(board: chess.Board, checkers: int, stuck: bool) -> str | None:  # noqa: FBT001  # `EndFinder` passes it so
    """Return how the game ends here; None if it goes on. `stuck` means no legal move."""
    if stuck:
        return "checkmate" if checkers else "stalemate"
    return "material" if board.is_insufficient_material() else None


def _can_mate(truth: Truth, side: Side) -> bool:
    return not truth.board.has_insufficient_material(side is WHITE)


_FIELD = DeployedRules(PieceMovement(spies=False, doubles=False), _find_end, _can_mate)


def _is_impossible_by_own_pieces(board: chess.Board, move: chess.Move) -> bool:
    """Whether own pieces alone show that a move is impossible, or it moves a pawn two squares."""
    is_pawn_move = board.pawns >> move.from_square & 1 == 1
    is_double_step = is_pawn_move and abs(move.to_square - move.from_square) == _TWO_ROWS
    return is_double_step or is_impossible_by_own_pieces(board, move)


_ASKING = QuestionUmpire(
    _NOTATION_HELP,
    said.REFUSAL_FACTS,
    _FIELD.play,
    said.rule_move,
    is_impossible_by_own_pieces=_is_impossible_by_own_pieces,
)
UMPIRE = DeploymentUmpire(
    CARD,
    DeployedReferee(
        CARD, _ASKING.answer, _ASKING.is_knowably_impossible, said.announce_first_position, field=_FIELD
    ),
)
