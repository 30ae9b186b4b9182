"""Cincinnati: all that the umpire says is heard by both, a refusal and a nonsense too."""

from __future__ import annotations

import chess

from corr.rules import announce, memo, notation, setup
from corr.rules.handing import Facts, alone, aloud, both, moved, over, unreadable
from corr.rules.moves import Capture
from corr.rules.nonsense import is_out_of_pattern, is_pawn_diagonal
from corr.rules.options import options
from corr.rules.play import first, play
from corr.rules.umpire import SIDES, WHITE, Ruling, Truth
from corr.words import Card, Castle, Move, Order, Outcome, Refused, Side, Sight, Tries, Verdict

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
    words=(
        "Each refusal is heard by your opponent, so think before you write: one order a letter is tried.",
    ),
    example=(
        "White's move. Pawn capture.",
        "You write e4f5, and both of you are told: Illegal.",
        "You write e4d5, and both of you are told: Pawn at d5 captured.",
        "Your opponent does not learn that e4f5 was what you tried.",
    ),
)


class Cincinnati:
    """The umpire of Cincinnati."""

    card = CARD

    def start(self, fen: str | None = None) -> Ruling:
        """Set up the men; both sides hear whose move it is, and whether a pawn can capture."""
        truth, taken, found, end = first(setup.board(fen))
        news, outcome = _news(truth, taken, found, end)
        return both(truth, Verdict.TOLD, news, news, outcome)

    def judge(self, truth: Truth, side: Side, order: Order) -> Ruling:
        """Make the move, or say to both that it is illegal or nonsense."""
        if truth.over:
            return alone(truth, side, Verdict.OVER, announce.OVER)
        if side is not SIDES[truth.board.turn]:
            return unreadable(truth, side, f"It is {side.other.called}'s turn.")
        try:
            move = _read(truth.board, order)
        except Refused as puzzle:
            return unreadable(truth, side, str(puzzle))
        played = None if move is None else play(truth, move)
        if move is None or (played is None and _is_nonsense(truth, move)):
            return aloud(truth, Verdict.NONSENSE, announce.NONSENSE_OF[side])
        if played is None:
            return aloud(memo.refused(truth, move), Verdict.REFUSED, announce.ILLEGAL_OF[side])
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
        winner = None if draw else side.other
        return over(truth, announce.out_of_time(side, draw=draw), Outcome(winner, "time"))

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
        return memo.pack(truth)

    def restore(self, data: bytes) -> Truth:
        """The truth of a snapshot, in time that does not grow with the game."""
        return memo.restore(data)


UMPIRE = Cincinnati()


def _read(board: chess.Board, order: Order) -> chess.Move | None:
    """The move that is meant; None for castling without a king at home; Refused for what is no attempt."""
    if isinstance(order, Move):
        return notation.move(order, board.pawns & board.occupied_co[board.turn])
    if isinstance(order, Castle):
        return notation.castle(order, board.king(board.turn))
    if isinstance(order, Tries):
        raise Refused("Write one move; lists of tries are not played yet.")
    raise Refused("Cincinnati knows moves such as e2e4, e7e8=N, o-o and o-o-o.")


def _is_nonsense(truth: Truth, move: chess.Move) -> bool:
    """G6 a to g: what this side could know from its own men, and from what was said in this turn."""
    unannounced = not truth.tries and is_pawn_diagonal(truth.board, move)
    return unannounced or memo.is_known(truth, move) or is_out_of_pattern(truth.board, move)


def _news(truth: Truth, taken: Capture | None, found: int, end: str | None) -> tuple[Facts, Outcome | None]:
    """What both hear: the capture, the check, then the end or else whose turn it is and whether a pawn can capture."""
    turn = SIDES[truth.board.turn]
    captured = (announce.captured(taken.square, pawn=taken.pawn),) if taken else ()
    check = (announce.CHECK[found],) if found else ()
    if end is None:
        pawns = (announce.PAWN_CAPTURE,) if truth.tries else ()
        return (*captured, *check, announce.TURN[turn], *pawns), None
    winner = turn.other if end == "checkmate" else None
    return (*captured, *check, announce.ended(end, winner)), Outcome(winner, end)
