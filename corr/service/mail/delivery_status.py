"""What became of letters out, to be noted: when each was handed over, or when it is tried again."""

from __future__ import annotations

import logging
import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from corr import limits
from corr.mail.outward.transport import Delivery, Fate

log = logging.getLogger(__name__)


class LetterOut(Protocol):
    """A letter of whichever tray that a worker has in hand, with what is known of the way that it goes."""

    @property
    def id(self) -> int: ...

    @property
    def number(self) -> int: ...

    @property
    def kind(self) -> str: ...

    @property
    def made_at(self) -> datetime: ...

    @property
    def due_at(self) -> datetime: ...

    @property
    def tries(self) -> int: ...

    @property
    def message(self) -> bytes | None: ...

    @property
    def any_busy(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Mark:
    """What became of a letter, and when."""

    letter: LetterOut
    delivery: Delivery
    moment: datetime

    @property
    def is_done(self) -> bool:
        """Whether the letter is out of our hands."""
        return self.delivery.fate in (Fate.SENT, Fate.SPARED)

    def noted(self) -> dict[str, object]:
        """What the tables are told, once the log was."""
        letter, why = self.letter, self.delivery.why
        values: dict[str, object] = {"leased_until": None, "trouble": why or None}
        match self.delivery.fate:
            case Fate.SENT:
                values |= {"sent_at": self.moment, "dead_at": None}
                log.info("sent an email", extra=named(letter))
            case Fate.SPARED:
                values |= {"sent_at": self.moment, "dead_at": None}
                log.info("withheld an email", extra=named(letter))
            case Fate.LATER if (
                self.moment - letter.made_at < limits.DELIVERY_LIFE or letter.tries < limits.DELIVERY_TRIES
            ):
                values["due_at"] = self.delivery.until or self.moment + wait(letter.tries)
                log.warning(
                    "could not send an email yet; will try again", extra={**named(letter), "why": why}
                )
            case _:
                values["dead_at"] = self.moment
                log.error(
                    "gave up an email; fix the cause, then run corr letter resend",
                    extra={**named(letter), "why": why},
                )
        return values


def named(letter: LetterOut) -> dict[str, object]:
    """A letter as the log names it."""
    return {"letter": letter.number, "kind": letter.kind, "tries": letter.tries}


def wait(tries: int) -> timedelta:
    """From a minute to hours, with jitter, so that a server that comes back is not overrun."""
    span = min(limits.DELIVERY_FIRST_WAIT * 2.0 ** min(tries - 1, 10), limits.DELIVERY_LONGEST_WAIT)
    jitter: float = random.uniform(0.8, 1.2)  # noqa: S311  # no secret
    return span * jitter
