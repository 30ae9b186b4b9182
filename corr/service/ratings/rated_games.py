"""Defines rated games and queries for them; computes ratings, and who is listed by the limits in `corr/limits.py`."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, ColumnElement, ScalarSelect, bindparam, func, or_, select

from corr import limits
from corr.game import rating
from corr.game.rating import Rating
from corr.store.rows import columns_of
from corr.store.tables import Moment, RatedGameRow
from corr.words.board import Pair, Side


class KnownRating(NamedTuple):
    """A rating and the end of the game that produced it; `at` is None if unrated."""

    rating: Rating = Rating()
    at: datetime | None = None

    def passed(self, now: datetime) -> float:
        """Return how many rating periods have passed since that game; 0 if unrated."""
        return rating.periods(now - self.at) if self.at else 0.0

    def shown(self, now: datetime) -> str:
        """Return the rating in text as pages show it, aged until now."""
        return rating.age_rating(self.rating, self.passed(now)).shown


_SCORES = {Side.WHITE: 1.0, None: 0.5, Side.BLACK: 0.0}


def compute_ratings(before: Pair[KnownRating], winner: Side | None, now: datetime) -> Pair[Rating]:
    """Return both ratings after a game that ends now."""
    ratings = Pair(before.white.rating, before.black.rating)
    passed = Pair(before.white.passed(now), before.black.passed(now))
    return rating.rate_game(ratings, _SCORES[winner], passed)


def listed_until(known: Rating, opponents: int, at: datetime) -> datetime | None:
    """Return when a rating leaves the leaderboard; None if it isn't reliable enough for it."""
    if known.deviation > rating.PROVISIONAL or opponents < limits.LISTED_OPPONENTS:
        return None
    return at + min(limits.LISTED_AFTER_GAME, rating.reliable_span(known))


class Uncounted(StrEnum):
    """Why a rated game doesn't count, as `rating_updates.py` finds; NOT if it counts."""

    NOT = ""
    THREE = "three"  # the limit of recent counted games between the two is reached
    PERSON = "person"  # the players share a mailbox
    ANNULLED = "annulled"  # an admin annulled it


class StoredRatedGame(NamedTuple):
    """A rated game with the ratings before and after it."""

    id: int
    game_id: int
    variant: str
    ended_at: datetime
    white_id: int
    black_id: int
    winner: str | None
    uncounted: str
    white_rating: float
    white_deviation: float
    white_volatility: float
    white_rating_after: float
    white_deviation_after: float
    white_volatility_after: float
    white_rated_at: datetime | None
    black_rating: float
    black_deviation: float
    black_volatility: float
    black_rating_after: float
    black_deviation_after: float
    black_volatility_after: float
    black_rated_at: datetime | None

    @property
    def players(self) -> Pair[int]:
        return Pair(self.white_id, self.black_id)

    @property
    def both(self) -> frozenset[int]:
        """Both players, regardless of their sides."""
        return frozenset((self.white_id, self.black_id))

    @property
    def won_by(self) -> Side | None:
        return Side(self.winner) if self.winner else None

    @property
    def before(self) -> Pair[KnownRating]:
        white = Rating(self.white_rating, self.white_deviation, self.white_volatility)
        black = Rating(self.black_rating, self.black_deviation, self.black_volatility)
        return Pair(KnownRating(white, self.white_rated_at), KnownRating(black, self.black_rated_at))


RATED_GAMES_QUERY = select(*columns_of(StoredRatedGame, RatedGameRow))


def is_between(one: BindParameter[int], other: BindParameter[int]) -> ColumnElement[bool]:
    """Return a condition for the games between two players, on either side."""
    one_way = (RatedGameRow.white_id == one) & (RatedGameRow.black_id == other)
    other_way = (RatedGameRow.white_id == other) & (RatedGameRow.black_id == one)
    return or_(one_way, other_way)


_IS_COUNTED = RatedGameRow.uncounted == Uncounted.NOT


def select_recent_count(one: BindParameter[int], other: BindParameter[int]) -> ScalarSelect[int]:
    """Build a subquery that counts the games that counted between two players, ended after bind parameter `since`."""
    since = RatedGameRow.ended_at > bindparam("since", type_=Moment)
    return (
        select(func.count())
        .select_from(RatedGameRow)
        .where(is_between(one, other), _IS_COUNTED, since)
        .scalar_subquery()
    )


def have_met(one: BindParameter[int], other: BindParameter[int]) -> ColumnElement[bool]:
    """Build a condition: whether any game between two players ever counted in bind parameter `variant`."""
    in_variant = RatedGameRow.variant == bindparam("variant")
    return select(RatedGameRow.id).where(is_between(one, other), _IS_COUNTED, in_variant).exists()


def rating_columns(before: Pair[KnownRating], now: Pair[Rating]) -> dict[str, Any]:
    """Return the columns of a RatedGameRow for both ratings before and after a game."""
    values: dict[str, Any] = {}
    for side in Side:
        values |= {f"{side}_{name}": value for name, value in before[side].rating._asdict().items()}
        values |= {f"{side}_{name}_after": value for name, value in now[side]._asdict().items()}
        values[f"{side}_rated_at"] = before[side].at
    return values
