"""Decides who may challenge whom in a pyramid (limit: `corr/limits.py`), and how a game changes the levels. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from corr import limits
from corr.game.pairings_and_standings import EMAIL_COLUMNS, cut, width
from corr.words.board import Pair, Side

BASE = 1  # the level at which everybody enters


class Climber(NamedTuple):
    """A player in a pyramid: their level, and the number of games they play or are about to begin."""

    number: int
    name: str
    level: int = BASE
    games: int = 0

    @property
    def is_busy(self) -> bool:
        return self.games >= limits.PYRAMID_GAMES


class Hindrance(StrEnum):
    """Why a player cannot be challenged."""

    YOURSELF = "yourself"
    TOO_HIGH = "too_high"
    TOO_LOW = "too_low"
    YOU_ARE_BUSY = "you_are_busy"
    THEY_ARE_BUSY = "they_are_busy"


def find_hindrance(challenger: Climber, challenged: Climber) -> Hindrance | None:
    """Say why one player cannot challenge another now, the most lasting reason first; None if they can."""
    if challenger.number == challenged.number:
        return Hindrance.YOURSELF
    if challenged.level < challenger.level:
        return Hindrance.TOO_LOW
    if challenged.level > challenger.level + 1:
        return Hindrance.TOO_HIGH
    if challenger.is_busy:
        return Hindrance.YOU_ARE_BUSY
    return Hindrance.THEY_ARE_BUSY if challenged.is_busy else None


def list_challengeable(challenger: Climber, others: Iterable[Climber]) -> tuple[Climber, ...]:
    """Return the players whom this one may challenge now."""
    return tuple(other for other in others if find_hindrance(challenger, other) is None)


def levels_after_game(levels: Pair[int], winner: Side | None) -> Pair[int]:
    """Return both levels after a game: the winner rises and the loser falls; a draw changes none."""
    if winner is None:
        return levels
    loser = winner.other
    fallen = levels.with_value(loser, max(BASE, levels[loser] - 1))
    return fallen.with_value(winner, levels[winner] + 1)


def draw_pyramid(climbers: Iterable[Climber]) -> str:
    """Draw the pyramid for an email, highest level first; no line of it can be read as an order."""
    levels = dict[int, list[str]]()
    for climber in climbers:
        levels.setdefault(climber.level, []).append(climber.name)
    highest = max(levels, default=0)
    head = len(f"| Level {highest}: ")
    return "\n".join(
        line for level in range(highest, 0, -1) for line in _level(level, levels.get(level, ["-"]), head)
    )


def _level(level: int, names: Iterable[str], head: int) -> Iterator[str]:
    first = f"| Level {level}: "
    for line in _lines(names, EMAIL_COLUMNS - head):
        yield first.ljust(head) + line
        first = "| "


def _lines(names: Iterable[str], room: int) -> Iterator[str]:
    """Fill lines with comma-separated names without breaking a name."""
    line = ""
    for name in (cut(each, room - 1) for each in names):
        if line and width(f"{line}, {name},") > room:
            yield f"{line},"
            line = name
        else:
            line = f"{line}, {name}" if line else name
    yield line
