"""What every umpire is, holds and answers: the protocol, the truth, the ruling."""

from __future__ import annotations

from typing import Generic, NamedTuple, Protocol, TypeVar

import chess

from corr.rules.core.checks import Siege
from corr.words.board import Pair, Side
from corr.words.orders import Order, Step
from corr.words.slips import Outcome, Sight, Slip, Toll, Verdict
from corr.words.view import Card

#: What an umpire knows of its variant's game; nobody else looks into it.
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

#: The sides by python-chess's colour; by these names they are found faster than in the enumeration.
SIDES = BLACK, WHITE = Side.BLACK, Side.WHITE


class Memo(NamedTuple):
    """What this turn has heard so far, where the variant remembers it; empty again after a move."""

    refused: frozenset[tuple[int, int]] = frozenset()  # attempts, by the two squares, or man and square
    any: bool | None = None  # what "any?" was answered
    bound: bool = False  # a pawn capture has to be tried next


NOTHING = Memo()


class Truth(NamedTuple):
    """What only the umpire of a chess knows. Its board is never changed: whoever moves, moves on a copy."""

    board: chess.Board
    siege: Siege  # of the king whose turn it is
    lost: Pair[Toll]  # since the start
    sights: Pair[Sight]  # what each side sees of it
    keys: bytes  # eight for each position since the last that cannot come again, oldest first
    tries: int  # how many pawn captures the side to move has
    over: bool
    memo: Memo = NOTHING
    reserves: Pair[str] | None = None  # what each side may drop, where there are drops
    reported: int = (
        0  # the squares of a spy's report that was just made: the side that has moved still sees them
    )

    def __repr__(self) -> str:
        return f"<Truth after {self.board.ply()} moves>"


class Ruling(NamedTuple, Generic[T_co]):
    """What the umpire decided: the truth from now on, and what each side is handed."""

    truth: T_co
    verdict: Verdict
    slips: Pair[Slip | None]  # None: that side is told nothing, not even that something happened
    turn: Side | None
    outcome: Outcome | None = None


class Umpire(Protocol[T]):
    """One variant's referee. Keeps nothing between two calls."""

    @property
    def card(self) -> Card:
        """The variant's catalogue card."""

    def start(self, fen: str | None = None) -> Ruling[T]:
        """Set up the men and hand both sides their first slip; Refused for a position nobody can play."""

    def judge(self, truth: T, side: Side, order: Order) -> Ruling[T]:
        """Answer the order that this side gives; the truth handed in stays as it was."""

    def is_vain(self, truth: T, step: Step, /) -> bool:
        """Whether the side to move could know a step to be impossible; Refused if it is no move that is listed here."""

    def resigned(self, truth: T, side: Side) -> Ruling[T]:
        """End the game because this side gives it up."""

    def agreed(self, truth: T) -> Ruling[T]:
        """End the game as the draw that both have agreed to."""

    def flagged(self, truth: T, side: Side) -> Ruling[T]:
        """End the game because this side has run out of time."""

    def abandoned(self, truth: T, side: Side) -> Ruling[T]:
        """End the game without a result because this side has left it."""

    def left(self, truth: T, side: Side) -> Ruling[T]:
        """End the game, which this side loses by leaving the event that it belongs to."""

    def adjudicated(self, truth: T, outcome: Outcome) -> Ruling[T]:
        """End the game as the operator has decided."""

    def options(self, sight: Sight) -> tuple[str, ...]:
        """Every move that one's own men's pattern allows, possible or not."""

    def legal(self, board: chess.Board) -> tuple[str, ...]:
        """Every move that the side to move has on this board. Nobody's to see before the end."""

    def turn(self, truth: T) -> Side | None:
        """Whose turn it is; nobody's after the end."""

    def plies(self, truth: T) -> int:
        """How many moves both sides have made, counted from move one."""

    def fen(self, truth: T) -> str:
        """The whole position as FEN. Nobody's to see before the end."""

    def pack(self, truth: T) -> bytes:
        """A snapshot that `restore` reads back, in any process."""

    def restore(self, data: bytes) -> T:
        """The truth of a snapshot, in time that does not grow with the game."""
