"""Defines an umpire's interface, its secret state (the truth), and what it returns for an order (a ruling)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, NamedTuple, Protocol, TypeVar

import chess

from corr.rules.core import announcements
from corr.rules.core.checks import Siege
from corr.words.board import Pair, Side
from corr.words.orders import Order, Step
from corr.words.slips import Fact, Losses, Outcome, Sight, Slip, Verdict
from corr.words.view import VariantInfo

#: The sides by python-chess's colour, under names that are faster to look up than the enumeration's.
SIDES = BLACK, WHITE = Side.BLACK, Side.WHITE


class Memo(NamedTuple):
    """What the umpire has said in this turn, if the variant needs it; empty again after a move."""

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

    @property
    def turn(self) -> Side | None:
        return None if self.over else SIDES[self.board.turn]


class AnyTruth(Protocol):
    """What every truth has, whatever else its variant needs."""

    @property
    def board(self) -> chess.Board: ...

    @property
    def sights(self) -> Pair[Sight]: ...

    @property
    def over(self) -> bool: ...

    @property
    def turn(self) -> Side | None:
        """The side that must give the next order; None after the end, and while both must deploy."""


T = TypeVar("T", bound=AnyTruth)  # what an umpire knows of its variant's game; no other module looks into it
T_co = TypeVar("T_co", covariant=True)


class Ruling(NamedTuple, Generic[T_co]):
    """What the umpire decided: the new truth, and a slip for each side."""

    truth: T_co
    verdict: Verdict
    slips: Pair[Slip | None]  # None: that side is told nothing, not even that something happened
    turn: Side | None
    outcome: Outcome | None = None


class Umpire(ABC, Generic[T]):
    """One variant's umpire. It keeps nothing between two calls."""

    card: VariantInfo

    @abstractmethod
    def start(self, fen: str | None = None) -> Ruling[T]:
        """Set up the pieces and give both sides their first slip; Refused for an unplayable position."""

    @abstractmethod
    def judge(self, truth: T, side: Side, order: Order) -> Ruling[T]:
        """Judge a side's order: return the new truth and what each side is told."""

    @abstractmethod
    def is_knowably_impossible(self, truth: T, step: Step) -> bool:
        """Whether the side to move could see that a move is impossible; Refused if no list may have it."""

    @abstractmethod
    def end(self, truth: T, fact: Fact, outcome: Outcome) -> Ruling[T]:
        """End the game for a reason off the board, which `fact` announces."""

    @abstractmethod
    def possible_tries(self, sight: Sight) -> tuple[str, ...]:
        """Return every try that the side's own pieces allow, whether or not the umpire will allow it."""

    @abstractmethod
    def legal(self, board: chess.Board) -> tuple[str, ...]:
        """Return every legal move on this board, a secret until the end of the game."""

    @abstractmethod
    def fen(self, truth: T) -> str:
        """Return the whole position as FEN, a secret until the end of the game."""

    @abstractmethod
    def pack(self, truth: T) -> bytes:
        """Encode the truth for the database, so that `restore` can decode it in any process."""

    @abstractmethod
    def restore(self, data: bytes) -> T:
        """Decode what `pack` wrote, as fast in a long game as in a short one; else ValueError."""

    def can_mate(self, _truth: T, _side: Side) -> bool:
        """Whether a side can still win once the other has run out of time."""
        return True

    def turn(self, truth: T) -> Side | None:
        """Return the side that must give the next order; None after the end, and while both must deploy."""
        return truth.turn

    def plies(self, truth: T) -> int:
        """Return how many moves both sides have made, counted from move one."""
        return truth.board.ply()

    def resigned(self, truth: T, side: Side) -> Ruling[T]:
        """End the game with a win for the opponent."""
        return self.end(truth, announcements.resignation_fact(side), Outcome(side.other, "resignation"))

    def agreed(self, truth: T) -> Ruling[T]:
        """End the game as a draw."""
        return self.end(truth, announcements.end_fact("agreement", None), Outcome(None, "agreement"))

    def flagged(self, truth: T, side: Side) -> Ruling[T]:
        """End the game because this side has run out of time: a draw if the opponent could not win."""
        draw = not self.can_mate(truth, side.other)
        outcome = Outcome(None if draw else side.other, "time")
        return self.end(truth, announcements.time_fact(side, draw=draw), outcome)

    def abandoned(self, truth: T, side: Side) -> Ruling[T]:
        """End the game without result, since a side has left it."""
        return self.end(truth, announcements.abandoned_fact(side), Outcome(None, "void"))

    def left(self, truth: T, side: Side) -> Ruling[T]:
        """End the game with a win for the opponent, since the side has left the event."""
        return self.end(truth, announcements.left_event_fact(side), Outcome(side.other, "resignation"))

    def adjudicated(self, truth: T, outcome: Outcome) -> Ruling[T]:
        """End the game as an admin has decided."""
        return self.end(truth, announcements.adjudication_fact(outcome), outcome)
