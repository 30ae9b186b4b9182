"""What a position is worth to the side that has just moved: men, what hangs, and how far a win has come."""

from __future__ import annotations

from typing import NamedTuple

import chess

_WIDE_CENTRE = sum(1 << 8 * rank + file for rank in range(2, 6) for file in range(2, 6))
#: By how many ranks a pawn has left its first one; nearer to promotion it is worth more.
_ADVANCED = (0, 0, 2, 6, 14, 30, 60, 0)
#: Of men that could be taken: of the best of them, and of the rest, so much is as good as lost.
_BEST, _REST = 0.6, 0.1
_OUR_TURN_IS_FAR = 0.3
_LONELY = 1200
_KING = 2000


class Scale(NamedTuple):
    """What the men are worth in a variant, and whether its knights attack anything."""

    pawn: int = 100
    knight: int = 300
    bishop: int = 320
    rook: int = 500
    queen: int = 900
    spies: bool = False

    @classmethod
    def of(cls, variant: str) -> Scale:
        """Where the queen alone can win, she is worth more; a knight that takes nothing is worth less."""
        return _ODD.get(variant, _USUAL)

    def worth(self, board: chess.Board, *, white: bool) -> float:
        """In hundredths of a pawn for the side that has just moved, by what stands there and what could be taken."""
        mine, theirs = board.occupied_co[white], board.occupied_co[not white]
        left = self._men(board, theirs)
        ahead = self._men(board, mine) - left
        score = ahead - self._hanging(board, mine, by=not white)
        score += _OUR_TURN_IS_FAR * self._hanging(board, theirs, by=white)
        few = left < _LONELY
        score += _advanced(board.pawns & mine, white=white) * (1.5 if few else 1)
        score -= _advanced(board.pawns & theirs, white=not white)
        light = (board.knights | board.bishops) & mine
        score += 8 * (light & _WIDE_CENTRE).bit_count() - 6 * (light & chess.BB_BACKRANKS).bit_count()
        score += 10 * (board.pawns & mine & chess.BB_CENTER).bit_count()
        if few and ahead > 0:
            score += _closing_in(board, white=white)
        return score

    def _men(self, board: chess.Board, side: int) -> int:
        return (
            self.pawn * (board.pawns & side).bit_count()
            + self.knight * (board.knights & side).bit_count()
            + self.bishop * (board.bishops & side).bit_count()
            + self.rook * (board.rooks & side).bit_count()
            + self.queen * (board.queens & side).bit_count()
        )

    def _hanging(self, board: chess.Board, men: int, *, by: bool) -> float:
        """What of these men can be taken with a gain, the best almost whole."""
        best = rest = 0
        idle = board.knights if self.spies else 0
        left = men & ~board.kings & _reached(board, board.occupied_co[by] & ~idle, white=by)
        while left:
            square = (left & -left).bit_length() - 1
            left &= left - 1
            value = self._value(board, 1 << square)
            if board.attackers_mask(not by, square) & ~idle:
                value -= self._cheapest(board, board.attackers_mask(by, square) & ~idle)
            if value > best:
                best, rest = value, rest + best
            elif value > 0:
                rest += value
        return _BEST * best + _REST * rest

    def _value(self, board: chess.Board, man: int) -> int:
        if board.pawns & man:
            return self.pawn
        if board.knights & man:
            return self.knight
        if board.bishops & man:
            return self.bishop
        return self.rook if board.rooks & man else self.queen

    def _cheapest(self, board: chess.Board, men: int) -> int:
        if board.pawns & men:
            return self.pawn
        if board.knights & men:
            return self.knight
        if board.bishops & men:
            return self.bishop
        if board.rooks & men:
            return self.rook
        return self.queen if board.queens & men else _KING


_USUAL = Scale()
_ODD = {"assassin": Scale(knight=150, queen=1500, spies=True)}


def _reached(board: chess.Board, men: int, *, white: bool) -> int:
    """Every square that these men of one side attack."""
    pawns, occupied = board.pawns & men, board.occupied
    if white:
        reached = (pawns & ~chess.BB_FILE_A) << 7 | (pawns & ~chess.BB_FILE_H) << 9
    else:
        reached = (pawns & ~chess.BB_FILE_H) >> 7 | (pawns & ~chess.BB_FILE_A) >> 9
    left = men & ~pawns
    while left:
        square = (left & -left).bit_length() - 1
        man = left & -left
        left &= left - 1
        if board.knights & man:
            reached |= chess.BB_KNIGHT_ATTACKS[square]
            continue
        if board.kings & man:
            reached |= chess.BB_KING_ATTACKS[square]
            continue
        if not board.rooks & man:
            reached |= chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied]
        if not board.bishops & man:
            reached |= chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
            reached |= chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
    return reached


def _advanced(pawns: int, *, white: bool) -> int:
    score = 0
    while pawns:
        square = (pawns & -pawns).bit_length() - 1
        pawns &= pawns - 1
        score += _ADVANCED[square >> 3 if white else 7 - (square >> 3)]
    return score


def _closing_in(board: chess.Board, *, white: bool) -> int:
    """How near a lonely king is to mate: few squares to go to, near the edge, the other king beside him."""
    king, own = board.king(not white), board.king(white)
    if king is None or own is None:
        return 0
    free, occupied = 0, board.occupied & ~(1 << king)
    left = chess.BB_KING_ATTACKS[king] & ~board.occupied_co[not white]
    while left:
        square = (left & -left).bit_length() - 1
        left &= left - 1
        free += not board.attackers_mask(white, square, occupied)
    file, rank = king & 7, king >> 3
    edge = min(file, 7 - file) + min(rank, 7 - rank)
    return -12 * free - 10 * edge - 6 * chess.square_distance(king, own)
