"""Ratings and tables of sections calculated anew from games alone, with nothing of the server.

The formulas are those of Mark Glickman's "Example of the Glicko-2 system", on its own scale and in its own letters.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

TAU, PERIODS_A_DAY, SCALE = 0.75, 0.21436, 173.7178
START, LEAST_DEVIATION, MOST_DEVIATION, MOST_A_GAME = (1500.0, 500.0, 0.09), 45.0, 500.0, 700.0
#: In microseconds, as the tables keep moments.
DAY = 86_400_000_000
BETWEEN_TWO, LATELY = 3, 30 * DAY

Figures = tuple[float, float, float]


class Game(NamedTuple):
    """A rated game that is over; `annulled` by an operator."""

    variant: str
    ended_at: int
    white: int
    black: int
    winner: str | None
    annulled: bool


@dataclass
class Rating:
    """A player's rating in a variant (rating, deviation, volatility), and whom they met for it."""

    figures: Figures = START
    last: int | None = None
    results: list[float] = field(default_factory=list)
    opponents: set[int] = field(default_factory=set)

    @property
    def played(self) -> tuple[int, int, int, int]:
        """Won, drawn and lost, and with how many others."""
        won, drawn, lost = (self.results.count(result) for result in (1.0, 0.5, 0.0))
        return won, drawn, lost, len(self.opponents)


class Reckoned(NamedTuple):
    """All ratings by player and variant, and why each game does not count, empty where it does."""

    ratings: dict[tuple[int, str], Rating]
    uncounted: list[str]


def reckon(games: Iterable[Game], one_person: set[frozenset[int]]) -> Reckoned:
    """The ratings that games make, in the order in which they ended; `one_person` are pairs with one mailbox."""
    ratings: dict[tuple[int, str], Rating] = defaultdict(Rating)
    counted: dict[frozenset[int], list[int]] = defaultdict(list)
    uncounted = []
    for game in games:
        pair = frozenset((game.white, game.black))
        lately = sum(at > game.ended_at - LATELY for at in counted[pair])
        why = "annulled" if game.annulled else "person" if pair in one_person else ""
        why = why or ("three" if lately >= BETWEEN_TWO else "")
        uncounted.append(why)
        if not why:
            counted[pair].append(game.ended_at)
            rate(ratings[game.white, game.variant], ratings[game.black, game.variant], game)
    return Reckoned(dict(ratings), uncounted)


def rate(white: Rating, black: Rating, game: Game) -> None:
    """Change two ratings by a game that counts, each by the other's of before it."""
    score = {"white": 1.0, "black": 0.0, None: 0.5}[game.winner]
    before = white.figures, black.figures
    for own, was, other, result, met in (
        (white, before[0], before[1], score, game.black),
        (black, before[1], before[0], 1 - score, game.white),
    ):
        days = (game.ended_at - own.last) / DAY if own.last else 0.0
        own.figures, own.last = glicko(was, other, result, max(0.0, days)), game.ended_at
        own.results.append(result)
        own.opponents.add(met)


def glicko(own: Figures, other: Figures, s: float, days: float) -> Figures:
    """A rating after one game and so many days, held to what a game may change."""
    mu, phi, sigma = (own[0] - 1500) / SCALE, own[1] / SCALE, own[2]
    mu_j, phi_j = (other[0] - 1500) / SCALE, other[1] / SCALE
    g = 1 / math.sqrt(1 + 3 * phi_j**2 / math.pi**2)
    expected = 1 / (1 + math.exp(-g * (mu - mu_j)))
    v = 1 / (g**2 * expected * (1 - expected))
    sigma = volatility(sigma, phi, v, v * g * (s - expected))
    phi_star = min(math.sqrt(phi**2 + days * PERIODS_A_DAY * sigma**2), MOST_DEVIATION / SCALE)
    phi = 1 / math.sqrt(1 / phi_star**2 + 1 / v)
    moved = SCALE * phi**2 * g * (s - expected)
    return (
        own[0] + math.copysign(min(abs(moved), MOST_A_GAME), moved),
        min(max(SCALE * phi, LEAST_DEVIATION), MOST_DEVIATION),
        sigma,
    )


def volatility(sigma: float, phi: float, v: float, delta: float) -> float:
    """Step 5, as the paper has it."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        e = math.exp(x)
        return e * (delta**2 - phi**2 - v - e) / (2 * (phi**2 + v + e) ** 2) - (x - a) / TAU**2

    upper = math.log(delta**2 - phi**2 - v) if delta**2 > phi**2 + v else a - TAU
    while delta**2 <= phi**2 + v and f(upper) < 0:
        upper -= TAU
    lower, f_lower, f_upper = a, f(a), f(upper)
    while abs(upper - lower) > 1e-6:
        c = lower + (lower - upper) * f_lower / (f_upper - f_lower)
        f_c = f(c)
        if f_c * f_upper <= 0:
            lower, f_lower = upper, f_upper
        else:
            f_lower /= 2
        upper, f_upper = c, f_c
    return math.exp(lower / 2)


class Meeting(NamedTuple):
    """A game of a section by its players' numbers; who has won, "draw", or "void"."""

    white: int
    black: int
    result: str

    def points_of(self, number: int) -> int:
        """In halves."""
        winner = {"white": self.white, "black": self.black}.get(self.result)
        return 1 if self.result == "draw" else 2 * (number == winner)

    def other(self, number: int) -> int:
        return self.black if number == self.white else self.white


class Standing(NamedTuple):
    """Points in halves, Sonneborn-Berger in quarters, points among those who have as much, wins."""

    points: int
    sonneborn_berger: int
    mutual: int
    wins: int


def standings(numbers: Iterable[int], meetings: Iterable[Meeting]) -> dict[int, Standing]:
    """Of each number; void games count for nobody."""
    counts = [each for each in meetings if each.result != "void"]
    own = {number: [each for each in counts if number in (each.white, each.black)] for number in numbers}
    points = {one: sum(each.points_of(one) for each in games) for one, games in own.items()}
    berger = {one: sum(each.points_of(one) * points[each.other(one)] for each in own[one]) for one in own}

    def standing(one: int) -> Standing:
        level = [each for each in own[one] if _are_level(one, each.other(one))]
        wins = sum(each.points_of(one) == 2 for each in own[one])
        return Standing(points[one], berger[one], sum(each.points_of(one) for each in level), wins)

    def _are_level(one: int, other: int) -> bool:
        return (points[one], berger[one]) == (points[other], berger[other])

    return {one: standing(one) for one in own}


def places(standings: dict[int, Standing]) -> dict[int, tuple[int, int]]:
    """From which place to which each stands."""
    better = {number: sum(other > own for other in standings.values()) for number, own in standings.items()}
    level = {number: sum(other == own for other in standings.values()) for number, own in standings.items()}
    return {number: (better[number] + 1, better[number] + level[number]) for number in standings}
