"""Ratings reckoned anew from games alone. It imports nothing of the house, so that no mistake of it is made twice.

The formulas are those of Mark Glickman's "Example of the Glicko-2 system", on its own scale and in its own letters.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

TAU, PERIODS_A_DAY, SCALE = 0.75, 0.21436, 173.7178
START, LEAST_DEVIATION, MOST_DEVIATION, MOST_A_GAME = (1500.0, 500.0, 0.09), 45.0, 500.0, 700.0
BETWEEN_TWO, LATELY = 3, timedelta(days=30)


class Game(NamedTuple):
    """A rated game that is over; `annulled` by an operator."""

    variant: str
    ended_at: datetime
    white: int
    black: int
    winner: str | None
    annulled: bool


@dataclass
class Rating:
    """A player's rating in a variant, and whom they met for it."""

    rating: float = START[0]
    deviation: float = START[1]
    volatility: float = START[2]
    last: datetime | None = None
    results: list[float] = field(default_factory=list)
    opponents: set[int] = field(default_factory=set)

    @property
    def figures(self) -> tuple[float, float, float]:
        return self.rating, self.deviation, self.volatility

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
    counted: dict[frozenset[int], list[datetime]] = defaultdict(list)
    uncounted = []
    for game in games:
        pair = frozenset((game.white, game.black))
        since = game.ended_at - LATELY
        if game.annulled:
            why = "annulled"
        elif pair in one_person:
            why = "person"
        else:
            why = "three" if sum(at > since for at in counted[pair]) >= BETWEEN_TWO else ""
        uncounted.append(why)
        if not why:
            counted[pair].append(game.ended_at)
            rate(ratings[game.white, game.variant], ratings[game.black, game.variant], game)
    return Reckoned(dict(ratings), uncounted)


def rate(white: Rating, black: Rating, game: Game) -> None:
    """What a game that counts makes of two ratings, each by the other's of before it."""
    score = {"white": 1.0, "black": 0.0, None: 0.5}[game.winner]
    before = white.figures, black.figures
    for own, was, other, result, met in (
        (white, before[0], before[1], score, game.black),
        (black, before[1], before[0], 1 - score, game.white),
    ):
        days = (game.ended_at - own.last).total_seconds() / 86_400 if own.last else 0.0
        own.rating, own.deviation, own.volatility = glicko(was, other, result, max(0.0, days))
        own.last = game.ended_at
        own.results.append(result)
        own.opponents.add(met)


def glicko(
    own: tuple[float, float, float], other: tuple[float, float, float], s: float, days: float
) -> tuple[float, float, float]:
    """A rating after one game and so many days, held to what a game may change."""
    mu, phi, sigma = (own[0] - 1500) / SCALE, own[1] / SCALE, own[2]
    mu_j, phi_j = (other[0] - 1500) / SCALE, other[1] / SCALE
    g = 1 / math.sqrt(1 + 3 * phi_j**2 / math.pi**2)
    expected = 1 / (1 + math.exp(-g * (mu - mu_j)))
    v = 1 / (g**2 * expected * (1 - expected))
    delta = v * g * (s - expected)
    sigma = volatility(sigma, phi, v, delta)
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


def chance(own: float, other: float, deviation: float) -> float:
    """Which part of the points somebody may expect of another, whose deviation is known."""
    g = 1 / math.sqrt(1 + 3 * (deviation / SCALE) ** 2 / math.pi**2)
    return 1 / (1 + math.exp(-g * (own - other) / SCALE))
