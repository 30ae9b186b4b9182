"""Delays what pages, emails and bots answer to a fixed rhythm plus a random time, so that timing reveals nothing."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class AnswerPace:
    """How long answers wait: until an interval of `span` seconds ends, plus a random delay."""

    #: The length of a step: answers are ready well within it; a slower one waits for the end of the next step.
    span: float
    #: The average random delay; it has no maximum, so that any delay could be random.
    blur: float

    def rest(self, taken: float) -> float:
        """Return how many seconds to hold back an answer that took `taken` seconds to make."""
        if not self.span:
            return 0.0
        lot: float = random.expovariate(1 / self.blur)  # need not be unguessable, only unknown
        return self.span - taken % self.span + lot

    def moment(self, asked: datetime, ready: datetime) -> datetime:
        """Return when to give an answer that was asked for and ready at these times."""
        return ready + timedelta(seconds=self.rest((ready - asked).total_seconds()))


PAGES = AnswerPace(0.040, 0.015)
#: An email takes more work on the way in and out: the server judges it and the other side's orders for next turns.
EMAILS = AnswerPace(0.100, 0.015)
#: A bot thinks at once but answers later, as its turns do not come at regular times.
BOTS = AnswerPace(1.3, 0.05)
#: The pace of a server whose clock is stopped, as in tests.
AT_ONCE = AnswerPace(0.0, 0.0)
