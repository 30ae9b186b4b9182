"""How strong somebody is held to be in a variant by now, and the games by which that came about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from corr.game.rating import Rating, aged, periods
from corr.store.tables import RatingRow


@dataclass(frozen=True, slots=True)
class Strength:
    """A rating, how many games that count were won, drawn and lost, and when the last of them was over."""

    rating: Rating
    won: int
    drawn: int
    lost: int
    last: datetime

    @property
    def games(self) -> int:
        """How many games have counted."""
        return self.won + self.drawn + self.lost

    @property
    def within(self) -> int:
        """By how many points the rating may well be off."""
        return round(self.rating.deviation)


class KeptStrength(NamedTuple):
    """The same as it is kept: as it was after the last game."""

    rating: float
    deviation: float
    volatility: float
    won: int
    drawn: int
    lost: int
    rated_at: datetime

    def by(self, now: datetime) -> Strength:
        """What has become of it."""
        known = Rating(self.rating, self.deviation, self.volatility)
        known = aged(known, periods(now - self.rated_at))
        return Strength(known, self.won, self.drawn, self.lost, self.rated_at)


#: What is asked for a `KeptStrength`.
KEPT_STRENGTH = (
    RatingRow.rating,
    RatingRow.deviation,
    RatingRow.volatility,
    RatingRow.won,
    RatingRow.drawn,
    RatingRow.lost,
    RatingRow.rated_at,
)
