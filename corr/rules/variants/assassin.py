"""Assassin: secret deployment; only the queen may mate; knights are spies that capture nothing and report."""

from __future__ import annotations

import chess

from corr.rules.core import any_question as said
from corr.rules.core import notation
from corr.rules.core.announcements import Facts
from corr.rules.core.any_question import QuestionUmpire
from corr.rules.core.deployed_play import DeployedReferee, DeployedRules, PieceMovement, contents_around
from corr.rules.core.deployment import DeploymentUmpire
from corr.rules.core.impossible_moves import is_ruled_out
from corr.rules.core.played_move import PlayedMove
from corr.rules.core.setups import DEPLOY_HELP, DEPLOYMENT, SETUPS
from corr.rules.core.slip_delivery import (
    News,
    add_private_fact,
    announce_check,
    announce_end,
    announce_next,
    rule_moved,
)
from corr.rules.core.umpire import SIDES, WHITE, Ruling, Truth
from corr.words.board import SQUARES, PieceKind, Side
from corr.words.codes import CONTENTS, Audience, Code, Contract, SquareContents
from corr.words.orders import Move, Order
from corr.words.slips import Fact
from corr.words.view import ConditionTopic, VariantInfo

CARD = VariantInfo(
    key="assassin",
    name="Assassin",
    summary=(
        "A form of Kriegspiel by Hubert Phillips, in which both players first set up their pieces in secret. "
        "The queen is an assassin: if she gives mate you win, and if another piece does you lose. "
        "Knights are spies: they capture nothing, but report what is around them. You see only your own "
        "pieces, and both players hear what the umpire says, except what a spy reports."
    ),
    announcements=(
        *DEPLOYMENT,
        (
            "Mate wins if the assassin is one of the pieces that give check, whichever piece moved. Any "
            "other mate loses. When both assassins have been captured, the game is a draw. A pawn can become "
            "a rook, a bishop or a spy, but never an assassin."
        ),
        (
            "A spy moves like a knight, to an empty square. It captures nothing, attacks nothing and gives "
            "no check, but it can be captured. After its move only you hear what is on each square next to "
            "it. Your opponent can't tell a spy's move from any other."
        ),
        (
            "A pawn moves one square from its first rank, and one or two from its second. "
            "You can castle if you deployed your king and rook on their usual squares."
        ),
        (
            'The umpire announces a move as "White has moved", and a capture with its square, "White has '
            'captured on d3". A pawn captured en passant is announced as "Black has taken en-passant on f3", '
            'with the square where the capturing pawn lands. A check comes with its direction: "Check on the '
            'row", "on the column", "on the large diagonal" or "on the small diagonal". The king\'s large '
            "diagonal is the one with more squares."
        ),
        said.QUESTION,
        said.REFUSALS,
        (
            "The umpire doesn't announce castling or promotion. It declares mate, stalemate, threefold "
            "repetition and fifty moves without a pawn move or capture. If you run out of time you lose."
        ),
    ),
    words=(DEPLOY_HELP, *said.WORDS),
    refused=said.REFUSED,
    men=(
        "The queen is your assassin: mate with her and you win, mate without her and you "
        "lose. Knights are spies: they capture nothing, but report what is around them."
    ),
    presses=said.BUTTON_ORDERS,
    lines=said.CHECK_DIRECTIONS,
    example=(
        "You write b1a3, a spy's move, and you both hear: White has moved.",
        (
            "Only you hear: Your spy on a3 reports: a2 your pawn; a4 empty; b2 "
            "your pawn; b3 empty; b4 an enemy rook."
        ),
        "Your opponent hears nothing about the spy.",
    ),
    setups=SETUPS,
    told=(ConditionTopic.CAPTURE, ConditionTopic.CAPTURE_SQUARE, ConditionTopic.CHECK),
)


class AssassinCode(Code):
    """Codes that only this umpire uses."""

    SPY = "spy", Contract(Audience.ALONE, {"squares": CONTENTS})


_NOTATION_HELP = 'In Assassin, write moves such as e2e4, e7e8=R, o-o and o-o-o, and the question "any?".'
_PIECE_NAMES = {man.letter.lower(): man.value for man in PieceKind} | {"n": "spy", "q": "assassin"}


def _find_end(board: chess.Board, checkers: int, stuck: bool) -> str | None:  # noqa: FBT001  # `EndFinder` passes it so
    """Return how the game ends here; None if it goes on. `stuck` means no legal move."""
    if stuck and checkers:
        return "checkmate"
    if not board.queens:
        return "assassins"
    return "stalemate" if stuck else None


def _can_mate(_truth: Truth, _side: Side) -> bool:
    """A side that runs out of time always loses, whatever is on the board."""
    return True


_FIELD = DeployedRules(PieceMovement(spies=True, doubles=True), _find_end, _can_mate, becomes="rbn")


def _parse(order: Order, board: chess.Board, moves_known: str) -> chess.Move | None:
    """Parse the move as written; a pawn becomes a rook by default."""
    move = notation.read(order, board, moves_known)
    if move and isinstance(order, Move) and order.promotion is None and move.promotion:
        return notation.chess_move(move.from_square, move.to_square, chess.ROOK)
    return move


def _is_barred(truth: Truth, move: chess.Move) -> bool:
    """Whether what was said in this turn rules a move out, or it promotes to an assassin."""
    return move.promotion == chess.QUEEN or is_ruled_out(truth, move)


def _rule_move(before: Truth, played: PlayedMove, side: Side, move: chess.Move) -> Ruling[Truth]:
    """Build the ruling on a legal move; after a spy's move, its side alone hears a report."""
    own = said.moved_fact(side, move.uci())
    told = said.announce_move(played, side, move.to_square)
    ruling = rule_moved(played.truth, side, (own,), said.moved_fact(side, None), *_following(played, told))
    if not _FIELD.reports(before.board, move):
        return ruling
    return add_private_fact(ruling, side, _report(played.truth.board, side, move.to_square))


def _announce_first_position(played: PlayedMove) -> News:
    return _following(played, announce_check(played, said.CHECK))


def _following(played: PlayedMove, told: Facts) -> News:
    """Return a move's announcements with the next turn or the winner; mate without the queen loses."""
    if played.end != "checkmate":
        return announce_next(played, told)
    board, (_, checkers, _) = played.truth.board, played.truth.siege
    mated = SIDES[board.turn]
    return announce_end(told, "checkmate", mated.other if board.queens & checkers else mated)


def _report(board: chess.Board, side: Side, square: int) -> Fact:
    """Return a spy's report, for his own side only."""
    found = contents_around(board, square)
    sentence = "; ".join(f"{SQUARES[each]} {_name_content(letter, side)}" for each, letter in found)
    contents = SquareContents(tuple((SQUARES[each], letter) for each, letter in found))
    return Fact(
        AssassinCode.SPY, f"Your spy on {SQUARES[square]} reports: {sentence}", (("squares", contents),)
    )


def _name_content(letter: str, side: Side) -> str:
    """Name what a square holds, as a spy tells this side."""
    if letter == ".":
        return "empty"
    man = _PIECE_NAMES[letter.lower()]
    if letter.isupper() is (side is WHITE):
        return f"your {man}"
    return f"an enemy {man}"


_ASKING = QuestionUmpire(
    _NOTATION_HELP, said.REFUSAL_FACTS, _FIELD.play, _rule_move, _is_barred, parse=_parse
)
UMPIRE = DeploymentUmpire(
    CARD,
    DeployedReferee(
        CARD, _ASKING.answer, _ASKING.is_knowably_impossible, _announce_first_position, field=_FIELD
    ),
)
