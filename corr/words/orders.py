"""Defines orders: everything a player can write, from a move or `any?` to a command such as `resign`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from corr.words.board import SQUARES, PieceKind


@dataclass(frozen=True, slots=True)
class Move:
    """A move from one square to another, `e2e4` or `e7e8n`."""

    origin: int
    target: int
    promotion: PieceKind | None = None

    def __str__(self) -> str:
        letter = self.promotion.letter.lower() if self.promotion else ""
        return SQUARES[self.origin] + SQUARES[self.target] + letter


class Castle(StrEnum):
    """Castling, written as its own word."""

    SHORT = "o-o"
    LONG = "o-o-o"


@dataclass(frozen=True, slots=True)
class PawnTry:
    """`px`: the only possible pawn capture."""

    promotion: PieceKind | None = None

    def __str__(self) -> str:
        return f"px={self.promotion.letter}" if self.promotion else "px"


@dataclass(frozen=True, slots=True)
class Drop:
    """A drop of a piece from the reserve, `N@f5`."""

    man: PieceKind
    square: int

    def __str__(self) -> str:
        return f"{self.man.letter}@{SQUARES[self.square]}"


@dataclass(frozen=True, slots=True)
class Pass:
    """A turn without a move, where a variant allows it."""

    def __str__(self) -> str:
        return "pass"


Step: TypeAlias = Move | Castle | Drop


@dataclass(frozen=True, slots=True)
class Tries:
    """Moves to be tried in order until one succeeds."""

    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return ", ".join(str(step) for step in self.steps)


@dataclass(frozen=True, slots=True)
class Ask:
    """The question `any?`, with what to try after each answer."""

    yes: Tries | None = None
    no: Tries | None = None

    def __str__(self) -> str:
        branches = [f"{word}: {tries}" for word, tries in (("yes", self.yes), ("no", self.no)) if tries]
        return " ".join(["any?", " / ".join(branches)]).strip()


@dataclass(frozen=True, slots=True)
class Deploy:
    """A set-up of the side's own pieces, or the name of a prepared one."""

    men: tuple[tuple[PieceKind, int], ...] = ()
    name: str = ""

    def __str__(self) -> str:
        men = [man.letter + SQUARES[square] for man, square in self.men]
        return " ".join(["deploy", *men, *([self.name] if self.name else [])])


@dataclass(frozen=True, slots=True)
class SetupChoices:
    """Several set-ups, in order of preference."""

    deploys: tuple[Deploy, ...]

    def __str__(self) -> str:
        return "; ".join(map(str, self.deploys))


Act: TypeAlias = Move | Castle | PawnTry | Drop | Pass | Tries | Ask | Deploy


@dataclass(frozen=True, slots=True)
class SenseBranch:
    """What to do if a sensed square holds something: `if e5=p: d4e5`."""

    square: int
    what: str
    act: Act

    def __str__(self) -> str:
        return f"if {SQUARES[self.square]}={self.what}: {self.act}"


@dataclass(frozen=True, slots=True)
class Sense:
    """A look at a square (or at none), and what to do after it."""

    square: int | None
    branches: tuple[SenseBranch, ...] = ()
    otherwise: Act | None = None

    def __str__(self) -> str:
        head = f"sense {'none' if self.square is None else SQUARES[self.square]}"
        tail = [f"else {self.otherwise}"] if self.otherwise is not None else []
        return "; ".join([head, *map(str, self.branches), *tail])


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on what the umpire will say: `capture e5`, `tries>0`."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Branch:
    """What to try if all of some conditions hold."""

    conditions: tuple[Condition, ...]
    tries: Tries

    def __str__(self) -> str:
        return f"if {' and '.join(map(str, self.conditions))}: {self.tries}"


@dataclass(frozen=True, slots=True)
class StandingOrders:
    """Orders for the next turn, under conditions on what the umpire will say; without branches, unconditional."""

    branches: tuple[Branch, ...]
    otherwise: Tries | None = None

    def __str__(self) -> str:
        if not self.branches:
            return str(self.otherwise)
        tail = [f"else {self.otherwise}"] if self.otherwise is not None else []
        return "; ".join([*map(str, self.branches), *tail])


@dataclass(frozen=True, slots=True)
class Command:
    """An order about the match, emails or the player: `resign`, `show`, `note …`."""

    word: str
    rest: str = ""

    def __str__(self) -> str:
        return f"{self.word} {self.rest}".strip()


class Origin(StrEnum):
    """The construct that contained an order put to the umpire."""

    PLAIN = ""
    LIST = "list"
    BRANCH = "branch"
    STANDING = "standing"


Order: TypeAlias = Act | SetupChoices | Sense | StandingOrders | Command
