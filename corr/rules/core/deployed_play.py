"""Plays games whose pieces were deployed in secret, with spies in some variants."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import chess

from corr.rules.core import checks, moves, setups, snapshot
from corr.rules.core.checks import BETWEEN, CASTLINGS, Siege
from corr.rules.core.endings import find_progress_draw
from corr.rules.core.moves import Capture, find_capture
from corr.rules.core.notation import possible_tries
from corr.rules.core.played_move import PlayedMove, position_key
from corr.rules.core.referee import Referee
from corr.rules.core.sights import count_own_turns, hide_loss_kinds, make_sight, sights_after_end
from corr.rules.core.umpire import BLACK, SIDES, WHITE, Ruling, Truth
from corr.words.board import SQUARES, Pair, PieceKind, Side
from corr.words.errors import Refused
from corr.words.slips import Losses, Sight

_TWO_ROWS = 16


@dataclass(frozen=True, slots=True)
class PieceMovement:
    """How a variant's pieces move: whether knights are spies, and whether pawns may step twice."""

    spies: bool
    doubles: bool

    def find_checks_and_pins(self, board: chess.Board, color: chess.Color) -> Siege:
        """Return a colour's king, the pieces that check him, and his own pieces that alone block a line piece."""
        king, checkers, pinned = checks.find_siege(board, color)
        return king, checkers & self._attackers(board), pinned

    def board_after(self, board: chess.Board, move: chess.Move) -> chess.Board | None:
        """Return the board after a move of the side to move; None if it is illegal."""
        own = board.occupied_co[board.turn]
        if not own >> move.from_square & 1 or own >> move.to_square & 1:
            return None
        if not self.reaches(board, board.occupied, move):
            return None
        after = moves.make_move(board, move)
        return None if self.find_checks_and_pins(after, board.turn)[1] else after

    def reaches(self, board: chess.Board, occupied: int, move: chess.Move) -> bool:
        """Whether the piece can make this move past the occupied squares, ignoring its king's safety."""
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
        return any(self.board_after(board, move) for move in self._steps(board, own))

    def legal_moves(self, board: chess.Board) -> Iterator[chess.Move]:
        """Yield every legal move except captures of the king; a promotion only once, without its new piece."""
        own = board.occupied_co[board.turn]
        king = board.kings & own
        castling = (chess.Move(*squares) for squares in CASTLINGS if king >> squares[0] & 1)
        for move in (*self._steps(board, own), *castling):
            if not board.kings >> move.to_square & 1 and self.board_after(board, move) is not None:
                yield move

    def pawn_tries(self, board: chess.Board) -> int:
        """Count the pawn captures of the side to move, each pair of squares once."""
        pawns = board.pawns & board.occupied_co[board.turn]
        targets = board.occupied_co[not board.turn]
        if board.ep_square is not None:
            targets |= 1 << board.ep_square
        return sum(
            self.board_after(board, chess.Move(origin, target)) is not None
            for origin in chess.scan_reversed(pawns)
            for target in chess.scan_reversed(chess.BB_PAWN_ATTACKS[board.turn][origin] & targets)
        )

    def count_en_passant(self, board: chess.Board) -> int:
        """Count the legal captures en passant."""
        square = board.ep_square
        if square is None:
            return 0
        pawns = board.pawns & board.occupied_co[board.turn]
        takers = chess.BB_PAWN_ATTACKS[not board.turn][square] & pawns
        return sum(
            self.board_after(board, chess.Move(origin, square)) is not None
            for origin in chess.scan_reversed(takers)
        )

    def _attackers(self, board: chess.Board) -> int:
        """Return a mask of the pieces that can attack; spies attack nothing."""
        return ~board.knights if self.spies else -1

    def _is_attacked(self, board: chess.Board, square: int) -> bool:
        return board.attackers_mask(not board.turn, square) & self._attackers(board) != 0

    def _castles(self, board: chess.Board, occupied: int, squares: tuple[int, int]) -> bool:
        """Whether castling is possible: the right exists, and no piece blocks or attacks the way."""
        king, king_to, rook = squares[0], squares[1], CASTLINGS[squares].rook
        if not board.castling_rights >> rook & 1 or BETWEEN[king][rook] & occupied:
            return False
        return not any(self._is_attacked(board, square) for square in (king, (king + king_to) // 2, king_to))

    def _steps(self, board: chess.Board, own: int) -> Iterator[chess.Move]:
        """Yield moves among which there is a legal one, if any; castling needn't be among them."""
        for origin in chess.scan_reversed(own):
            ahead = _ahead(board, origin) if board.pawns >> origin & 1 else 0
            for target in chess.scan_reversed((board.attacks_mask(origin) | ahead) & ~own):
                yield chess.Move(origin, target)


def _ahead(board: chess.Board, origin: int) -> int:
    """Return the two squares in front of a pawn, as a bitboard."""
    start = 1 << origin
    return (start << 8 | start << 16) & chess.BB_ALL if board.turn else start >> 8 | start >> 16


VERSION = 0x4D
_HEAD = struct.Struct("<BQ")
#: Older snapshots also held what each side had been shown: the kings' first squares, then two reports.
_OLD_VERSION = 0x4C
_HEAD_BEFORE, _REPORT_BEFORE = struct.Struct("<BBBQ"), struct.Struct("<HB")
_NO_LOSSES = Pair(Losses(), Losses())

#: Decides how a position ends the game, by its checkers and whether there is no move; None if it goes on.
EndFinder = Callable[[chess.Board, int, bool], str | None]


@dataclass(frozen=True, slots=True)
class DeployedRules:
    """The rules of deployed pieces: how they move, how a game ends, and whether a side could still mate."""

    movement: PieceMovement
    ends: EndFinder
    can_mate: Callable[[Truth, Side], bool]
    becomes: str = "qrbn"

    def first(self, board: chess.Board) -> PlayedMove:
        """Compute the position in which play begins."""
        return self._settled(board, b"", None, _NO_LOSSES, 0)

    def play(self, truth: Truth, move: chess.Move) -> PlayedMove | None:
        """Make a move on the true board; None if it is illegal."""
        board = self.movement.board_after(truth.board, move)
        if board is None:
            return None
        taken, other, lost = find_capture(truth.board, move), SIDES[board.turn], truth.lost
        if taken:
            lost = lost.with_value(other, Losses(lost[other].men + 1, (lost[other].pawns or 0) + taken.pawn))
        before = truth.keys if board.halfmove_clock else b""
        reported = chess.BB_KING_ATTACKS[move.to_square] if self.reports(truth.board, move) else 0
        return self._settled(board, before, taken, lost, reported)

    def reports(self, board: chess.Board, move: chess.Move) -> bool:
        """Whether a move is made by a spy, who reports what is around him."""
        return self.movement.spies and board.knights >> move.from_square & 1 == 1

    def _settled(
        self, board: chess.Board, before: bytes, capture: Capture | None, lost: Pair[Losses], reported: int
    ) -> PlayedMove:
        """Compute what the umpire must know of a new position; a spy has just seen `reported`."""
        king, checkers, _ = siege = self.movement.find_checks_and_pins(board, board.turn)
        keys = before + position_key(board, self.movement.count_en_passant(board))
        end = self.ends(board, checkers, not self.movement.can_move(board)) or find_progress_draw(board, keys)
        sights = sights_after_end(board, lost) if end else _sights(board, lost, reported)
        tries = self.movement.pawn_tries(board)
        truth = Truth(board, siege, lost, sights, keys, tries, end is not None, reported=reported)
        return PlayedMove(truth, capture, checks.find_kinds(king, checkers) if checkers else 0, end)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeployedReferee(Referee):
    """The umpire of play once both sides have deployed their pieces."""

    field: DeployedRules

    def start(self, fen: str | None = None) -> Ruling[Truth]:
        assert fen is not None
        board = setups.parse_deployed_fen(fen)
        if not self.field.movement.doubles:
            board.ep_square = None
        if self.field.movement.find_checks_and_pins(board, not board.turn)[1]:
            raise Refused("This position can't be played: the side that isn't to move is in check.")
        return self.begin(self.field.first(board))

    def can_mate(self, truth: Truth, side: Side) -> bool:
        return self.field.can_mate(truth, side)

    def possible_tries(self, sight: Sight) -> tuple[str, ...]:
        pawns = {SQUARES[square] for square in sight.own_pieces().get(PieceKind.PAWN, ())}
        doubles = self.field.movement.doubles
        return tuple(
            move
            for move in possible_tries(sight)
            if move[4:] in ("", *self.field.becomes)
            and (doubles or move[:2] not in pawns or abs(int(move[3]) - int(move[1])) == 1)
        )

    def legal(self, board: chess.Board) -> tuple[str, ...]:
        """Return every legal move, with one for each piece a pawn can become."""
        last, becomes = chess.BB_RANK_8 if board.turn else chess.BB_RANK_1, self.field.becomes
        return tuple(
            move.uci() + letter
            for move in self.field.movement.legal_moves(board)
            for letter in (
                becomes if (board.pawns >> move.from_square & last >> move.to_square) & 1 else ("",)
            )
        )

    def fen(self, truth: Truth) -> str:
        """Write a FEN that names an en passant square only if a pawn can capture there."""
        return truth.board.fen(
            en_passant="fen" if self.field.movement.count_en_passant(truth.board) else "legal"
        )

    def pack(self, truth: Truth) -> bytes:
        """Encode the truth for the database: the squares of a spy's last report, then the snapshot."""
        return _HEAD.pack(VERSION, truth.reported) + snapshot.pack(truth)

    def restore(self, data: bytes) -> Truth:
        reported, rest = _unpack_reports(data)
        truth = snapshot.restore(rest)
        siege = self.field.movement.find_checks_and_pins(truth.board, truth.board.turn)
        sights = truth.sights if truth.over else _sights(truth.board, truth.lost, reported)
        return truth._replace(siege=siege, sights=sights, reported=reported)


def contents_around(board: chess.Board, square: int) -> tuple[tuple[int, str], ...]:
    """Return the squares next to a square, each with its FEN letter or a dot, from the a-file on."""
    squares = sorted(chess.scan_forward(chess.BB_KING_ATTACKS[square]), key=lambda each: (each & 7, each))
    men = ((each, board.piece_at(each)) for each in squares)
    return tuple((each, man.symbol() if man else ".") for each, man in men)


def _sights(board: chess.Board, lost: Pair[Losses], reported: int) -> Pair[Sight]:
    return Pair(_sight(board, WHITE, lost, reported), _sight(board, BLACK, lost, reported))


def _sight(board: chess.Board, side: Side, lost: Pair[Losses], reported: int) -> Sight:
    """Show a side its own pieces, and a spy's report until the opponent has moved."""
    seen = board.occupied_co[side is WHITE]
    if side is not SIDES[board.turn]:
        seen |= reported
    return make_sight(board, side, hide_loss_kinds(lost, side), seen, turn=count_own_turns(board, side))


def _unpack_reports(data: bytes) -> tuple[int, bytes]:
    """Split what `pack` wrote, in any version, into a spy's reported squares and the snapshot."""
    if data[:1] == bytes([VERSION]):
        _, reported = _HEAD.unpack_from(data)
        return reported, data[_HEAD.size :]
    if data[:1] != bytes([_OLD_VERSION]):
        raise ValueError("This snapshot has another version.")
    *_, reported = _HEAD_BEFORE.unpack_from(data)
    at = _HEAD_BEFORE.size
    for _ in range(2):
        _, squares = _REPORT_BEFORE.unpack_from(data, at)
        at += _REPORT_BEFORE.size + 2 * squares
    return reported, data[at:]
