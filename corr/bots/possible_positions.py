"""Holds the weighted positions that a bot considers possible, and invents boards that fit what was announced."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple, TypeAlias

import chess

from corr.bots.attacks import attacks_of_piece, attacks_of_pieces
from corr.bots.history import Observation
from corr.rules.core import checks
from corr.rules.core.notation import KIND_NUMBERS
from corr.words.board import PieceKind, Side, squares_of
from corr.words.codes import Common
from corr.words.slips import Sight

WeightedPosition: TypeAlias = tuple[Any, float]  # a possible position, and how likely it is beside others


class Belief(NamedTuple):
    """Possible positions, and the slips since the turn began that tell them from others."""

    truths: tuple[Any, ...] = ()
    turn: tuple[Observation, ...] = ()
    is_whole: bool = False  # whether no other position is possible
    weights: tuple[float, ...] = ()  # the likelihood of each; empty if all are alike
    before: Belief | None = None  # the belief before the opponent's move, while a sense is still to show it

    @property
    def weighed(self) -> list[WeightedPosition]:
        """Each position with its weight."""
        return list(zip(self.truths, self.weights or [1.0] * len(self.truths), strict=True))


def sample_positions(belief: Belief, wanted: int, chance: Random) -> list[WeightedPosition]:
    """Draw this many positions at random, likelier ones more often, with weights that stand for all positions."""
    weighed = belief.weighed
    if len(weighed) <= wanted:
        return weighed
    if not belief.weights:
        return chance.sample(weighed, wanted)
    lots = [chance.expovariate(weight) for _, weight in weighed]
    order = sorted(range(len(lots)), key=lots.__getitem__)
    chosen = [weighed[number] for number in order[:wanted]]
    return list(
        zip(
            [truth for truth, _ in chosen],
            weigh_sample([weight for _, weight in chosen], lots[order[wanted]]),
            strict=True,
        )
    )


def limit_belief(belief: Belief, wanted: int, chance: Random) -> Belief:
    """Return a belief cut to at most this many positions, for a bot in a hurry."""
    before = belief.before and limit_belief(belief.before, wanted, chance)
    if len(belief.truths) <= wanted:
        return belief._replace(before=before)
    chosen = sample_positions(belief, wanted, chance)
    truths = tuple([truth for truth, _ in chosen])
    weights = tuple([weight for _, weight in chosen]) if belief.weights else ()
    return belief._replace(truths=truths, weights=weights, is_whole=False, before=before)


def weigh_sample(weights: Sequence[float], least: float) -> list[float]:
    """Return unbiased weights of the drawn items; `least` is the first random number left out."""
    return [weight / -math.expm1(-weight * least) for weight in weights]


#: How many pieces may have moved since the position from which another is made up.
_MOVED_COUNTS = (0, 1, 1, 2, 3)
_NEARBY_CHANCE = 0.7


class PlacedPiece(NamedTuple):
    """An opposing piece and the square it may have stood on; None if that is unknown."""

    kind: chess.PieceType
    square: int | None


class PositionClues(NamedTuple):
    """What was announced of a position, if it restricts where opposing pieces can be."""

    shown: tuple[tuple[int, str], ...]  # squares that were seen, and what was there
    captured: int | None  # the square of a capture, where the captor is now
    #: The square of each later capture, and the kinds of piece it may have been.
    fell: tuple[tuple[int, frozenset[chess.PieceType]], ...]
    checks: tuple[str, ...]
    tries: int | None  # how many captures the side's own pawns have; None if it was not announced
    at_least: bool  # whether they may have more
    knights_take: bool  # False where knights are spies, which attack nothing
    kings_heed_checks: bool

    @classmethod
    def of(cls, turn: Sequence[Observation], *, is_asked: bool, knights_take: bool) -> PositionClues:
        """Collect a turn's clues; if `is_asked`, pawn captures count only after the bot's "any?"."""
        first, senses = turn[0], turn[0].slip.sight.sense_due
        check, tries = first.slip.find(Common.CHECK), first.slip.find(Common.TRIES)
        can_take: bool | None = first.slip.find(Common.PAWN_CAPTURE) is not None
        if is_asked:
            can_take = next((heard.answer for heard in turn if heard.answer is not None), None)
        kinds = check["kinds"] if check else ()
        count = tries["count"] if tries else can_take
        assert isinstance(kinds, tuple)
        assert count is None or isinstance(count, int)
        return cls(
            turn[-1].slip.sight.seen_beyond_own(),
            first.captured if first.is_opponents_move else None,
            tuple(_fallen(heard) for heard in turn[1:] if heard.captured is not None),
            kinds,
            None if senses else count,
            at_least=tries is None,
            knights_take=knights_take,
            kings_heed_checks=not senses,
        )


def own_board(sight: Sight) -> chess.Board:
    """Build a board with only the pieces that a side sees as its own."""
    board = chess.Board(None)
    white = sight.side is Side.WHITE
    for man, squares in sight.own_pieces().items():
        for square in squares:
            board.set_piece_at(square, chess.Piece(KIND_NUMBERS[man], white))
    board.promoted = sight.promoted & sight.own
    for right in sight.castling:
        corner = chess.H1 if right == "o-o" else chess.A1
        board.castling_rights |= chess.BB_SQUARES[corner if white else corner ^ 56]
    board.turn = white
    board.fullmove_number = max(1, sight.turn or 2)
    return board


def invent_board(
    own: chess.Board, men: list[PlacedPiece], clues: PositionClues, chance: Random
) -> chess.Board:
    """Return a board with the side's own pieces and these opposing ones, a few of them moved."""
    scene = _Scene(own, clues, chance)
    left = list(men)
    scene.show(left)
    scene.satisfy_clues(left)
    scene.set_up(left)
    return scene.board


class _Scene:
    """A board with the side's own pieces, onto which the opponent's are placed."""

    def __init__(self, own: chess.Board, clues: PositionClues, chance: Random) -> None:
        self.board, self._said, self._chance = own.copy(stack=False), clues, chance
        self._mine, self._theirs = own.turn, not own.turn
        self._closed = sum(1 << spot for spot, _ in clues.shown)
        king = own.king(own.turn)
        self._king = king if clues.kings_heed_checks else None
        pawns = own.pawns & own.occupied_co[own.turn]
        self._aimed = () if clues.tries is None else _aims(pawns, white=own.turn)

    def show(self, men: list[PlacedPiece]) -> None:
        """Put the pieces that were seen on their squares."""
        for spot, letter in self._said.shown:
            if letter != ".":
                kind = chess.PIECE_SYMBOLS.index(letter.lower())
                _take_nearest(men, kind, spot)
                self._put(kind, spot)

    def satisfy_clues(self, men: list[PlacedPiece]) -> None:
        """Place pieces so that the announced captures, checks and pawn tries are possible."""
        captured = self._said.captured
        if captured is not None and not self.board.occupied >> captured & 1:
            self._send(men, dict.fromkeys(chess.PIECE_TYPES, 1 << captured))
        for square, kinds in self._said.fell:
            self._send(men, dict.fromkeys(kinds, 1 << square))
        if self._king is not None:
            for kind in self._said.checks:
                self._send(men, self._checking(kind))
        lacking = (self._said.tries or 0) - self._captures()
        old_squares = sum(1 << man.square for man in men if man.square is not None)
        lacking -= sum((aim & old_squares & ~self.board.occupied).bit_count() for aim in self._aimed)
        for _ in range(lacking):
            aimed = self._all_aimed & ~old_squares
            self._send(men, dict.fromkeys(chess.PIECE_TYPES[:5], aimed))

    def set_up(self, men: list[PlacedPiece]) -> None:
        """Put the other pieces on their old squares, a few elsewhere, and the king out of check."""
        moved = set()
        if men:
            moved = {self._chance.randrange(len(men)) for _ in range(self._chance.choice(_MOVED_COUNTS))}
        for number, man in enumerate(men):
            free = self._free(man.kind)
            square = man.square
            if square is None or number in moved or not free >> square & 1:
                square = self._anywhere(man, free)
            if square is not None:
                self._put(man.kind, square)

    def _send(self, men: list[PlacedPiece], where: dict[chess.PieceType, int]) -> None:
        """Place a piece on one of these squares, if possible one that could have come from its old square."""
        able = [man for man in men if where.get(man.kind, 0) & self._open(man.kind)]
        come = [man for man in able if self._reach(man) & where[man.kind]]
        if able:
            man = self._chance.choice(come or able)
            men.remove(man)
            squares = where[man.kind] & self._open(man.kind)
            self._put(man.kind, self._chance.choice(squares_of(squares & self._reach(man) or squares)))

    def _put(self, kind: chess.PieceType, square: int) -> None:
        """Put an opposing piece on a square; a pawn on its last rank becomes a queen."""
        has_promoted = kind == chess.PAWN and square >> 3 == (7 if self._theirs else 0)
        self.board.set_piece_at(square, chess.Piece(chess.QUEEN if has_promoted else kind, self._theirs))
        if has_promoted:
            self.board.promoted |= 1 << square

    def _open(self, kind: chess.PieceType) -> int:
        """Return the unseen empty squares where a piece of this kind can be."""
        free = chess.BB_ALL & ~(self.board.occupied | self._closed)
        return free & ~chess.BB_BACKRANKS if kind == chess.PAWN else free

    def _free(self, kind: chess.PieceType) -> int:
        """Return the squares where a piece of this kind contradicts no announcement."""
        free = self._open(kind)
        if kind == chess.KING:
            return free & ~self._attacked() if self._king is not None else free
        if self._king is not None:
            free &= ~self._attacking(kind)
        most = 64 if self._said.tries and self._said.at_least else self._said.tries or 0
        if self._aimed and self._captures() >= most:
            free &= ~self._all_aimed
        return free

    def _attacking(self, kind: chess.PieceType) -> int:
        """Return the squares from which a piece of this kind checks the bot's king."""
        king, occupied = self._king, self.board.occupied
        assert king is not None
        if kind == chess.PAWN:
            return chess.BB_PAWN_ATTACKS[self._mine][king]
        if kind == chess.KNIGHT:
            return chess.BB_KNIGHT_ATTACKS[king] if self._said.knights_take else 0
        return attacks_of_piece(kind, king, occupied, white=self._theirs)

    def _checking(self, kind: str) -> dict[chess.PieceType, int]:
        """Return, for each kind of piece, the squares from which it gives this kind of check."""
        assert self._king is not None
        line = _check_origins(self._king, kind)
        return {man: self._attacking(man) & line for man in chess.PIECE_TYPES[:5]}

    def _attacked(self) -> int:
        board = self.board
        idle = 0 if self._said.knights_take else board.knights
        return attacks_of_pieces(
            board, board.occupied_co[self._mine] & ~idle, board.occupied, white=self._mine
        )

    def _captures(self) -> int:
        """Count the bot's pawn captures on the board as filled so far; two pawns aiming at one piece count twice."""
        theirs = self.board.occupied_co[self._theirs]
        return sum((aim & theirs).bit_count() for aim in self._aimed)

    @property
    def _all_aimed(self) -> int:
        """All squares that the bot's pawns attack; none if pawn tries aren't announced."""
        west, east = self._aimed or (0, 0)
        return west | east

    def _anywhere(self, man: PlacedPiece, free: int) -> int | None:
        """Choose a free square at random, mostly near the piece's old one; None if there is none."""
        near = free & self._reach(man) if self._chance.random() < _NEARBY_CHANCE else 0
        squares = squares_of(near or free)
        return self._chance.choice(squares) if squares else None

    def _reach(self, man: PlacedPiece) -> int:
        """Return where a piece could go, or a pawn capture, from its old square."""
        kind, square = man
        if square is None:
            return 0
        reach = attacks_of_piece(kind, square, self.board.occupied, white=self._theirs)
        ahead = square + (8 if self._theirs else -8)
        if kind == chess.PAWN and 0 <= ahead < len(chess.SQUARES):
            reach |= 1 << ahead
        return reach


@lru_cache(maxsize=512)
def _check_origins(king: int, kind: str) -> int:
    """Return the squares from which a check on this king has this name."""
    kinds = {
        square: checks.name_kinds(checks.find_kinds(king, 1 << square))
        for square in range(64)
        if square != king
    }
    return sum(1 << square for square, names in kinds.items() if kind in names)


def _aims(pawns: int, *, white: bool) -> tuple[int, int]:
    """Return the squares that pawns attack to the west, and those to the east."""
    if white:
        return (pawns & ~chess.BB_FILE_A) << 7, (pawns & ~chess.BB_FILE_H) << 9
    return (pawns & ~chess.BB_FILE_H) >> 7, (pawns & ~chess.BB_FILE_A) >> 9


def _fallen(observation: Observation) -> tuple[int, frozenset[chess.PieceType]]:
    """Return where the side captured a piece, and the kinds it may have been."""
    capture = observation.slip.find(Common.CAPTURE)
    assert capture
    square, man = observation.captured, capture.get("man")
    assert square is not None
    if man in KIND_NUMBERS:
        return square, frozenset([KIND_NUMBERS[PieceKind(str(man))]])
    kinds = chess.PIECE_TYPES[1:] if man == "piece" else chess.PIECE_TYPES
    return square, frozenset(kinds)


def _take_nearest(men: list[PlacedPiece], kind: chess.PieceType, square: int) -> None:
    """Remove the piece that may have come here: the nearest of its kind, or any but the king."""
    alike = [man for man in men if man.kind == kind] or [man for man in men if man.kind != chess.KING]
    if alike:
        men.remove(
            min(alike, key=lambda man: 8 if man.square is None else chess.square_distance(man.square, square))
        )
