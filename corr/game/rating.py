"""Computes Glicko-2 ratings game by game, with time passing in fractions of a period. Pure.

The steps are those of Mark Glickman's "Example of the Glicko-2 system": http://www.glicko.net/glicko/glicko2.pdf.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import NamedTuple

from corr.words.board import Pair

_SCALE, _MIDDLE = 173.7178, 1500.0
TAU = 0.75  # how much a volatility may change
_EXACT = 1e-6
#: A rating is provisional from the first deviation on; the others are the least and the greatest deviation.
PROVISIONAL, LOWEST_DEVIATION, _HIGHEST_DEVIATION = 110.0, 45.0, 500.0
_LARGEST_CHANGE = 700.0  # the most points by which one game moves a rating
PERIODS_A_DAY = 0.21436  # at this rate, a deviation of 60 grows to 110 within a year


class Rating(NamedTuple):
    """A player's estimated strength, how far off it may be, and how much it fluctuates."""

    rating: float = _MIDDLE
    deviation: float = _HIGHEST_DEVIATION
    volatility: float = 0.09

    @property
    def is_provisional(self) -> bool:
        return self.deviation >= PROVISIONAL

    @property
    def shown(self) -> str:
        """The rating as everybody sees it."""
        return f"{round(self.rating)}{'?' if self.is_provisional else ''}"


class GameResult(NamedTuple):
    """An opponent and the result against them: 1 for a win, a half for a draw."""

    opponent: Rating
    score: float


def periods(span: timedelta) -> float:
    """Return how many rating periods pass in a span of time; none if it is negative."""
    return max(0.0, span / timedelta(days=1) * PERIODS_A_DAY)


def age_rating(rating: Rating, passed: float) -> Rating:
    """Return a rating after this many periods without a game: only its deviation grows."""
    grown = math.hypot(rating.deviation, rating.volatility * _SCALE * math.sqrt(passed))
    return rating._replace(deviation=min(_HIGHEST_DEVIATION, grown))


def reliable_span(rating: Rating) -> timedelta:
    """Return how long a rating stays reliable without a further game."""
    passed = (PROVISIONAL**2 - rating.deviation**2) / (rating.volatility * _SCALE) ** 2
    return timedelta(days=max(0.0, passed / PERIODS_A_DAY))


def expected_score(rating: Rating, opponent: Rating) -> float:
    """Return the share of the points a player may expect against an opponent."""
    return _win_probability((rating.rating - opponent.rating) / _SCALE, opponent.deviation / _SCALE)


def rate_game(before: Pair[Rating], white: float, passed: Pair[float]) -> Pair[Rating]:
    """Return both ratings after a game, given White's score and the periods since their last games."""
    own_white = update_rating(before.white, [GameResult(before.black, white)], passed.white)
    own_black = update_rating(before.black, [GameResult(before.white, 1 - white)], passed.black)
    return Pair(_limit_change(before.white, own_white), _limit_change(before.black, own_black))


def _limit_change(before: Rating, now: Rating) -> Rating:
    """Limit how far one game moves a rating, and keep the deviation within its bounds."""
    moved = max(-_LARGEST_CHANGE, min(_LARGEST_CHANGE, now.rating - before.rating))
    return Rating(
        before.rating + moved, max(LOWEST_DEVIATION, min(_HIGHEST_DEVIATION, now.deviation)), now.volatility
    )


def update_rating(rating: Rating, met: Sequence[GameResult], passed: float) -> Rating:
    """Return a rating after this many periods and these games: steps 2 to 8 of the Glicko-2 paper."""
    mean, deviation = (rating.rating - _MIDDLE) / _SCALE, rating.deviation / _SCALE
    variance, surprise = _measure_results(mean, met)
    volatility = _volatility(rating.volatility, deviation, variance, variance * surprise)
    before = min(deviation**2 + passed * volatility**2, (_HIGHEST_DEVIATION / _SCALE) ** 2)
    square = 1 / (1 / before + 1 / variance)
    return Rating(_MIDDLE + _SCALE * (mean + square * surprise), _SCALE * math.sqrt(square), volatility)


def _measure_results(mean: float, met: Sequence[GameResult]) -> tuple[float, float]:
    """Return the results' variance, and how far they beat expectation: steps 3 and 4 of the Glicko-2 paper."""
    told = surprise = 0.0
    for (rating, deviation, _), score in met:
        weight = _weight(deviation / _SCALE)
        chance = _win_probability(mean - (rating - _MIDDLE) / _SCALE, deviation / _SCALE)
        told += weight**2 * chance * (1 - chance)
        surprise += weight * (score - chance)
    return 1 / told, surprise


def _weight(deviation: float) -> float:
    """Return how much a game counts against an opponent with this deviation: Glicko's g."""
    return 1 / math.sqrt(1 + 3 * (deviation / math.pi) ** 2)


def _win_probability(difference: float, deviation: float) -> float:
    """Return the expected score for a difference in strength: Glicko's E."""
    return 1 / (1 + math.exp(-_weight(deviation) * difference))


def _volatility(volatility: float, deviation: float, variance: float, improvement: float) -> float:
    """Find the new volatility by the Illinois algorithm: step 5 of the Glicko-2 paper."""
    start = math.log(volatility**2)

    def off(at: float) -> float:
        grown = math.exp(at)
        whole = deviation**2 + variance + grown
        return grown * (improvement**2 - whole) / (2 * whole**2) - (at - start) / TAU**2

    low, high = start, _far_end(off, start, improvement**2 - deviation**2 - variance)
    off_low, off_high = off(low), off(high)
    while abs(high - low) > _EXACT:
        middle = low + (low - high) * off_low / (off_high - off_low)
        off_middle = off(middle)
        if off_middle * off_high <= 0:
            low, off_low = high, off_high
        else:
            off_low /= 2
        high, off_high = middle, off_middle
    return math.exp(low / 2)


def _far_end(off: Callable[[float], float], start: float, excess: float) -> float:
    """Return the other end of the interval in which the new volatility is searched."""
    if excess > 0:
        return math.log(excess)
    steps = 1
    while off(start - steps * TAU) < 0:
        steps += 1
    return start - steps * TAU
