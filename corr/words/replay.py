"""Defines what a finished game's page and PGN read: its scenes, boards, orders and analyses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from corr.words.board import Pair, Side
from corr.words.slips import Outcome, Sight, Slip

#: What a turning point wins at least: a knight or a bishop.
_LEAST_GAIN = 3


class RefusedTries(NamedTuple):
    """Tries that were refused one after another, and what the umpire said to each."""

    orders: tuple[str, ...]
    said: str


@dataclass(frozen=True, slots=True)
class DisclosedOrders:
    """What everybody may read of a side's orders once its game is over."""

    #: The construct around a half-move, by its number, unless it stood alone.
    stood: Mapping[int, str] = field(default_factory=dict)
    #: By the number of half-moves made before.
    tries: Mapping[int, tuple[RefusedTries, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CompletedGame:
    """A finished game: its players, date and result, and all slips of both sides."""

    game: str
    site: str
    begun: str  # the day, as PGN writes it
    time_control: str  # as PGN writes it
    players: Pair[str]
    slips: Pair[tuple[Slip, ...]]
    outcome: Outcome
    disclosed: Pair[DisclosedOrders] = field(default=Pair(DisclosedOrders(), DisclosedOrders()))
    licence: str = ""  # the licence for everybody


@dataclass(frozen=True, slots=True)
class SquareChanges:
    """What a half-move did to squares of a board, if the viewer was told."""

    moved: tuple[str, ...] = ()  # from and to which squares; empty if nothing moved
    taken: tuple[str, ...] = ()
    checked: tuple[str, ...] = ()  # the squares of kings in check
    kinds: tuple[str, ...] = ()  # of the check, if only that was told
    #: The squares from the king to each piece that gives check, where seen.
    between: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A finished game after a half-move: the board, each side's view, and the words until the next."""

    turn: Side
    fen: str
    whole: Sight
    marks: SquareChanges  # of the whole board
    sights: Pair[Sight]
    marked: Pair[SquareChanges]  # of what each side saw
    said: tuple[str, ...]  # to both, and to each alone
    told: Pair[tuple[str, ...]]  # the same as each side heard it
    legal: Pair[tuple[str, ...]]  # what each side could move, if it were its turn


@dataclass(frozen=True, slots=True)
class Analysis:
    """A position of a finished game after moves that nobody made in it."""

    turn: Side
    fen: str
    whole: Sight
    marks: SquareChanges
    moves: tuple[str, ...]
    legal: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished game to step through, from scene 0 before the first half-move."""

    clashes: int  # how often both sides had to deploy anew
    moves: tuple[str, ...]
    scores: Pair[tuple[str, ...]]  # the same as each side knew them
    ending: str
    scene: Callable[[int], Scene]
    sight: Callable[[int, Side | None], Sight]  # one side's view of a scene, or the whole board
    analysed: Callable[[int, tuple[str, ...]], Analysis]  # a scene's position after further moves
    #: White's pieces less Black's at each scene, with a pawn as 1 and without the kings.
    material: tuple[int, ...]

    @property
    def last(self) -> int:
        """The number of half-moves, which is also the number of the last scene."""
        return len(self.moves)

    def find_turning_point(self, winner: Side | None) -> int | None:
        """Return the winner's move (in a draw, anyone's) that won most material; None if none won a piece."""
        gains = dict[int, int]()
        for side in (winner,) if winner else Side:
            worth = [each if side is Side.WHITE else -each for each in self.material]
            for number in range(1, len(worth)):
                if worth[number] > worth[number - 1]:
                    # A capture and its recapture are an exchange, so neither alone has won anything.
                    before = max(worth[max(number - 2, 0) : number])
                    gains[number] = worth[min(number + 1, self.last)] - before
        best = max(sorted(gains), key=gains.__getitem__, default=None)
        return best if best is not None and gains[best] >= _LEAST_GAIN else None
