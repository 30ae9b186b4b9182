"""Reconnaissance Blind Chess: look at nine squares (`core/rbc_truth.py`), then move; capturing the king wins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TypeAlias

import chess

from corr.rules.core import announcements, notation, rbc_truth, setups
from corr.rules.core.announcements import Facts
from corr.rules.core.impossible_moves import is_impossible_by_own_pieces
from corr.rules.core.moves import find_capture, make_move, pass_turn
from corr.rules.core.notation import possible_tries
from corr.rules.core.played_move import add_loss
from corr.rules.core.rbc_truth import Truth, resolve_move
from corr.rules.core.sights import make_sight
from corr.rules.core.slip_delivery import answer_in_turn, rule_aloud, rule_for_one, rule_moved
from corr.rules.core.umpire import SIDES, Ruling, Umpire
from corr.words.board import SQUARES, Pair, Side
from corr.words.codes import SIDE, Audience, Code, Common, Contract
from corr.words.errors import Refused
from corr.words.orders import Castle, Move, Order, Pass, Sense, SenseBranch, Step, Tries
from corr.words.slips import Fact, Losses, Outcome, Sight, Verdict
from corr.words.view import VariantInfo

CARD = VariantInfo(
    key="rbc",
    name="Reconnaissance Blind Chess",
    short="RBC",
    summary=(
        "You see only your own pieces, but before each move you look at a 3x3 block of "
        "squares. There is no check and no mate: capture the other king to win."
    ),
    announcements=(
        (
            "A turn has two parts: first a sense, then a move or a pass. A sense shows "
            "you what is really on a square and on the squares around it, up to nine in "
            "all. Your opponent never learns where you looked."
        ),
        (
            "You can try any move that your own pieces allow, and a pawn can always "
            "try to capture diagonally. If a queen, rook or bishop meets a hidden piece "
            "on its way, it captures that piece and stops there. If a pawn's double step "
            "meets a hidden piece on its second square, the pawn stops on the first."
        ),
        (
            "Some moves don't succeed: a diagonal pawn move with nothing to capture, a "
            "pawn move straight ahead with a piece right in front, and castling with a piece between king and rook. "
            "Then nothing moves, and your turn is over. Only you hear of it."
        ),
        (
            'The umpire tells you both of a capture, with its square: "White captured a piece on d5". It never '
            "says which piece captured or was captured. For a pawn captured en passant the umpire gives the square "
            "where that pawn was. Otherwise your opponent hears only that you have taken your turn, "
            "whether you moved, passed or failed."
        ),
        (
            "There is no check: a king can stay, castle or go where it can be captured. "
            "Capturing it ends the game. Fifty turns by each side without a capture or "
            "a pawn move are a draw. If you run out of time you lose."
        ),
    ),
    words=(
        (
            'Begin your turn with "sense" and a square, or "sense none", and end it with a move or the word '
            '"pass". You can write both in one email: "sense d5; d2d4". Your move can depend on what you '
            'see: "sense d5; if e5=p: d4e5; else g1f3". After the "=" write "empty", "enemy" or an enemy '
            'piece. You can write several "if" parts; the umpire follows the first that applies. If none applies and '
            'there is no "else", you first see what you sensed, and then move.'
        ),
        (
            "A move that doesn't succeed ends your turn, so you can't write lists of "
            "moves. The umpire rejects a list and does nothing."
        ),
    ),
    refused=("A failed move also ends your turn, and your opponent hears only that you have taken it."),
    presses=("sense none", "pass"),
    lists=False,
    told=(),
    example=(
        "You write sense d5; if e5=p: d4e5; else g1f3",
        (
            "You hear: Around d5 you see Black's pawn on e5; your own pawn on "
            "d4; nothing on c4, c5, c6, d5, d6, e4 and e6."
        ),
        'And: You moved "d4e5". White captured a man on e5.',
        "Your opponent hears: White has taken a turn. White captured a man on e5.",
    ),
)


class RbcCode(Code):
    """Codes that only this umpire uses."""

    KING_CAPTURED = "king-captured", Contract(Audience.END, {"side": SIDE})


_NOTATION_HELP = (
    "In Reconnaissance Blind Chess, write moves such as e2e4, e7e8=N, o-o and o-o-o, "
    'and the words "sense" and "pass".'
)
_SENSE_FIRST_HINT = 'Begin your turn with "sense" and a square, or "sense none", and then make your move.'
_ALREADY_SENSED_HINT = 'You have already sensed this turn. Now write your move, or "pass".'
_NO_LIST = "A move that doesn't succeed ends your turn, so there are no lists here. Please write one move."
_NOT_AT_HOME = "Your king isn't on the square it castles from."

#: The move requested after the sense, by python-chess; None is a pass.
RequestedMove: TypeAlias = chess.Move | None

_TURN = {side: Fact(Common.TURN, f"{side.called}'s turn", (("side", side),)) for side in Side}
_TURN_TAKEN_FACTS = {
    side: Fact(Common.MOVED, f"{side.called} has taken a turn", (("side", side), ("move", None)))
    for side in Side
}
_KING_CAPTURED_FACTS = {
    side: Fact(
        RbcCode.KING_CAPTURED,
        f"{side.other.called}'s king was captured. {side.called} wins.",
        (("side", side),),
    )
    for side in Side
}
_PASS_FACTS: dict[Side, Facts] = {
    side: (
        Fact(Common.MOVED, "", (("side", side), ("move", "pass"))),
        Fact(Common.TAKEN, "You passed", (("move", None), ("asked", "pass"))),
    )
    for side in Side
}
_SENSES = ("sense none", *(f"sense {square}" for square in SQUARES))
_REVERSIBLE_PLIES = 100
_NO_LOSSES = Pair(Losses(), Losses())


@dataclass(frozen=True, slots=True)
class RbcUmpire(Umpire[Truth]):
    """The umpire of this game."""

    card: VariantInfo

    def start(self, fen: str | None = None) -> Ruling[Truth]:
        board = setups.parse_fen(fen, setups.PIECE_FAULTS)
        truth, news, outcome = _announce_next(rbc_truth.make_truth(board, _NO_LOSSES), ())
        return rule_aloud(truth, Verdict.TOLD, *news, outcome=outcome)

    def judge(self, truth: Truth, side: Side, order: Order) -> Ruling[Truth]:
        return answer_in_turn(_answer, truth, side, order)

    def is_knowably_impossible(self, _truth: Truth, _step: Step) -> bool:
        """Raise Refused: there are no lists here, since a failed move ends the turn."""
        raise Refused(_NO_LIST)

    def end(self, truth: Truth, fact: Fact, outcome: Outcome) -> Ruling[Truth]:
        """End the game, and show both sides the whole board."""
        return rule_aloud(rbc_truth.truth_after_end(truth), Verdict.TOLD, fact, outcome=outcome)

    def possible_tries(self, sight: Sight) -> tuple[str, ...]:
        """Return every sense if one is due; else every move that the own pieces allow, and the pass."""
        return _SENSES if sight.sense_due else (*possible_tries(sight), "pass")

    def legal(self, board: chess.Board) -> tuple[str, ...]:
        """Return every move that would succeed as requested on this board, and the pass."""
        side = SIDES[board.turn]
        asked = map(chess.Move.from_uci, possible_tries(make_sight(board, side, _NO_LOSSES, chess.BB_ALL)))
        return (*(move.uci() for move in asked if resolve_move(board, move) == move), "pass")

    def fen(self, truth: Truth) -> str:
        return truth.board.fen(en_passant="xfen")

    def pack(self, truth: Truth) -> bytes:
        return rbc_truth.pack(truth)

    def restore(self, data: bytes) -> Truth:
        return rbc_truth.restore(data)


def _answer(truth: Truth, side: Side, order: Order) -> Ruling[Truth]:
    """Judge an order of the side to move: a sense, or a move or pass after it."""
    return _sense(truth, side, order) if isinstance(order, Sense) else _move(truth, side, order)


def _sense(truth: Truth, side: Side, order: Sense) -> Ruling[Truth]:
    """Report what a sense shows, then make the move that the order has for it."""
    if truth.seen is not None:
        raise Refused(_ALREADY_SENSED_HINT)
    board = truth.board
    glimpsed = [(glimpse, _read_branch(board, order.square, glimpse)) for glimpse in order.branches]
    otherwise = None if order.otherwise is None else _request(board, order.otherwise)
    look = rbc_truth.sense_fact(board, side, order.square)
    for glimpse, request in glimpsed:
        if rbc_truth.has_content(board, glimpse.square, glimpse.what, side):
            return _take(truth, side, request, (look,))
    if order.otherwise is not None:
        return _take(truth, side, otherwise, (look,))
    sensed = rbc_truth.make_truth(board, truth.lost, rbc_truth.sensed_mask(order.square))
    return rule_for_one(sensed, side, Verdict.TOLD, look)


def _read_branch(board: chess.Board, sensed: int | None, glimpse: SenseBranch) -> RequestedMove:
    """Return the move of one "if" of a sense; Refused if the sense doesn't show its square."""
    if not rbc_truth.sensed_mask(sensed) >> glimpse.square & 1:
        raise Refused(f"The sense you wrote doesn't show {SQUARES[glimpse.square]}.")
    return _request(board, glimpse.act)


def _move(truth: Truth, side: Side, order: Order) -> Ruling[Truth]:
    """Make a move or pass; Refused if this turn's sense is still due."""
    if truth.seen is None and isinstance(order, Move | Castle | Pass):
        raise Refused(_SENSE_FIRST_HINT)
    return _take(truth, side, _request(truth.board, order), ())


def _request(board: chess.Board, act: Order) -> RequestedMove:
    """Return the move that a player asks for, None for a pass; Refused if own pieces rule it out."""
    if isinstance(act, Pass):
        return None
    if isinstance(act, Tries):
        raise Refused(_NO_LIST)
    move = notation.read(act, board, _NOTATION_HELP)
    if move is None:
        raise Refused(_NOT_AT_HOME)
    if is_impossible_by_own_pieces(board, move):
        origin, target = SQUARES[move.from_square], SQUARES[move.to_square]
        raise Refused(
            f"You have no piece that can go from {origin} to {target}, wherever the hidden pieces are."
        )
    return move


def _take(truth: Truth, side: Side, request: RequestedMove, sensed: Facts) -> Ruling[Truth]:
    """Make a requested move or pass, which ends the turn; only the mover hears whether it succeeded."""
    board, lost, move, taken = truth.board, truth.lost, None, None
    if request is not None:
        move = resolve_move(board, request)
    if move is None:
        now = pass_turn(board)
    else:
        taken, now = find_capture(board, move), make_move(board, move)
    if taken is not None:
        lost = add_loss(lost, side.other, taken)
    played = rbc_truth.make_truth(now, lost)
    settled, news, outcome = _announce_next(played, (_capture(side, taken.square),) if taken else ())
    own = (*sensed, *_result_facts(side, request, move))
    return rule_moved(settled, side, own, _TURN_TAKEN_FACTS[side], news, outcome)


def _announce_next(truth: Truth, facts: Facts) -> tuple[Truth, Facts, Outcome | None]:
    """Announce the end of the game or whose turn is next, after the words about a turn."""
    board = truth.board
    if not board.kings & board.occupied_co[board.turn]:
        winner = SIDES[not board.turn]
        end, outcome = _KING_CAPTURED_FACTS[winner], Outcome(winner, "king-captured")
    elif board.halfmove_clock >= _REVERSIBLE_PLIES:
        end, outcome = announcements.end_fact("fifty", None), Outcome(None, "fifty")
    else:
        return truth, (*facts, _TURN[SIDES[board.turn]]), None
    return rbc_truth.truth_after_end(truth), (*facts, end), outcome


@cache
def _capture(side: Side, square: int) -> Fact:
    """Announce a capture to both sides, without naming either piece."""
    text = f"{side.called} captured a man on {SQUARES[square]}"
    return Fact(Common.CAPTURE, text, (("side", side), ("square", SQUARES[square])))


def _result_facts(side: Side, request: RequestedMove, move: chess.Move | None) -> Facts:
    """Return what only the mover hears: whether the move was made, shortened or failed."""
    if request is None:
        return _PASS_FACTS[side]
    landing = None if move is None else move.to_square
    return _move_facts(side, request.from_square, request.to_square, request.promotion, landing)


@lru_cache(maxsize=8192)
def _move_facts(side: Side, origin: int, target: int, promotion: int | None, landing: int | None) -> Facts:
    """Return what the mover hears of a requested move; `landing` is None if it failed."""
    asked = chess.Move(origin, target, promotion).uci()
    if landing is None:
        return announcements.moved_fact(side, None), _taken_fact(
            f'Your move "{asked}" did not succeed', None, asked
        )
    moved = announcements.moved_fact(side, chess.Move(origin, landing, promotion).uci())
    made = str(moved["move"])
    said = f'You moved "{made}"' if made == asked else f'You asked for "{asked}" and moved "{made}"'
    return moved, _taken_fact(said, made, asked)


def _taken_fact(said: str, made: str | None, asked: str) -> Fact:
    """Tell the mover the requested move and the move made, None if it failed."""
    return Fact(Common.TAKEN, said, (("move", made), ("asked", asked)))


UMPIRE = RbcUmpire(CARD)
