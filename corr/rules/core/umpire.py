"""Defines what every umpire is and returns: the protocol, the truth, the ruling."""

from __future__ import annotations

from typing import Generic, NamedTuple, Protocol, TypeVar

import chess

from corr.rules.core.checks import Siege
from corr.words.board import Pair, Side
from corr.words.orders import Order, Step
from corr.words.slips import Losses, Outcome, Sight, Slip, Verdict
from corr.words.view import Card

#: What an umpire knows of its variant's game; no other module looks into it.
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

#: The sides by python-chess's colour, under names that are faster to look up than the enumeration's.
SIDES = BLACK, WHITE = Side.BLACK, Side.WHITE


class Memo(NamedTuple):
    """What this turn has heard so far, if the variant remembers it; empty again after a move."""

    refused: frozenset[tuple[int, int]] = frozenset()  # attempts, by their two squares, or piece and square
    any: bool | None = None  # the answer to "any?"
    bound: bool = False  # whether a pawn capture must be tried next


NOTHING_REMEMBERED = Memo()


class Truth(NamedTuple):
    """What only the umpire of a chess variant knows. Its board never changes: moves are made on a copy."""

    board: chess.Board
    siege: Siege  # of the king of the side to move
    lost: Pair[Losses]  # since the start
    sights: Pair[Sight]  # what each side sees of it
    keys: bytes  # eight for each position since the last irreversible one, oldest first
    tries: int  # how many pawn captures the side to move has
    over: bool
    memo: Memo = NOTHING_REMEMBERED
    reserves: Pair[str] | None = None  # what each side may drop, in a variant with drops
    reported: int = 0  # the squares of a spy's report just made, which the side that has moved still sees

    def __repr__(self) -> str:
        return f"<Truth after {self.board.ply()} moves>"


class Ruling(NamedTuple, Generic[T_co]):
    """What the umpire decided: the new truth, and a slip for each side."""

    truth: T_co
    verdict: Verdict
    slips: Pair[Slip | None]  # None: that side is told nothing, not even that something happened
    turn: Side | None
    outcome: Outcome | None = None


class Umpire(Protocol[T]):
    """One variant's umpire. It keeps nothing between two calls."""

    @property
    def card(self) -> Card:
        """The variant's catalogue card."""

    def start(self, fen: str | None = None) -> Ruling[T]:
        """Set up the pieces and give both sides their first slip; Refused for an unplayable position."""

    def judge(self, truth: T, side: Side, order: Order) -> Ruling[T]:
        """Answer this side's order, without changing the given truth."""

    def is_vain(self, truth: T, step: Step, /) -> bool:
        """Whether the side to move could know that a step is impossible.

        It raises Refused if the step is no move that may be in a list here.
        """

    def resigned(self, truth: T, side: Side) -> Ruling[T]:
        """End the game because this side resigns."""

    def agreed(self, truth: T) -> Ruling[T]:
        """End the game as a draw by agreement."""

    def flagged(self, truth: T, side: Side) -> Ruling[T]:
        """End the game because this side has run out of time."""

    def abandoned(self, truth: T, side: Side) -> Ruling[T]:
        """End the game without a result because this side has left it."""

    def left(self, truth: T, side: Side) -> Ruling[T]:
        """End the game, which this side loses by leaving its event."""

    def adjudicated(self, truth: T, outcome: Outcome) -> Ruling[T]:
        """End the game as an admin has decided."""

    def options(self, sight: Sight) -> tuple[str, ...]:
        """Return every move that the side's own pieces allow, possible or not."""

    def legal(self, board: chess.Board) -> tuple[str, ...]:
        """Return every legal move on this board, a secret until the end of the game."""

    def turn(self, truth: T) -> Side | None:
        """Return whose turn it is; None after the end."""

    def plies(self, truth: T) -> int:
        """Return how many moves both sides have made, counted from move one."""

    def fen(self, truth: T) -> str:
        """Return the whole position as FEN, a secret until the end of the game."""

    def pack(self, truth: T) -> bytes:
        """Pack a snapshot that `restore` can read in any process."""

    def restore(self, data: bytes) -> T:
        """Restore a snapshot, in time that does not grow with the game."""
