"""Wild 16: refusals are told to the mover alone; captures, checks and the number of pawn tries to both."""

from __future__ import annotations

import chess

from corr.rules import announce, notation, setup, snapshot
from corr.rules.handing import Facts, alone, both, moved, over, unreadable
from corr.rules.moves import Capture
from corr.rules.options import options
from corr.rules.play import first, play
from corr.rules.tries import captures
from corr.rules.umpire import SIDES, WHITE, Ruling, Truth
from corr.words import (
    Card,
    Castle,
    Move,
    Order,
    Outcome,
    PawnTry,
    Refused,
    Side,
    Sight,
    Tries,
    Verdict,
)

CARD = Card(
    key="wild16",
    name="Wild 16",
    summary=(
        "Kriegspiel as on the Internet Chess Club: chess in which you see your own men only. A move that cannot "
        "be made is refused to you alone, as often as you try, and never counts as your move."
    ),
    announcements=(
        (
            'Before each turn both are told whose it is, "White\'s move" or "Black\'s move", and how many captures '
            'that side\'s pawns could make, such as "2 pawn tries". You need not make one.'
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
            'A move that is not possible is answered "Illegal move", to you alone and whatever the reason. Castling '
            "and promotion are not told."
        ),
        (
            "The game ends as chess does. The umpire declares mate, stalemate, a third repetition, fifty moves "
            "without a pawn move or capture, and too little material; whoever runs out of time loses, unless the "
            "other side could not mate."
        ),
    ),
    words=(
        (
            'When the umpire counts exactly one pawn try, "px" makes that capture, whichever it is; "px=N" makes the '
            "pawn a knight where it reaches the last rank."
        ),
    ),
    example=(
        "White's move. 1 pawn tries.",
        "You write e4f5 and are told: Illegal move.",
        "You write e4d5 and are told: Pawn at d5 captured.",
        "Your opponent is told the same, but not of e4f5.",
    ),
)


class Wild16:
    """The umpire of Wild 16."""

    card = CARD

    def start(self, fen: str | None = None) -> Ruling:
        """Set up the men; both sides hear whose move it is and how many pawn tries there are."""
        truth, taken, found, end = first(setup.board(fen))
        news, outcome = _news(truth, taken, found, end)
        return both(truth, Verdict.TOLD, news, news, outcome)

    def judge(self, truth: Truth, side: Side, order: Order) -> Ruling:
        """Make the move, or refuse it to the mover alone."""
        if truth.over:
            return alone(truth, side, Verdict.OVER, announce.OVER)
        if side is not SIDES[truth.board.turn]:
            return unreadable(truth, side, f"It is {side.other.called}'s turn.")
        try:
            move = _read(truth, order)
        except Refused as puzzle:
            return unreadable(truth, side, str(puzzle))
        played = None if move is None else play(truth, move)
        if move is None or played is None:
            return alone(truth, side, Verdict.REFUSED, announce.ILLEGAL)
        after, taken, found, end = played
        own = announce.moved(side, move.from_square, move.to_square, move.promotion)
        return moved(after, side, own, *_news(after, taken, found, end))

    def resigned(self, truth: Truth, side: Side) -> Ruling:
        """The other side wins."""
        return over(truth, announce.resigned(side), Outcome(side.other, "resignation"))

    def agreed(self, truth: Truth) -> Ruling:
        """Nobody wins."""
        return over(truth, announce.ended("agreement", None), Outcome(None, "agreement"))

    def flagged(self, truth: Truth, side: Side) -> Ruling:
        """The other side wins, unless it has not the men to mate with."""
        draw = truth.board.has_insufficient_material(side.other is WHITE)
        return over(
            truth, announce.out_of_time(side, draw=draw), Outcome(None if draw else side.other, "time")
        )

    def options(self, sight: Sight) -> tuple[str, ...]:
        """Every move that one's own men's pattern allows, possible or not."""
        return options(sight)

    def turn(self, truth: Truth) -> Side | None:
        """Whose turn it is; nobody's after the end."""
        return None if truth.over else SIDES[truth.board.turn]

    def plies(self, truth: Truth) -> int:
        """How many moves both sides have made, counted from move one."""
        return truth.board.ply()

    def fen(self, truth: Truth) -> str:
        """The whole position as FEN. Nobody's to see before the end."""
        return truth.board.fen()

    def pack(self, truth: Truth) -> bytes:
        """A snapshot that `restore` reads back, in any process."""
        return snapshot.pack(truth)

    def restore(self, data: bytes) -> Truth:
        """The truth of a snapshot, in time that does not grow with the game."""
        return snapshot.restore(data)


UMPIRE = Wild16()


def _read(truth: Truth, order: Order) -> chess.Move | None:
    """The move that is meant; None for castling without a king at home; Refused for what is no attempt."""
    board = truth.board
    if isinstance(order, Move):
        return notation.move(order, board.pawns & board.occupied_co[board.turn])
    if isinstance(order, Castle):
        return notation.castle(order, board.king(board.turn))
    if isinstance(order, PawnTry):
        return _the_pawn_capture(truth, order)
    if isinstance(order, Tries):
        raise Refused("Write one move; lists of tries are not played yet.")
    raise Refused("Wild 16 knows moves such as e2e4, e7e8=N, o-o and o-o-o, and px for the one pawn try.")


def _the_pawn_capture(truth: Truth, order: PawnTry) -> chess.Move:
    """The one pawn capture there is. A letter that is not needed says nothing, or it would probe."""
    chosen = notation.piece(order.promotion)
    if truth.tries != 1:
        raise Refused("px needs exactly one pawn try")
    found = captures(truth.board)[0]
    return notation.coordinates(found.from_square, found.to_square, chosen if found.promotion else None)


def _news(truth: Truth, taken: Capture | None, found: int, end: str | None) -> tuple[Facts, Outcome | None]:
    """What both hear: the capture, the check, then the end or else whose turn it is and the pawn tries."""
    turn = SIDES[truth.board.turn]
    captured = (announce.captured(taken.square, pawn=taken.pawn),) if taken else ()
    check = (announce.CHECK[found],) if found else ()
    if end is None:
        return (*captured, *check, announce.TURN[turn], announce.tries(truth.tries)), None
    winner = turn.other if end == "checkmate" else None
    return (*captured, *check, announce.ended(end, winner)), Outcome(winner, end)
