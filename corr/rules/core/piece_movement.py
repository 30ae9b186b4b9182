"""Moves pieces that were deployed in secret: pawns from the first row, and knights that may be spies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import chess

from corr.rules.core import checks, moves
from corr.rules.core.checks import BETWEEN, CASTLINGS, Siege

_TWO_ROWS = 16


@dataclass(frozen=True, slots=True)
class PieceMovement:
    """How a variant's pieces move: whether knights are spies, and whether pawns may step twice."""

    spies: bool
    doubles: bool

    def siege(self, board: chess.Board, color: chess.Color) -> Siege:
        """Return a colour's king, the pieces that check him, and his own pieces that alone block a line piece."""
        king, checkers, pinned = checks.find_siege(board, color)
        return king, checkers & self._attackers(board), pinned

    def attempt(self, board: chess.Board, move: chess.Move) -> chess.Board | None:
        """Return the board after a move of the side to move; None if it is illegal."""
        own = board.occupied_co[board.turn]
        if not own >> move.from_square & 1 or own >> move.to_square & 1:
            return None
        if not self.reaches(board, board.occupied, move):
            return None
        after = moves.make_move(board, move)
        return None if self.siege(after, board.turn)[1] else after

    def reaches(self, board: chess.Board, occupied: int, move: chess.Move) -> bool:
        """Whether the piece can go there, blocked by the occupied squares."""
        start, squares = 1 << move.from_square, (move.from_square, move.to_square)
        if board.knights & start and self.spies and occupied >> move.to_square & 1:
            return False
        if board.pawns & start and not self.doubles and abs(squares[1] - squares[0]) == _TWO_ROWS:
            return False
        if board.kings & start and squares in CASTLINGS:
            return self._castles(board, occupied, squares)
        return moves.can_reach(board, occupied, move)

    def can_move(self, board: chess.Board) -> bool:
        own = board.occupied_co[board.turn]
        return any(self.attempt(board, move) for move in self._steps(board, own))

    def legal(self, board: chess.Board) -> Iterator[chess.Move]:
        """Yield every legal move, a promotion only once; capturing the king is none."""
        own = board.occupied_co[board.turn]
        king = board.kings & own
        castling = (chess.Move(*squares) for squares in CASTLINGS if king >> squares[0] & 1)
        for move in (*self._steps(board, own), *castling):
            if not board.kings >> move.to_square & 1 and self.attempt(board, move) is not None:
                yield move

    def pawn_tries(self, board: chess.Board) -> int:
        """Count the pawn captures of the side to move, each pair of squares once."""
        pawns = board.pawns & board.occupied_co[board.turn]
        targets = board.occupied_co[not board.turn]
        if board.ep_square is not None:
            targets |= 1 << board.ep_square
        return sum(
            self.attempt(board, chess.Move(origin, target)) is not None
            for origin in chess.scan_reversed(pawns)
            for target in chess.scan_reversed(chess.BB_PAWN_ATTACKS[board.turn][origin] & targets)
        )

    def passing(self, board: chess.Board) -> int:
        square = board.ep_square
        if square is None:
            return 0
        pawns = board.pawns & board.occupied_co[board.turn]
        takers = chess.BB_PAWN_ATTACKS[not board.turn][square] & pawns
        return sum(
            self.attempt(board, chess.Move(origin, square)) is not None
            for origin in chess.scan_reversed(takers)
        )

    def _attackers(self, board: chess.Board) -> int:
        """Return a mask of the pieces that attack anything at all."""
        return ~board.knights if self.spies else -1

    def _is_attacked(self, board: chess.Board, square: int) -> bool:
        return board.attackers_mask(not board.turn, square) & self._attackers(board) != 0

    def _castles(self, board: chess.Board, occupied: int, squares: tuple[int, int]) -> bool:
        king, king_to, rook = squares[0], squares[1], CASTLINGS[squares].rook
        if not board.castling_rights >> rook & 1 or BETWEEN[king][rook] & occupied:
            return False
        return not any(self._is_attacked(board, square) for square in (king, (king + king_to) // 2, king_to))

    def _steps(self, board: chess.Board, own: int) -> Iterator[chess.Move]:
        """Yield steps that include a legal move if there is one.

        Castling is not needed, since a king that can castle can also step aside.
        """
        for origin in chess.scan_reversed(own):
            ahead = _ahead(board, origin) if board.pawns >> origin & 1 else 0
            for target in chess.scan_reversed((board.attacks_mask(origin) | ahead) & ~own):
                yield chess.Move(origin, target)


def _ahead(board: chess.Board, origin: int) -> int:
    start = 1 << origin
    return (start << 8 | start << 16) & chess.BB_ALL if board.turn else start >> 8 | start >> 16
