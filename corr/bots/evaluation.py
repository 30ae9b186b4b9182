"""Evaluates a position for the side that has just moved: material, hanging pieces, and progress to a win."""

from __future__ import annotations

from typing import Any, NamedTuple

import chess

from corr.bots import assassin
from corr.bots.attacks import attacks_of_piece, attacks_of_pieces

_WIDE_CENTRE = sum(1 << 8 * rank + file for rank in range(2, 6) for file in range(2, 6))
#: A pawn's bonus by how many ranks it has advanced; nearer to promotion it is worth more.
_PAWN_RANK_VALUES = (0, 0, 2, 6, 14, 30, 60, 0)
_QUEENING_FACTOR = 4  # how much more a pawn's steps count if the opponent has few pieces left
_RESERVE_FACTOR = 0.8  # the value of a piece in reserve, as part of its value on the board
#: The parts of the best and of the other capturable pieces' value that count as lost.
_BEST_CAPTURE_SHARE, _OTHER_CAPTURES_SHARE = 0.6, 0.1
_OWN_THREAT_SHARE = 0.3
_FEW_LEFT_VALUE = 1200
#: The costs of each free square beside a lone king, each one in reach, each step from the edge and between the kings.
_FREE_SQUARE_COST, _ROOM, _EDGE, _KING_DISTANCE_COST = 12, 3, 10, 6
#: Against a lone king, nothing counts but closing in on him and not losing the mating material.
_LONE_KING_VALUE, _ALL_AT_STAKE, _HUNT = 1600, 4, 4
_KING = 2000
#: A side this far ahead has material to spare, so more of it counts less than closing in on the king.
_PLENTY, _SPARE = 1500, 0.6
_ALL_PIECES_VALUE = 4000  # the approximate value of all of a side's pieces
#: The cost of losing the assassin, the only piece that wins; and the value of her mate after every reply.
_LOST_ASSASSIN_COST, _ABOUT_TO_MATE = 6000, 600


class PieceValues(NamedTuple):
    """The values of a variant: its pieces, a win, idle knights, a waiting queen, and which pieces may mate."""

    pawn: int = 100
    knight: int = 300
    bishop: int = 320
    rook: int = 500
    queen: int = 900
    won: int = 5000
    thrown_away: int = 3  # the factor on the lead for a draw that wastes it
    spies: bool = False
    waits: bool = False
    mates: bool = True  # whether any piece may mate
    open_line: int = 6  # the cost of a square in line with the side's own king, against all pieces

    @classmethod
    def of(cls, variant: str) -> PieceValues:
        """Return the piece values of a variant; where only the queen wins, she and a win are worth more."""
        return _VARIANT_VALUES.get(variant, _USUAL)

    def worth(self, board: chess.Board, *, white: bool) -> float:
        """Evaluate the board for the side that has just moved, in hundredths of a pawn."""
        mine, theirs = board.occupied_co[white], board.occupied_co[not white]
        left = self._men(board, theirs)
        ahead = self._men(board, mine) - left
        active = mine & ~self._idle(board)
        if left == 0:
            at_stake = _ALL_AT_STAKE * self._hanging(board, mine, by=not white)
            mates = assassin.next_mate_share(board, white=white) if self.spies else 0.0
            near = _HUNT * _closing_in(board, active, white=white) + _ABOUT_TO_MATE * mates
            near += _QUEENING_FACTOR * _score_pawns(board.pawns & mine, white=white)
            return ahead + _LONE_KING_VALUE - at_stake + near
        score = ahead - self._hanging(board, mine, by=not white)
        score += _OWN_THREAT_SHARE * self._hanging(board, theirs, by=white)
        few = left < _FEW_LEFT_VALUE
        if not few or ahead < 0:
            score -= self.open_line * left / _ALL_PIECES_VALUE * _count_open_lines(board, mine, white=white)
        score += _score_pawns(board.pawns & mine, white=white) * (_QUEENING_FACTOR if few else 1)
        score -= _score_pawns(board.pawns & theirs, white=not white)
        light = (board.knights | board.bishops) & mine
        score += 8 * (light & _WIDE_CENTRE).bit_count() - 6 * (light & chess.BB_BACKRANKS).bit_count()
        score += 10 * (board.pawns & mine & chess.BB_CENTER).bit_count()
        if self.spies and not board.queens & mine:
            score -= _LOST_ASSASSIN_COST
        if self.waits:
            return score - (assassin.cornered_cost(board, white=white) if few else 0)
        if few and ahead > 0:
            score += _closing_in(board, active, white=white)
        if few and ahead > _PLENTY:
            return _PLENTY + _SPARE * (score - _PLENTY) + _HUNT * _closing_in(board, active, white=white)
        return score

    def _idle(self, board: chess.Board) -> int:
        """Return the pieces that attack nothing: knights that are spies."""
        return board.knights if self.spies else 0

    def ahead(self, truth: Any, *, white: bool) -> float:
        """Return how far ahead a side is in material, with reserves."""
        board = truth.board
        men = self._men(board, board.occupied_co[white]) - self._men(board, board.occupied_co[not white])
        return men + self.in_reserve(truth, white=white)

    def in_reserve(self, truth: Any, *, white: bool) -> float:
        """Return the side's lead in reserves; 0 without reserves."""
        reserves = getattr(truth, "reserves", None)
        if reserves is None:
            return 0.0
        own, other = (reserves.white, reserves.black) if white else (reserves.black, reserves.white)
        return _RESERVE_FACTOR * (self._letters(own) - self._letters(other))

    def _letters(self, reserve: str) -> int:
        """Return the value of the pieces in a reserve."""
        worth = {"P": self.pawn, "N": self.knight, "B": self.bishop, "R": self.rook, "Q": self.queen}
        return sum(worth[letter] for letter in reserve.upper())

    def _men(self, board: chess.Board, side: int) -> int:
        """Return the value of a side's pieces on the board, without the king."""
        return (
            self.pawn * (board.pawns & side).bit_count()
            + self.knight * (board.knights & side).bit_count()
            + self.bishop * (board.bishops & side).bit_count()
            + self.rook * (board.rooks & side).bit_count()
            + self.queen * (board.queens & side).bit_count()
        )

    def _hanging(self, board: chess.Board, men: int, *, by: bool) -> float:
        """Estimate what the colour `by` can win of these pieces, mostly the most valuable."""
        best = rest = 0
        idle = self._idle(board)
        left = (
            men
            & ~board.kings
            & attacks_of_pieces(board, board.occupied_co[by] & ~idle, board.occupied, white=by)
        )
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
        return _BEST_CAPTURE_SHARE * best + _OTHER_CAPTURES_SHARE * rest

    def _value(self, board: chess.Board, man: int) -> int:
        if board.pawns & man:
            return self.pawn
        if board.knights & man:
            return self.knight
        if board.bishops & man:
            return self.bishop
        return self.rook if board.rooks & man else self.queen

    def _cheapest(self, board: chess.Board, men: int) -> int:
        """Return the value of the cheapest piece on these squares."""
        if board.pawns & men:
            return self.pawn
        if board.knights & men:
            return self.knight
        if board.bishops & men:
            return self.bishop
        if board.rooks & men:
            return self.rook
        return self.queen if board.queens & men else _KING


_USUAL = PieceValues()
_VARIANT_VALUES = {
    "assassin": PieceValues(
        knight=150, queen=1500, won=9000, thrown_away=9, spies=True, waits=True, mates=False
    ),
    "rbc": PieceValues(mates=False, open_line=0),
}


def _count_open_lines(board: chess.Board, mine: int, *, white: bool) -> int:
    """Count the squares in line with a side's king, up to its own pieces."""
    king = board.king(white)
    return 0 if king is None else (attacks_of_piece(chess.QUEEN, king, mine, white=white) & ~mine).bit_count()


def _score_pawns(pawns: int, *, white: bool) -> int:
    """Score how far these pawns have advanced."""
    score = 0
    while pawns:
        square = (pawns & -pawns).bit_length() - 1
        pawns &= pawns - 1
        score += _PAWN_RANK_VALUES[square >> 3 if white else 7 - (square >> 3)]
    return score


def _closing_in(board: chess.Board, men: int, *, white: bool) -> int:
    """Score how near a lone king is to mate: little room, near the edge, the other king beside him."""
    king, own = board.king(not white), board.king(white)
    if king is None or own is None:
        return 0
    closed = attacks_of_pieces(board, men, board.occupied & ~(1 << king), white=white)
    closed |= board.occupied_co[not white] & ~(1 << king)
    free = (chess.BB_KING_ATTACKS[king] & ~closed).bit_count()
    room = _room(1 << king, closed).bit_count()
    file, rank = king & 7, king >> 3
    edge = min(file, 7 - file) + min(rank, 7 - rank)
    return (
        -_FREE_SQUARE_COST * free
        - _ROOM * room
        - _EDGE * edge
        - _KING_DISTANCE_COST * chess.square_distance(king, own)
    )


def _room(king: int, closed: int) -> int:
    """Return all squares that a king can walk to without crossing closed ones."""
    room, grown = 0, king
    while grown != room:
        room = grown
        wide = room | (room & ~chess.BB_FILE_H) << 1 | (room & ~chess.BB_FILE_A) >> 1
        grown = room | (wide | wide << 8 | wide >> 8) & chess.BB_ALL & ~closed
    return room
