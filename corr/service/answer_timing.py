"""Delays answers, so that their time does not reveal how much else the server has to do."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class AnswerPace:
    """A pace of answers: they wait for the next step, in seconds, plus a random delay."""

    #: The length of a step: answers are ready well within it; a slower one waits for the end of the next step.
    span: float
    #: The average random delay; it has no maximum, so that any delay could be random.
    blur: float

    def rest(self, taken: float) -> float:
        """Return how many seconds an answer still waits after taking `taken` seconds."""
        if not self.span:
            return 0.0
        lot: float = random.expovariate(1 / self.blur)  # need not be unguessable, only unknown
        return self.span - taken % self.span + lot

    def moment(self, asked: datetime, ready: datetime) -> datetime:
        """Return when to give an answer, from the times of its request and its completion."""
        return ready + timedelta(seconds=self.rest((ready - asked).total_seconds()))


PAGES = AnswerPace(0.040, 0.015)
#: An email takes more work on the way in and out: the server judges it and the other side's orders for next turns.
EMAILS = AnswerPace(0.100, 0.015)
#: A bot thinks at once but answers later, as its turns do not come at regular times.
BOTS = AnswerPace(15.0, 1.0)
#: The pace of a server whose clock is stopped, as in tests.
AT_ONCE = AnswerPace(0.0, 0.0)
