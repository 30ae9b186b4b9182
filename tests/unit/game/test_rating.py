"""Glicko-2, held against Glickman's own example and against what the package `glicko2` makes of others."""

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

NOT_AT_ONCE = Pair(1.0, 1.0)
ratings = st.builds(
    Rating,
    st.floats(400, 3000),
    st.floats(45, 500),
    st.floats(0.03, 0.12),
)
scores = st.sampled_from([0.0, 0.5, 1.0])


def test_glickmans_own_example_comes_out_as_he_has_it() -> None:
    met = [
        GameResult(Rating(1400, 30), 1),
        GameResult(Rating(1550, 100), 0),
        GameResult(Rating(1700, 300), 0),
    ]

    found = update_rating(Rating(1500, 200, 0.06), met, 1)

    # His paper rounds to what it shows; with its last digit but one of a volatility that tau = 0.5 makes, 0.05999.
    assert found.rating == pytest.approx(1464.06, abs=0.02)
    assert found.deviation == pytest.approx(151.52, abs=0.01)
    assert found.volatility == pytest.approx(0.05999, abs=0.00001)


def cases() -> list[str]:
    """What another program has reckoned."""
    lines = (Path(__file__).parent / "glicko2.cases").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize("case", cases())
def test_it_agrees_with_the_package_glicko2(case: str) -> None:
    given, _, made = case.partition(" -> ")
    own, *met = ([float(number) for number in each.split()] for each in given.split(";"))
    rating, deviation = map(float, made.split())

    found = update_rating(Rating(*own), [GameResult(Rating(each[0], each[1]), each[2]) for each in met], 1)

    assert found.rating == pytest.approx(rating, abs=0.05)
    assert found.deviation == pytest.approx(deviation, abs=0.05)


@given(ratings, ratings, scores)
def test_however_long_ago_somebody_is_known_no_less_than_who_never_played(
    own: Rating, other: Rating, score: float
) -> None:
    newcomer = own._replace(deviation=500.0)

    found = update_rating(own, [GameResult(other, score)], 1e6)

    assert found.deviation == pytest.approx(update_rating(newcomer, [GameResult(other, score)], 0).deviation)


@given(ratings, ratings, scores)
def test_a_volatility_is_the_root_of_glickmans_equation(own: Rating, other: Rating, score: float) -> None:
    found = update_rating(own, [GameResult(other, score)], 1)

    assert root(own, other, score) == pytest.approx(found.volatility, abs=1e-7)


def root(own: Rating, other: Rating, score: float) -> float:
    """The volatility of step 5, found by halving, in his letters."""
    phi, phi_j = own.deviation / 173.7178, other.deviation / 173.7178
    g = 1 / math.sqrt(1 + 3 * phi_j**2 / math.pi**2)
    e = 1 / (1 + math.exp(-g * (own.rating - other.rating) / 173.7178))
    v = 1 / (g**2 * e * (1 - e))
    delta, a = v * g * (score - e), math.log(own.volatility**2)

    def f(x: float) -> float:
        whole = phi**2 + v + math.exp(x)
        return math.exp(x) * (delta**2 - whole) / (2 * whole**2) - (x - a) / 0.75**2

    low, high = a - 2, a + 2  # farther off there may be others
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return math.exp(low / 2)


@given(ratings, ratings, scores)
def test_a_game_between_two_is_one_for_each(white: Rating, black: Rating, score: float) -> None:
    found = rate_game(Pair(white, black), score, NOT_AT_ONCE)
    turned = rate_game(Pair(black, white), 1 - score, NOT_AT_ONCE)

    assert (found.white, found.black) == (turned.black, turned.white)


@given(ratings, ratings, scores, st.floats(0, 2000))
def test_no_game_moves_a_rating_by_more_than_700_or_makes_it_surer_than_45(
    white: Rating, black: Rating, score: float, passed: float
) -> None:
    found = rate_game(Pair(white, black), score, Pair(passed, 0.0))

    for before, now in ((white, found.white), (black, found.black)):
        assert abs(now.rating - before.rating) <= 700 + 1e-9
        assert 45 <= now.deviation <= 500


@given(ratings, ratings)
def test_who_wins_goes_up_and_who_loses_goes_down(white: Rating, black: Rating) -> None:
    found = rate_game(Pair(white, black), 1, Pair(0.0, 0.0))

    assert found.white.rating > white.rating
    assert found.black.rating < black.rating


def test_a_deviation_of_60_grows_to_110_within_a_year() -> None:
    own = Rating(1500, 60, 0.06)

    assert age_rating(own, periods(timedelta(days=365))).deviation == pytest.approx(110, abs=0.1)
    assert reliable_span(own) / timedelta(days=365) == pytest.approx(1, abs=0.01)


def test_a_deviation_never_grows_beyond_that_of_somebody_unknown() -> None:
    assert age_rating(Rating(1500, 490, 0.09), 10_000).deviation == Rating().deviation


def test_time_that_goes_backwards_changes_nothing() -> None:
    assert periods(timedelta(days=-3)) == 0


def test_who_is_known_too_little_has_a_mark() -> None:
    assert (Rating().shown, Rating(1622.5, 109.9).shown, Rating(1622.4, 110).shown) == (
        "1500?",
        "1622",
        "1622?",
    )


@given(ratings, ratings)
def test_what_is_expected_is_a_part_of_the_points(own: Rating, other: Rating) -> None:
    assert 0 <= expected_score(own, other) <= 1
    assert math.isclose(expected_score(own, own), 0.5)
