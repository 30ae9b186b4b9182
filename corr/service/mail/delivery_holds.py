"""Where no letters go: to mail domains that take none for now, and to mailboxes from which they come back.

A domain is asked with one letter once in a while, and the others wait.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, exists, or_, select, update

from corr import limits
from corr.mail.failure_codes import Failure
from corr.mail.outward.transport import EVERYWHERE, Delivery, Envelope, Fate
from corr.service.mail.delivery_status import wait
from corr.service.players import bouncing_mailboxes, mailboxes
from corr.store.locks import insert_once
from corr.store.rows import rows_of
from corr.store.session import Store
from corr.store.tables import BusyDomain, Moment

#: Whether there is any domain or mailbox to which letters do not go.
ANY = or_(exists(select(BusyDomain.domain)), bouncing_mailboxes.ANY)
#: What is asked for by whoever says that the mailbox is theirs, and shows whether letters get there.
_PROOFS = frozenset({"sign_in", "address"})


class Busy(NamedTuple):
    """A domain that takes no letters: until when it is left alone, and how often it has refused in a row."""

    domain: str
    until: datetime
    refusals: int


_KNOWN = select(BusyDomain.domain, BusyDomain.until, BusyDomain.refusals)
_IS_IT = BusyDomain.domain == bindparam("it")
_AGAIN, _TAKES_LETTERS = update(BusyDomain).where(_IS_IT), delete(BusyDomain).where(_IS_IT)
_LONG_AGO = delete(BusyDomain).where(BusyDomain.until < bindparam("before", type_=Moment))


def known(store: Store) -> Manners:
    """What is known of all that take no letters."""
    with store.asking() as connection:
        busy = {each.domain: each for each in rows_of(Busy, connection.execute(_KNOWN))}
        return Manners(busy, bouncing_mailboxes.stopped(connection))


class Manners:
    """What whoever hands letters over knows of domains and mailboxes that take none, and learns meanwhile."""

    def __init__(
        self, known: Mapping[str, Busy] | None = None, stopped: Collection[str] = frozenset()
    ) -> None:
        self._known, self._stopped = dict(known or {}), stopped
        self._learnt: dict[str, Busy | None] = {}
        self._failed: dict[str, Failure] = {}

    def put_off(self, kind: str, envelope: Envelope, now: datetime) -> Delivery | None:
        """A letter is refused without asking where its domain would refuse it; all are due again at one moment.

        None goes to a mailbox from which they come back, but for one that shows whether they still do.
        """
        if envelope.recipient.casefold() in self._stopped and kind not in _PROOFS:
            return Delivery(Fate.NEVER, "not sent, because email to this mailbox bounces")
        for domain in (EVERYWHERE, envelope.domain):
            busy = self._known.get(domain)
            if busy and busy.until > now:
                # In no words of that mail server's, which may name somebody else.
                return Delivery(Fate.LATER, f"no email for now: {domain}", until=busy.until)
        return None

    def heard(self, envelope: Envelope, delivery: Delivery, now: datetime) -> Delivery:
        """Remember what a letter has met; the same, with the moment at which its domain is asked again."""
        if delivery.busy:
            before = self._known.get(delivery.busy)
            refusals = before.refusals + 1 if before else 1
            busy = Busy(delivery.busy, now + wait(refusals), refusals)
            self._known[busy.domain] = self._learnt[busy.domain] = busy
            return replace(delivery, until=busy.until)
        if delivery.failure:
            self._failed[envelope.recipient] = delivery.failure
        if delivery.fate is Fate.SENT:
            for domain in {EVERYWHERE, envelope.domain} & self._known.keys():
                del self._known[domain]
                self._learnt[domain] = None
        return delivery

    def count_failures(self, store: Store, now: datetime) -> None:
        """Count mailboxes that were refused; not with what became of letters, which is noted whatever comes of this."""
        while self._failed:
            address, failure = self._failed.popitem()
            with store.writing() as connection:
                bouncing_mailboxes.count(
                    connection, mailboxes.known_or_new(connection, address, now), failure, now
                )

    def keep(self, connection: Connection) -> None:
        """Let every worker know what was learnt."""
        for domain, busy in sorted(
            self._learnt.items()
        ):  # in one order, lest two workers wait for each other
            if busy is None:
                connection.execute(_TAKES_LETTERS, {"it": domain})
            elif not insert_once(connection, BusyDomain, **busy._asdict()):
                connection.execute(_AGAIN, {"it": domain, **busy._asdict()})
            else:
                connection.execute(_LONG_AGO, {"before": busy.until - limits.DELIVERY_LIFE})
        self._learnt.clear()
