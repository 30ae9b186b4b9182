"""Computes a player's current strength in a variant, with the counted games behind it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from corr.game.rating import Rating, age_rating, periods
from corr.store.rows import columns_of
from corr.store.tables import RatingRow


@dataclass(frozen=True, slots=True)
class Strength:
    """A rating with the counted wins, draws and losses, and the end of the last game."""

    rating: Rating
    won: int
    drawn: int
    lost: int
    last: datetime

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def within(self) -> int:
        """The likely error of the rating in points."""
        return round(self.rating.deviation)


class StoredStrength(NamedTuple):
    """A strength as stored: as of the last game."""

    rating: float
    deviation: float
    volatility: float
    won: int
    drawn: int
    lost: int
    rated_at: datetime

    def by(self, now: datetime) -> Strength:
        """Return the strength aged until now."""
        known = Rating(self.rating, self.deviation, self.volatility)
        aged = age_rating(known, periods(now - self.rated_at))
        return Strength(aged, self.won, self.drawn, self.lost, self.rated_at)


STRENGTH_COLUMNS = columns_of(StoredStrength, RatingRow)
