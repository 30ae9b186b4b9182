"""When an answer is given: at a moment that does not tell how much else the house has to do."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class Pace:
    """In which steps answers are given, in seconds, and how much is added to each by lot."""

    #: Answers are ready long before it is over; one that is not waits for the end of the next one.
    span: float
    #: The average of the lot, which has no end, so that no answer is too late to be one by lot.
    blur: float

    def rest(self, taken: float) -> float:
        """How long an answer that has taken so many seconds still waits."""
        if not self.span:
            return 0.0
        lot: float = random.expovariate(1 / self.blur)  # no secret: it need not be guessed, only not be known
        return self.span - taken % self.span + lot

    def moment(self, asked: datetime, ready: datetime) -> datetime:
        """When an answer is given that was asked for at one moment, and is ready at another."""
        return ready + timedelta(seconds=self.rest((ready - asked).total_seconds()))


PAGES = Pace(0.040, 0.015)
#: More is done for a letter, on the way there and back: it is judged, with what the other side has ordered ahead.
LETTERS = Pace(0.100, 0.015)
#: It is not always one's turn: a house player thinks at once, and keeps its answer to itself for so long.
PROGRAMS = Pace(15.0, 1.0)
#: For a house whose clock stands still.
AT_ONCE = Pace(0.0, 0.0)
