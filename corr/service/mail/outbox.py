"""Sends queued emails: claimed under a lease, composed once, delivered at least once with the same bytes."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy import (
    ColumnElement,
    Connection,
    ScalarSelect,
    Select,
    bindparam,
    func,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.orm import InstrumentedAttribute, aliased

from corr import limits
from corr.mail.address import TokenKind
from corr.mail.outward.compose import ComposedEmail, compose
from corr.mail.outward.email_to_send import EmailToSend
from corr.mail.outward.missing_parts import MissingPart, describe_fault
from corr.mail.outward.transport import Delivery, DeliveryFate, Envelope
from corr.record import seals
from corr.service.games.seats import Seat
from corr.service.mail import compose_failures, delivery
from corr.service.mail.delivery import DeliveryHolds, DeliveryMark, OutgoingEmail, log_fields
from corr.service.players.mailboxes import Correspondent
from corr.service.server import Server
from corr.store.locks import NOW, Column, Queue, is_free, release_rows
from corr.store.session import Store
from corr.store.texts import ComposedText, OutgoingTexts, OutTable

log = logging.getLogger(__name__)

_COMPOSE_TRIES = 4
_DEADLY_LACK = MissingPart("letter", "every worker that made it died")
# The share of a lease after which no further email is started; the rest is for a slow mail server.
_LEASE_SHARE = 0.25
#: How many emails are sent before their results are stored; if a worker dies in between, these go out again.
RESULTS_BATCH = 8
# The seconds after which results are stored, however few they are.
_RESULTS_INTERVAL = 0.1
_ALL: ColumnElement[bool] = true()


@dataclass(frozen=True, slots=True)
class PreparedEmails:
    """The recipients of emails by id, and functions that compose them outside a transaction."""

    recipients: Mapping[int, Seat | Correspondent]
    worded: Mapping[int, Callable[[], EmailToSend]]
    spared: Collection[int] = ()  # emails that need not go: turned off by their readers, or outdated


#: A claimed email: an envelope to send, a result without sending, or None if its time has not come.
EnvelopeOrResult: TypeAlias = Envelope | Delivery | None

#: Looks up the recipients of all rows, and the text of those that have no bytes yet.
Prepare: TypeAlias = Callable[
    [Connection, Server, Sequence[OutgoingEmail], Sequence[OutgoingEmail]], PreparedEmails
]


class Outbox:
    """Emails of one table that wait to be sent; each owner's emails go in order."""

    def __init__(
        self,
        kind: OutTable,
        owner: InstrumentedAttribute[int],
        words: Column,
        texts: OutgoingTexts,
        prepare: Prepare,
        prepare_plainly: Prepare | None = None,
    ) -> None:
        """Describe the table; `prepare_plainly` prepares a plain email where `prepare` fails."""
        self._kind, self._texts, self._prepare, self._prepare_plainly = kind, texts, prepare, prepare_plainly
        #: The columns of an `OutgoingEmail`.
        self.columns: Sequence[Column] = (
            *(kind.id, owner.label("owner_id"), kind.number, kind.kind, words.label("words")),
            *(kind.made_at, kind.due_at, kind.tries),
            *(texts.message, delivery.HAS_HOLDS.label("has_holds")),
        )
        # An email that was claimed before and has no bytes yet may have killed its worker.
        is_suspect = ~texts.is_wrapped & (kind.tries > 0)
        self.queue = Queue(kind, _select_due(kind, owner), is_suspect, OutgoingEmail, *self.columns)
        self.next_due = _select_next_due(kind)
        self._delay_update = (
            update(kind)
            .where(kind.id == bindparam("letter"))
            .values(leased_until=None, tries=kind.tries - 1, due_at=bindparam("moment"))
        )
        self._note = update(kind).where(kind.id == bindparam("letter"), kind.sent_at.is_(None))

    def send_some(self, server: Server, now: datetime, most: int) -> int:
        """Claim due emails, then compose or send them; return how many were claimed."""
        return self.send(server, self.claim(server, now, most))

    def send(self, server: Server, rows: Sequence[OutgoingEmail]) -> int:
        """Compose claimed emails and send those whose time has come; return how many were claimed.

        An email that was just composed waits for its time without a lease.
        """
        until = time.monotonic() + server.lease.total_seconds() * _LEASE_SHARE
        if rows:
            all_made = zip(rows, self._made(server, rows), strict=True)
            made = deque((row, letter) for row, letter in all_made if letter)
            holds = (
                delivery.load_holds(server.store) if any(row.has_holds for row in rows) else DeliveryHolds()
            )
            while made and time.monotonic() <= until:
                self._send_batch(server, made, holds)
            if made:
                release_rows(server.store, self._kind, [late.id for late, _ in made])
        return len(rows)

    def _send_batch(
        self, server: Server, made: deque[tuple[OutgoingEmail, Envelope | Delivery]], holds: DeliveryHolds
    ) -> None:
        """Send a few emails and store their results together.

        The batch ends at the first email that is not delivered, so that results are stored before the mail server
        delays another one.
        """
        until, marks = time.monotonic() + _RESULTS_INTERVAL, list[DeliveryMark]()
        try:
            while made and len(marks) < RESULTS_BATCH and time.monotonic() <= until:
                row, letter = made.popleft()
                unasked = None
                if isinstance(letter, Envelope):
                    unasked = holds.put_off(row.kind, letter, server.now())
                    letter = unasked or self._deliver_one(server, row, letter, holds)
                marks.append(DeliveryMark(row, letter, server.now()))
                if not (unasked or marks[-1].is_done):
                    break
        finally:
            if marks:
                self.mark(server.store, marks, holds)
                holds.count_failures(server.store, server.now())

    def revive(self, server: Server, now: datetime, which: ColumnElement[bool] = _ALL) -> int:
        """Make given-up emails due again, all or a selection; return how many."""
        with server.store.writing() as connection:
            return self.revive_with(connection, now, which)

    def revive_with(self, connection: Connection, now: datetime, which: ColumnElement[bool]) -> int:
        """Make selected given-up emails due again, in an open transaction; return how many."""
        dead = update(self._kind).where(self._kind.dead_at.is_not(None), which)
        return connection.execute(dead.values(dead_at=None, due_at=now, tries=0)).rowcount

    def claim(self, server: Server, now: datetime, most: int) -> list[OutgoingEmail]:
        """Claim up to `most` due emails under a lease."""
        return self.queue.claim(server.store, now, now + server.lease, most)

    def take(self, connection: Connection, server: Server, now: datetime, most: int) -> list[OutgoingEmail]:
        """Claim due emails inside the transaction that wrote some; the claim holds once it commits."""
        return self.queue.take(connection, now, now + server.lease, most)

    # ------------------------------------------------------------ composing

    def _made(self, server: Server, rows: Sequence[OutgoingEmail]) -> list[EnvelopeOrResult]:
        """Compose and store all emails; if that fails, do each one by itself."""
        try:
            return self.make(server, rows)
        except OperationalError:
            raise
        except Exception as error:  # noqa: BLE001  # whatever it is, its reader gets a letter
            if len(rows) > 1:
                return [made for row in rows for made in self._made(server, [row])]
            if isinstance(error, DBAPIError):
                return [_make_failure(rows[0], error)]
            return [self._compose_plainly(server, rows[0], error)]

    def _compose_plainly(self, server: Server, row: OutgoingEmail, error: Exception) -> EnvelopeOrResult:
        """Compose an email in plain words, because composing it in full failed."""
        _log_fault(row, "could not compose an email", error)
        if self._prepare_plainly is None:
            return _make_failure(row, error)
        try:
            return self._make(
                server, [row], [row], self._prepare_plainly, MissingPart("letter", describe_fault(error))
            )[0]
        except OperationalError:
            raise
        except Exception as worse:  # noqa: BLE001  # it is tried once more
            _log_fault(row, "could not compose a plain email", worse)
            return _make_failure(row, worse)

    def make(self, server: Server, rows: Sequence[OutgoingEmail]) -> list[EnvelopeOrResult]:
        """Compose the emails that have no bytes yet; those that killed several workers become plain."""
        deadly = [row for row in rows if row.message is None and row.tries > limits.LETTER_DEATHS]
        if deadly and self._prepare_plainly:
            plain = [row for row in deadly if row.tries <= limits.LETTER_DEATHS + _COMPOSE_TRIES]
            return self._make(server, rows, plain, self._prepare_plainly, _DEADLY_LACK)
        unmade = [row for row in rows if row.message is None and row.tries <= limits.LETTER_DEATHS]
        return self._make(server, rows, unmade, self._prepare)

    def _make(
        self,
        server: Server,
        rows: Sequence[OutgoingEmail],
        unmade: Sequence[OutgoingEmail],
        prepare: Prepare,
        *lacks: MissingPart,
    ) -> list[EnvelopeOrResult]:
        """Compose and store `unmade`; return what to send, or a result, for each of `rows`."""
        with server.store.reading() as connection:
            prepared = prepare(connection, server, rows, unmade)
        composed = {letter: compose(say()) for letter, say in prepared.worded.items()}
        made = {letter: replace(each, lacks=(*lacks, *each.lacks)) for letter, each in composed.items()}
        for row in unmade:
            for lack in made[row.id].lacks if row.id in made else ():
                log.error("an email lacks one of its parts", extra={**log_fields(row), **lack._asdict()})
        now = server.now()
        # Emails of one transaction share a moment, because they were requested at the same time.
        at = {asked: server.pace.moment(asked, now) for asked in {row.due_at for row in unmade}}
        moments = {row.id: at[row.due_at] for row in unmade if row.id in made}
        kept = self._keep(server.store, made, moments, now)
        gone, waiting = made.keys() - kept.keys(), {letter for letter, each in moments.items() if each > now}
        return [
            Delivery(DeliveryFate.SPARED)
            if row.id in prepared.spared or row.id in gone
            else None
            if row.id in waiting
            else _make_envelope(server, row, prepared.recipients[row.id], row.message or kept.get(row.id))
            for row in rows
        ]

    def _keep(
        self, store: Store, made: dict[int, ComposedEmail], moments: Mapping[int, datetime], now: datetime
    ) -> Mapping[int, bytes]:
        """Store emails' bytes, missing parts and waiting times, except those that another worker sent."""
        if not made:
            return {}
        wrapped = {
            letter: ComposedText(each.message, each.quotable, seals.hash_words(each.text))
            for letter, each in made.items()
        }
        with store.writing() as connection:
            compose_failures.record_alerts(
                connection, [lack for each in made.values() for lack in each.lacks], now
            )
            kept = self._texts.keep(connection, wrapped)
            waiting = [{"letter": each, "moment": moments[each]} for each in kept if moments[each] > now]
            if waiting:
                connection.execute(self._delay_update, waiting)
            return kept

    # ------------------------------------------------------------ delivery and results

    def _deliver_one(
        self, server: Server, row: OutgoingEmail, envelope: Envelope, holds: DeliveryHolds
    ) -> Delivery:
        """Send an email and return its result; an error counts as a failed try."""
        try:
            return holds.learn(envelope, server.mailer.send(envelope), server.now())
        except Exception as error:
            log.exception("could not send an email", extra=log_fields(row))
            return _make_failure(row, error)

    def mark(self, store: Store, marks: Iterable[DeliveryMark], holds: DeliveryHolds | None = None) -> None:
        """Store what became of emails; delete the bytes of those that need no more tries."""
        done: list[dict[str, Any]] = []
        others: list[dict[str, Any]] = []
        for mark in marks:
            (done if mark.is_done else others).append({"letter": mark.letter.id, **mark.log_result()})
        with store.writing() as connection:
            for alike in (done, *([each] for each in others)):
                if alike:
                    connection.execute(self._note, alike)
            if done:
                self._texts.drop(connection, [each["letter"] for each in done])
            if holds:
                holds.keep(connection)


def _select_due(kind: OutTable, owner: InstrumentedAttribute[int]) -> Select[int]:
    """Build a query for due emails in each owner's order, without waiting for those in back-off."""
    earlier = aliased(kind)
    has_earlier = (
        select(earlier.id)
        .where(
            getattr(earlier, owner.key) == owner,
            earlier.id < kind.id,
            earlier.sent_at.is_(None),
            earlier.dead_at.is_(None),
            or_(earlier.due_at <= NOW, earlier.trouble.is_(None)),
        )
        .exists()
    )
    is_due = _unsent(kind) & (kind.due_at <= NOW)
    return select(kind.id).where(is_due, is_free(kind), ~has_earlier).order_by(kind.due_at)


def _select_next_due(kind: OutTable) -> ScalarSelect[datetime]:
    """Build a subquery for when the next waiting email is due."""
    return select(func.min(kind.due_at)).where(_unsent(kind), kind.due_at > NOW).scalar_subquery()


def _unsent(kind: OutTable) -> ColumnElement[bool]:
    return kind.sent_at.is_(None) & kind.dead_at.is_(None)


def _make_envelope(
    server: Server, row: OutgoingEmail, to: Seat | Correspondent, message: bytes | None
) -> Envelope | Delivery:
    """Return an email ready to send, or a failure if bytes or address are missing."""
    if not to.address:
        return Delivery(DeliveryFate.NEVER, "its reader's account was deleted")
    if message is None:
        return Delivery(DeliveryFate.NEVER, "every worker that made this email died")
    return Envelope(to.signer.mailbox(TokenKind.BOUNCE, row.number, server.domain), to.address, message)


def _make_failure(row: OutgoingEmail, error: Exception) -> Delivery:
    """Return the result of an email that raised an error: try again, or give up."""
    fate = DeliveryFate.LATER if row.tries < _COMPOSE_TRIES else DeliveryFate.NEVER
    return Delivery(fate, f"{type(error).__name__} while the email was made or sent")


def _log_fault(row: OutgoingEmail, says: str, error: Exception) -> None:
    """Log where the fault is, but not the error's text, which may reveal the game."""
    log.error(says, extra={**log_fields(row), "fault": describe_fault(error)})
