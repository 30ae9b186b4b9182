"""Records what became of outgoing emails: when each was sent, or when it is retried."""

from __future__ import annotations

import logging
import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from corr import limits
from corr.mail.outward.transport import Delivery, DeliveryFate

log = logging.getLogger(__name__)


class OutgoingEmail(NamedTuple):
    """An email that a worker holds, with its bytes if composed."""

    id: int
    owner_id: int  # its seat, or its correspondent if it is about no game
    number: int
    kind: str
    words: str
    made_at: datetime
    due_at: datetime
    tries: int
    message: bytes | None
    has_holds: bool


@dataclass(frozen=True, slots=True)
class DeliveryMark:
    letter: OutgoingEmail
    delivery: Delivery
    moment: datetime

    @property
    def is_done(self) -> bool:
        return self.delivery.fate in (DeliveryFate.SENT, DeliveryFate.SPARED)

    def noted(self) -> dict[str, object]:
        """Log what became of the email, and return the column values to store."""
        letter, why = self.letter, self.delivery.why
        values: dict[str, object] = {"leased_until": None, "trouble": why or None}
        match self.delivery.fate:
            case DeliveryFate.SENT | DeliveryFate.SPARED as fate:
                values |= {"sent_at": self.moment, "dead_at": None}
                done = "sent an email" if fate is DeliveryFate.SENT else "withheld an email"
                log.info(done, extra=log_fields(letter))
            case DeliveryFate.LATER if (
                self.moment - letter.made_at < limits.DELIVERY_LIFE or letter.tries < limits.DELIVERY_TRIES
            ):
                values["due_at"] = self.delivery.until or self.moment + retry_delay(letter.tries)
                log.warning(
                    "could not send an email yet; will try again", extra={**log_fields(letter), "why": why}
                )
            case _:
                values["dead_at"] = self.moment
                log.error(
                    "gave up an email; fix the cause, then run corr letter resend",
                    extra={**log_fields(letter), "why": why},
                )
        return values


def log_fields(letter: OutgoingEmail) -> dict[str, object]:
    return {"letter": letter.number, "kind": letter.kind, "tries": letter.tries}


def retry_delay(tries: int) -> timedelta:
    """Return a delay from a minute to hours, with jitter to spare a recovering server."""
    span = min(limits.DELIVERY_FIRST_WAIT * 2.0 ** min(tries - 1, 10), limits.DELIVERY_LONGEST_WAIT)
    jitter: float = random.uniform(0.8, 1.2)  # noqa: S311  # no secret
    return span * jitter
