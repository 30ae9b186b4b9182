"""Glicko-2, compared with Glickman's example and with the package `glicko2`."""

from __future__ import annotations

import math
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr.game.rating import (
    GameResult,
    Rating,
    age_rating,
    expected_score,
    periods,
    rate_game,
    reliable_span,
    update_rating,
)
from corr.words.board import Pair

ONE_PERIOD = Pair(1.0, 1.0)
ratings = st.builds(
    Rating,
    st.floats(400, 3000),
    st.floats(45, 500),
    st.floats(0.03, 0.12),
)
scores = st.sampled_from([0.0, 0.5, 1.0])


def test_glickmans_example() -> None:
    results = [
        GameResult(Rating(1400, 30), 1),
        GameResult(Rating(1550, 100), 0),
        GameResult(Rating(1700, 300), 0),
    ]

    rated = update_rating(Rating(1500, 200, 0.06), results, 1)

    # Glickman rounds intermediate results, and his volatility is for tau = 0.5.
    assert rated.rating == pytest.approx(1464.06, abs=0.02)
    assert rated.deviation == pytest.approx(151.52, abs=0.01)
    assert rated.volatility == pytest.approx(0.05999, abs=0.00001)


def cases() -> list[str]:
    """Return examples computed by the package `glicko2`."""
    lines = (Path(__file__).parent / "glicko2.cases").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize("case", cases())
def test_it_agrees_with_the_package_glicko2(case: str) -> None:
    given, _, expected = case.partition(" -> ")
    own, *results = ([float(number) for number in each.split()] for each in given.split(";"))
    rating, deviation = map(float, expected.split())

    rated = update_rating(
        Rating(*own), [GameResult(Rating(each[0], each[1]), each[2]) for each in results], 1
    )

    assert rated.rating == pytest.approx(rating, abs=0.05)
    assert rated.deviation == pytest.approx(deviation, abs=0.05)


@given(ratings, ratings, scores)
def test_after_a_very_long_time_a_player_counts_as_new(own: Rating, other: Rating, score: float) -> None:
    newcomer = own._replace(deviation=500.0)

    rated = update_rating(own, [GameResult(other, score)], 1e6)

    assert rated.deviation == pytest.approx(update_rating(newcomer, [GameResult(other, score)], 0).deviation)


@given(ratings, ratings, scores)
def test_the_volatility_solves_glickmans_equation(own: Rating, other: Rating, score: float) -> None:
    rated = update_rating(own, [GameResult(other, score)], 1)

    assert root(own, other, score) == pytest.approx(rated.volatility, abs=1e-7)


def root(own: Rating, other: Rating, score: float) -> float:
    """Solve step 5 for the volatility by bisection, in Glickman's notation."""
    phi, phi_j = own.deviation / 173.7178, other.deviation / 173.7178
    g = 1 / math.sqrt(1 + 3 * phi_j**2 / math.pi**2)
    e = 1 / (1 + math.exp(-g * (own.rating - other.rating) / 173.7178))
    v = 1 / (g**2 * e * (1 - e))
    delta, a = v * g * (score - e), math.log(own.volatility**2)

    def f(x: float) -> float:
        whole = phi**2 + v + math.exp(x)
        return math.exp(x) * (delta**2 - whole) / (2 * whole**2) - (x - a) / 0.75**2

    low, high = a - 2, a + 2  # there may be other roots farther away
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return math.exp(low / 2)


@given(ratings, ratings, scores)
def test_swapping_colours_swaps_the_ratings(white: Rating, black: Rating, score: float) -> None:
    rated = rate_game(Pair(white, black), score, ONE_PERIOD)
    swapped = rate_game(Pair(black, white), 1 - score, ONE_PERIOD)

    assert (rated.white, rated.black) == (swapped.black, swapped.white)


@given(ratings, ratings, scores, st.floats(0, 2000))
def test_a_game_changes_a_rating_by_at_most_700_and_deviations_stay_in_range(
    white: Rating, black: Rating, score: float, passed: float
) -> None:
    rated = rate_game(Pair(white, black), score, Pair(passed, 0.0))

    for before, now in ((white, rated.white), (black, rated.black)):
        assert abs(now.rating - before.rating) <= 700 + 1e-9
        assert 45 <= now.deviation <= 500


@given(ratings, ratings)
def test_the_winner_gains_and_the_loser_loses_points(white: Rating, black: Rating) -> None:
    rated = rate_game(Pair(white, black), 1, Pair(0.0, 0.0))

    assert rated.white.rating > white.rating
    assert rated.black.rating < black.rating


def test_a_deviation_of_60_grows_to_110_within_a_year() -> None:
    own = Rating(1500, 60, 0.06)

    assert age_rating(own, periods(timedelta(days=365))).deviation == pytest.approx(110, abs=0.1)
    assert reliable_span(own) / timedelta(days=365) == pytest.approx(1, abs=0.01)


def test_a_deviation_never_exceeds_a_new_players() -> None:
    assert age_rating(Rating(1500, 490, 0.09), 10_000).deviation == Rating().deviation


def test_negative_time_counts_as_none() -> None:
    assert periods(timedelta(days=-3)) == 0


def test_a_provisional_rating_has_a_question_mark() -> None:
    assert (Rating().shown, Rating(1622.5, 109.9).shown, Rating(1622.4, 110).shown) == (
        "1500?",
        "1622",
        "1622?",
    )


@given(ratings, ratings)
def test_the_expected_score_is_between_0_and_1(own: Rating, other: Rating) -> None:
    assert 0 <= expected_score(own, other) <= 1
    assert math.isclose(expected_score(own, own), 0.5)
