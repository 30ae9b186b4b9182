"""A section's table reckoned anew from its games alone. It imports nothing of the house."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Meeting(NamedTuple):
    """A game of a section by its players' numbers; who has won, "draw", or "void"."""

    white: int
    black: int
    result: str

    def points_of(self, number: int) -> int:
        """In halves."""
        if self.result == "draw":
            return 1
        return 2 * (number == {"white": self.white, "black": self.black}.get(self.result))

    def other(self, number: int) -> int:
        return self.black if number == self.white else self.white


class Standing(NamedTuple):
    """What somebody has: points in halves, Sonneborn-Berger in quarters, points among those who have as much, wins."""

    points: int
    sonneborn_berger: int
    mutual: int
    wins: int


def standings(numbers: Iterable[int], meetings: Iterable[Meeting]) -> dict[int, Standing]:
    """Of each number; void games count for nobody."""
    counts = [each for each in meetings if each.result != "void"]
    own = {number: [each for each in counts if number in (each.white, each.black)] for number in numbers}
    points = {number: sum(each.points_of(number) for each in games) for number, games in own.items()}
    berger = {
        number: sum(each.points_of(number) * points[each.other(number)] for each in games)
        for number, games in own.items()
    }
    return {
        number: Standing(
            points[number],
            berger[number],
            sum(
                each.points_of(number)
                for each in games
                if (points[number], berger[number])
                == (points[each.other(number)], berger[each.other(number)])
            ),
            sum(each.points_of(number) == 2 for each in games),
        )
        for number, games in own.items()
    }


def places(standings: dict[int, Standing]) -> dict[int, tuple[int, int]]:
    """From which place to which each stands."""
    better = {number: sum(other > own for other in standings.values()) for number, own in standings.items()}
    level = {number: sum(other == own for other in standings.values()) for number, own in standings.items()}
    return {number: (better[number] + 1, better[number] + level[number]) for number in standings}
