"""What the assassin risks, and whether she can mate: she alone wins, and a mate by any other loses."""

from __future__ import annotations

import chess

from corr.bots.attacks import attacked, reached
from corr.bots.piece_shuffling import Stand
from corr.words.board import squares_of
from corr.words.slips import Sight

#: What it costs that the assassin may be taken; and that she gives check and no mate, since whoever is in check is told
#: from which line, and has little else to do than to take her.
_IN_REACH, _SHOWN = 8000, 10000
#: What each square costs that she sees past her own men: from there she may be seen.
_OPEN = 25
#: That the king has no square to go to, one or two: a mate by any other loses; and that he is in check by others.
_AIRLESS = (400, 150, 50, 0, 0, 0, 0, 0, 0)
_CHECKED = (3000, 1000, 300, 100, 100, 100, 100, 100, 100)
#: How many times over that costs where so few stand beside him that they may have no move: a stalemate wins nothing.
_STILL = 6
#: Where nothing was taken in so many moves and the king has no more men beside him, the assassin waits no longer.
_PATIENCE, _FEW = 20, 4
_MEN_BUT_THE_KING = 15


def is_lonely(sight: Sight) -> bool:
    """Whether the other king is alone: then every square where he may stand is held possible."""
    return sight.lost[sight.side.other].men == _MEN_BUT_THE_KING


def still_waits(sight: Sight, quiet: int) -> bool:
    """Whether the others hunt without her, after so many moves in which nothing was taken."""
    left = _MEN_BUT_THE_KING - sight.lost[sight.side.other].men
    return quiet < _PATIENCE or left > _FEW


def danger(board: chess.Board, *, white: bool, waits: bool) -> int:
    """What it costs how one side's assassin stands after its move; nothing where the other king is alone."""
    mine, theirs = board.occupied_co[white], board.occupied_co[not white]
    own = board.queens & mine
    if not own or not theirs & ~board.kings:
        return 0
    square = own.bit_length() - 1
    cost = 0
    if waits:
        seen = attacked(chess.QUEEN, square, mine, white=white) & ~mine
        cost = _OPEN * seen.bit_count()
        if board.attacks_mask(square) & board.kings & theirs:
            return cost + _SHOWN
    takers = board.attackers_mask(not white, square) & ~board.knights
    return cost + (_IN_REACH if takers else 0)


def checked(board: chess.Board, *, white: bool) -> int:
    """What it costs one side that others than its assassin give check while that king is not alone: it may be mate."""
    theirs, king = board.occupied_co[not white], board.king(not white)
    if king is None or not theirs & ~board.kings:
        return 0
    checkers = board.attackers_mask(white, king) & ~board.knights
    return _CHECKED[_air(board, white=white).bit_count()] if checkers and not checkers & board.queens else 0


def airless(board: chess.Board, *, white: bool) -> int:
    """What it costs one side that the other king can hardly go anywhere, most where few could move in his place."""
    others = (board.occupied_co[not white] & ~board.kings).bit_count()
    return _AIRLESS[_air(board, white=white).bit_count()] * (_STILL if others <= _FEW else 1)


def mates_unseen(before: Stand, after: Stand, *, white: bool) -> float:
    """The share of the other king's possible squares on which a move would mate it without the assassin.

    Only one's own men are looked at, since what a side believes of the other king may be wrong.
    """
    own, moved = _board_of(before, white=white), _board_of(after, white=white)
    king = (
        chess.BB_ALL & ~own.occupied & ~reached(own, own.occupied & ~own.knights, own.occupied, white=white)
    )
    closed = reached(moved, moved.occupied & ~moved.knights, moved.occupied, white=white)
    mated = 0
    for square in squares_of(king & closed & ~moved.occupied):
        checkers = moved.attackers_mask(white, square) & ~moved.knights
        mated += not checkers & moved.queens and not chess.BB_KING_ATTACKS[square] & ~closed
    return mated / max(1, king.bit_count())


def _board_of(men: Stand, *, white: bool) -> chess.Board:
    """A board with one side's men alone."""
    board = chess.Board(None)
    board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings = men
    board.occupied = board.occupied_co[white] = sum(men)
    return board


def mates_next(board: chess.Board, *, white: bool) -> float:
    """After which part of a lonely king's replies one side's assassin can mate him."""
    own = board.occupied_co[white]
    replies = squares_of(_air(board, white=white))
    mated = sum(_can_mate(board, own & ~(1 << king), king, white=white) for king in replies)
    return mated / max(1, len(replies))


def _air(board: chess.Board, *, white: bool) -> int:
    """Where the other king can go."""
    king = board.king(not white)
    if king is None:
        return chess.BB_EMPTY
    active = board.occupied_co[white] & ~board.knights
    closed = reached(board, active, board.occupied & ~(1 << king), white=white)
    return chess.BB_KING_ATTACKS[king] & ~closed & ~board.occupied_co[not white]


def _can_mate(board: chess.Board, men: int, king: int, *, white: bool) -> bool:
    """Whether the assassin among these men of one side can mate a lonely king there by a move of her own."""
    own = board.queens & men
    if not own:
        return False
    others = men & ~own
    checking = attacked(chess.QUEEN, king, others, white=white) & ~men
    checking &= attacked(chess.QUEEN, own.bit_length() - 1, others | 1 << king, white=white)
    return any(_is_mate(board, others, king, target, white=white) for target in squares_of(checking))


def _is_mate(board: chess.Board, others: int, king: int, target: int, *, white: bool) -> bool:
    """Whether the king has nowhere to go once the assassin has come there and checks him."""
    closed = attacked(chess.QUEEN, target, others, white=white)
    closed |= reached(board, others & ~board.knights, others | 1 << target, white=white)
    return not chess.BB_KING_ATTACKS[king] & ~closed
