"""Computes two ratings after a game, and how long a rating stays on the leaderboard."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from corr import limits
from corr.game import rating
from corr.game.rating import Rating
from corr.words.board import Pair, Side


class KnownRating(NamedTuple):
    """A rating and the end of the game that produced it; `at` is None if unrated."""

    rating: Rating = Rating()
    at: datetime | None = None

    def passed(self, now: datetime) -> float:
        """Return the number of rating periods since then."""
        return rating.periods(now - self.at) if self.at else 0.0

    def shown(self, now: datetime) -> str:
        """Return the rating as everybody reads it now."""
        return rating.age_rating(self.rating, self.passed(now)).shown


_SCORES = {Side.WHITE: 1.0, None: 0.5, Side.BLACK: 0.0}


def rate_game(before: Pair[KnownRating], winner: Side | None, now: datetime) -> Pair[Rating]:
    """Return both ratings after a game that ends now."""
    ratings = Pair(before.white.rating, before.black.rating)
    passed = Pair(before.white.passed(now), before.black.passed(now))
    return rating.rate_game(ratings, _SCORES[winner], passed)


def listed_until(known: Rating, opponents: int, at: datetime) -> datetime | None:
    """Return when a rating leaves the leaderboard; None if it is not on it."""
    if known.deviation > rating.PROVISIONAL or opponents < limits.LISTED_OPPONENTS:
        return None
    return at + min(limits.LISTED_AFTER_GAME, rating.reliable_span(known))
