"""When an answer is given: at a moment that does not tell how much else the house has to do."""

from __future__ import annotations

import random
import time

from flask import Response, g

from corr.web.visit import is_near

#: Answers are ready long before it is over; one that is not waits for the end of the next one.
_SPAN = 0.040
#: On the average so much is added by lot, without an end, so that no answer is too late to be one by lot.
_BLUR = 0.015


def begin() -> None:
    """Remember when something was asked."""
    g.begun = time.monotonic()


def keep(response: Response) -> Response:
    """Wait until an answer may be given. Who is on this machine sees by other means how busy it is."""
    if not is_near():
        time.sleep(rest(time.monotonic() - g.begun))
    return response


def rest(taken: float) -> float:
    """How long an answer that has taken so many seconds still waits."""
    blur: float = random.expovariate(1 / _BLUR)  # no secret: it need not be guessed, only not be known
    return _SPAN - taken % _SPAN + blur
