"""Decides what becomes of outgoing emails: sent, retried, given up (times: `corr/limits.py`), or held back."""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, exists, or_, select, update
from sqlalchemy.orm import aliased

from corr import limits
from corr.mail.failure_reason import Failure
from corr.mail.outward.transport import ALL_DOMAINS, Delivery, DeliveryFate, Envelope
from corr.service.lobby import challenges
from corr.service.players import bouncing_mailboxes, mailboxes
from corr.store.locks import insert_if_new
from corr.store.rows import rows_of
from corr.store.session import Store
from corr.store.tables import BusyDomainRow, Moment, OutboxRow, SeatRow

log = logging.getLogger(__name__)


class OutgoingEmail(NamedTuple):
    """A queued email that a worker has claimed, with its bytes once it is composed."""

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
    """What became of an email that a worker tried to send."""

    letter: OutgoingEmail
    delivery: Delivery
    moment: datetime

    @property
    def is_done(self) -> bool:
        """Whether the email needs no more tries: it was sent, or it need not go."""
        return self.delivery.fate in (DeliveryFate.SENT, DeliveryFate.SPARED)

    def log_result(self) -> dict[str, object]:
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
                    "gave up on an email; fix the cause, then run corr letter resend",
                    extra={**log_fields(letter), "why": why},
                )
        return values


def log_fields(letter: OutgoingEmail) -> dict[str, object]:
    """Return the fields that name an email in the log."""
    return {"letter": letter.number, "kind": letter.kind, "tries": letter.tries}


def retry_delay(tries: int) -> timedelta:
    """Return how long to wait after so many tries: a minute up to hours, randomised."""
    span = min(limits.DELIVERY_FIRST_WAIT * 2.0 ** min(tries - 1, 10), limits.DELIVERY_LONGEST_WAIT)
    jitter: float = random.uniform(0.8, 1.2)  # noqa: S311  # no secret
    return span * jitter


#: Whether emails to any domain or mailbox are held back.
HAS_HOLDS = or_(exists(select(BusyDomainRow.domain)), bouncing_mailboxes.HAS_STOPPED)
#: Kinds of email that a mailbox's owner asks for, and that show whether emails arrive there.
_PROOF_KINDS = frozenset({"sign_in", "address"})


class DomainHold(NamedTuple):
    domain: str
    until: datetime
    refusals: int


_HOLDS_QUERY = select(BusyDomainRow.domain, BusyDomainRow.until, BusyDomainRow.refusals)
_IS_DOMAIN = BusyDomainRow.domain == bindparam("it")
_HOLD_UPDATE, _HOLD_DELETE = update(BusyDomainRow).where(_IS_DOMAIN), delete(BusyDomainRow).where(_IS_DOMAIN)
_OLD_HOLDS_DELETE = delete(BusyDomainRow).where(BusyDomainRow.until < bindparam("before", type_=Moment))


def load_holds(store: Store) -> DeliveryHolds:
    """Load the domains and mailboxes that get no emails for now."""
    with store.asking() as connection:
        busy = {each.domain: each for each in rows_of(DomainHold, connection.execute(_HOLDS_QUERY))}
        return DeliveryHolds(busy, bouncing_mailboxes.load_stopped(connection))


class DeliveryHolds:
    """What a sending worker knows and learns about domains and mailboxes that take no emails."""

    def __init__(
        self, known: Mapping[str, DomainHold] | None = None, stopped: Collection[str] = frozenset()
    ) -> None:
        self._known, self._stopped = dict(known or {}), stopped
        self._learnt: dict[str, DomainHold | None] = {}
        self._failed: dict[str, Failure] = {}

    def put_off(self, kind: str, envelope: Envelope, now: datetime) -> Delivery | None:
        """Return the result for an email to hold back; None if it may be sent.

        All emails held for a domain fall due together. A bouncing mailbox gets only emails that show if it works.
        """
        if envelope.recipient.casefold() in self._stopped and kind not in _PROOF_KINDS:
            return Delivery(DeliveryFate.NEVER, "not sent, because email to this mailbox bounces")
        for domain in (ALL_DOMAINS, envelope.domain):
            busy = self._known.get(domain)
            if busy and busy.until > now:
                # Do not quote that mail server, because its words may name another person.
                return Delivery(DeliveryFate.LATER, f"no email for now: {domain}", until=busy.until)
        return None

    def learn(self, envelope: Envelope, delivery: Delivery, now: datetime) -> Delivery:
        """Learn from a delivery who takes emails; return it, with the retry time if its domain is busy."""
        if delivery.busy:
            before = self._known.get(delivery.busy)
            refusals = before.refusals + 1 if before else 1
            busy = DomainHold(delivery.busy, now + retry_delay(refusals), refusals)
            self._known[busy.domain] = self._learnt[busy.domain] = busy
            return replace(delivery, until=busy.until)
        if delivery.failure:
            self._failed[envelope.recipient] = delivery.failure
        if delivery.fate is DeliveryFate.SENT:
            for domain in {ALL_DOMAINS, envelope.domain} & self._known.keys():
                del self._known[domain]
                self._learnt[domain] = None
        return delivery

    def count_failures(self, store: Store, now: datetime) -> None:
        """Count bounces of refusing mailboxes; results are stored even if this fails."""
        while self._failed:
            address, failure = self._failed.popitem()
            with store.writing() as connection:
                who = mailboxes.find_or_create(connection, address, now)
                bouncing_mailboxes.count_bounce(connection, who, failure, now)
                challenges.end_undelivered(connection, who, failure, now)

    def keep(self, connection: Connection) -> None:
        """Store which domains take no emails or take them again, for all workers."""
        # One order for all, so that two workers don't wait for each other.
        for domain, busy in sorted(self._learnt.items()):
            if busy is None:
                connection.execute(_HOLD_DELETE, {"it": domain})
            elif not insert_if_new(connection, BusyDomainRow, **busy._asdict()):
                connection.execute(_HOLD_UPDATE, {"it": domain, **busy._asdict()})
            else:
                connection.execute(_OLD_HOLDS_DELETE, {"before": busy.until - limits.DELIVERY_LIFE})
        self._learnt.clear()


_TURN_KINDS = ("turn", "reminder")
_NEWER_EMAIL = aliased(OutboxRow)
_OUTDATED_QUERY = (
    select(OutboxRow.id)
    .join(SeatRow, SeatRow.id == OutboxRow.seat_id)
    .join(_NEWER_EMAIL, (_NEWER_EMAIL.seat_id == SeatRow.id) & (_NEWER_EMAIL.number == SeatRow.telling))
    .where(
        OutboxRow.id.in_(bindparam("letters", expanding=True)),
        OutboxRow.number < SeatRow.telling,
        _NEWER_EMAIL.dead_at.is_(None),
    )
)


def find_outdated(connection: Connection, rows: Iterable[OutgoingEmail]) -> set[int]:
    """Return which of these retried emails are outdated by a newer email about the turn; one that answers isn't."""
    retried = [row for row in rows if row.tries > 1 and row.kind in _TURN_KINDS]
    late = [row.id for row in retried if not json.loads(row.words).get("merged")]
    return set(connection.execute(_OUTDATED_QUERY, {"letters": late}).scalars()) if late else set()
