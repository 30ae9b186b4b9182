"""What a game makes of two ratings, by when either was rated last; and for how long one stands among others."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from corr import limits
from corr.game import rating
from corr.game.rating import Rating
from corr.words.board import Pair, Side


class Known(NamedTuple):
    """A rating, and when the game was over by which it came about; none of who was never rated."""

    rating: Rating = Rating()
    at: datetime | None = None

    def passed(self, now: datetime) -> float:
        """How many periods have passed since then."""
        return rating.periods(now - self.at) if self.at else 0.0

    def shown(self, now: datetime) -> str:
        """As everybody reads it by now."""
        return rating.aged(self.rating, self.passed(now)).shown


_SCORES = {Side.WHITE: 1.0, None: 0.5, Side.BLACK: 0.0}


def after(before: Pair[Known], winner: Side | None, now: datetime) -> Pair[Rating]:
    """Both ratings after a game that is over now."""
    ratings = Pair(before.white.rating, before.black.rating)
    passed = Pair(before.white.passed(now), before.black.passed(now))
    return rating.after_game(ratings, _SCORES[winner], passed)


def listed_until(known: Rating, opponents: int, at: datetime) -> datetime | None:
    """Until when a rating stands on the leaderboard that came about at a moment; None where it does not."""
    if known.deviation > rating.PROVISIONAL or opponents < limits.LISTED_OPPONENTS:
        return None
    return at + min(limits.LISTED_FOR, rating.known_for(known))


def is_one_too_many(lately: int) -> bool:
    """Whether a game does not count, for so many between the same two have counted of late."""
    return lately >= limits.RATED_BETWEEN_TWO


def since(now: datetime) -> datetime:
    """From when on games between the same two are counted."""
    return now - limits.RATED_OF_LATE
