"""Holds back emails to mail domains that refuse them for now, and to mailboxes that bounce.

A refusing domain is tried with one email once in a while, and the others wait.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, exists, or_, select, update

from corr import limits
from corr.mail.failure_codes import Failure
from corr.mail.outward.transport import ALL_DOMAINS, Delivery, DeliveryFate, Envelope
from corr.service.mail.delivery_status import retry_delay
from corr.service.players import bouncing_mailboxes, mailboxes
from corr.store.locks import insert_if_new
from corr.store.rows import rows_of
from corr.store.session import Store
from corr.store.tables import BusyDomainRow, Moment

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
        """Refuse an email without asking its server, if its domain or mailbox takes none.

        All emails held for a domain are due again at one moment. A bouncing mailbox gets only emails that show
        whether it still bounces.
        """
        if envelope.recipient.casefold() in self._stopped and kind not in _PROOF_KINDS:
            return Delivery(DeliveryFate.NEVER, "not sent, because email to this mailbox bounces")
        for domain in (ALL_DOMAINS, envelope.domain):
            busy = self._known.get(domain)
            if busy and busy.until > now:
                # Do not quote that mail server, because its words may name another person.
                return Delivery(DeliveryFate.LATER, f"no email for now: {domain}", until=busy.until)
        return None

    def heard(self, envelope: Envelope, delivery: Delivery, now: datetime) -> Delivery:
        """Remember an email's result, and add when its domain is tried again."""
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
        """Count refusing mailboxes, in own transactions so that results are stored even if this fails."""
        while self._failed:
            address, failure = self._failed.popitem()
            with store.writing() as connection:
                bouncing_mailboxes.count_bounce(
                    connection, mailboxes.find_or_create(connection, address, now), failure, now
                )

    def keep(self, connection: Connection) -> None:
        """Share with every worker what was learnt."""
        for domain, busy in sorted(
            self._learnt.items()
        ):  # in one order, so that two workers do not wait for each other
            if busy is None:
                connection.execute(_HOLD_DELETE, {"it": domain})
            elif not insert_if_new(connection, BusyDomainRow, **busy._asdict()):
                connection.execute(_HOLD_UPDATE, {"it": domain, **busy._asdict()})
            else:
                connection.execute(_OLD_HOLDS_DELETE, {"before": busy.until - limits.DELIVERY_LIFE})
        self._learnt.clear()
