"""Sends queued emails: claimed under a lease, composed once, delivered at least once with the same bytes."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, TypeAlias, TypeVar

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
from sqlalchemy.orm import aliased

from corr import limits
from corr.mail.outward.compose import Composed, Outgoing, compose
from corr.mail.outward.missing_parts import Lack, fault
from corr.mail.outward.transport import Delivery, Envelope, Fate
from corr.record import seals
from corr.service.house import House
from corr.service.mail import alerts, delivery_holds
from corr.service.mail.delivery_holds import Manners
from corr.service.mail.delivery_status import LetterOut, Mark, named
from corr.store.leases import NOW, Column, Queue, give_back, is_free
from corr.store.outgoing_texts import OutTable, Shelf, Wrapped
from corr.store.session import Store

log = logging.getLogger(__name__)

_MAKINGS = 4
_DEADLY = Lack("letter", "every worker that made it died")
# The share of a lease after which no further email is started; the rest is for a slow mail server.
_SPENT = 0.25
#: How many emails are sent before their results are stored; if a worker dies in between, these go out again.
UNNOTED = 8
# The seconds after which results are stored, however few they are.
_NOTED_AFTER = 0.1

_Letter = TypeVar("_Letter", bound=LetterOut)


@dataclass(frozen=True, slots=True)
class Addressed:
    """The recipient of an email, and the address to which it bounces."""

    return_path: str
    recipient: str


@dataclass(frozen=True, slots=True)
class PreparedLetters:
    """Where emails go, by id, and what they say; `worded` runs outside a transaction."""

    addressed: Mapping[int, Addressed]
    worded: Mapping[int, Callable[[], Outgoing]]
    spared: Collection[int] = ()  # emails that need not go: turned off by their readers, or outdated


#: A claimed email: an envelope to send, a result without sending, or None if its time has not come.
Made: TypeAlias = Envelope | Delivery | None


#: Looks up the addresses of all rows, and the text of those that have no bytes yet.
Prepare: TypeAlias = Callable[[Connection, House, Sequence[_Letter], Sequence[_Letter]], PreparedLetters]


class Tray(Generic[_Letter]):
    """Emails of one table that wait to be sent."""

    def __init__(
        self,
        kind: OutTable,
        shelf: Shelf,
        reader: str,
        letter: Callable[..., _Letter],
        columns: Sequence[Column],
        prepare: Prepare[_Letter],
        prepare_plainly: Prepare[_Letter] | None = None,
    ) -> None:
        """Set up the queue, in order per `reader`; `prepare_plainly` words what cannot be composed."""
        self._kind, self._shelf, self._prepare, self._prepare_plainly = kind, shelf, prepare, prepare_plainly
        # An email that was claimed before and has no bytes yet may have killed its worker.
        is_suspect = ~shelf.is_wrapped & (kind.tries > 0)
        self.queue = Queue(
            kind,
            _due(kind, reader),
            is_suspect,
            letter,
            *columns,
            shelf.message,
            delivery_holds.ANY.label("any_busy"),
        )
        self.next = _next(kind)
        self._let_wait = (
            update(kind)
            .where(kind.id == bindparam("letter"))
            .values(leased_until=None, tries=kind.tries - 1, due_at=bindparam("moment"))
        )
        self._note = update(kind).where(kind.id == bindparam("letter"), kind.sent_at.is_(None))

    def send_some(self, house: House, now: datetime, most: int) -> int:
        """Compose or send due emails; return how many were claimed, 0 if none is due."""
        return self.send(house, self.claim(house, now, most))

    def send(self, house: House, rows: Sequence[_Letter]) -> int:
        """Compose claimed emails and send those whose time has come; return how many were claimed.

        An email that was just composed waits for its time without a lease.
        """
        until = time.monotonic() + house.lease.total_seconds() * _SPENT
        if rows:
            all_made = zip(rows, self._made(house, rows), strict=True)
            made = deque((row, letter) for row, letter in all_made if letter)
            manners = delivery_holds.known(house.store) if any(row.any_busy for row in rows) else Manners()
            while made and time.monotonic() <= until:
                self._send_a_few(house, made, manners)
            if made:
                give_back(house.store, self._kind, [late.id for late, _ in made])
        return len(rows)

    def _send_a_few(
        self, house: House, made: deque[tuple[_Letter, Envelope | Delivery]], manners: Manners
    ) -> None:
        """Send a few emails and store their results together.

        The batch ends at the first email that is not delivered, so that results are stored before the mail server
        delays another one.
        """
        until, marks = time.monotonic() + _NOTED_AFTER, list[Mark]()
        try:
            while made and len(marks) < UNNOTED and time.monotonic() <= until:
                row, letter = made.popleft()
                if isinstance(letter, Envelope) and (
                    unasked := manners.put_off(row.kind, letter, house.now())
                ):
                    marks.append(Mark(row, unasked, house.now()))
                    continue
                delivery = (
                    self._hand_over(house, row, letter, manners) if isinstance(letter, Envelope) else letter
                )
                marks.append(Mark(row, delivery, house.now()))
                if not marks[-1].is_done:
                    break
        finally:
            if marks:
                self.mark(house.store, marks, manners)
                manners.count_failures(house.store, house.now())

    def revive(self, house: House, now: datetime, which: ColumnElement[bool] | None = None) -> int:
        """Make given-up emails due again, all or a selection; return how many."""
        dead = update(self._kind).where(self._kind.dead_at.is_not(None), true() if which is None else which)
        with house.store.writing() as connection:
            return connection.execute(dead.values(dead_at=None, due_at=now, tries=0)).rowcount

    def claim(self, house: House, now: datetime, most: int) -> list[_Letter]:
        """Claim due emails under a lease."""
        return self.queue.claim(house.store, now, now + house.lease, most)

    def take(self, connection: Connection, house: House, now: datetime, most: int) -> list[_Letter]:
        """Claim due emails inside the transaction that wrote some; they are held once it commits."""
        return self.queue.take(connection, now, now + house.lease, most)

    # ------------------------------------------------------------ composing

    def _made(self, house: House, rows: Sequence[_Letter]) -> list[Made]:
        """Compose and store all emails; if that fails, do each one by itself."""
        try:
            return self.make(house, rows)
        except OperationalError:
            raise
        except Exception as error:  # noqa: BLE001  # whatever it is, its reader gets a letter
            if len(rows) > 1:
                return [made for row in rows for made in self._made(house, [row])]
            if isinstance(error, DBAPIError):
                return [_trouble(rows[0], error)]
            return [self._made_plainly(house, rows[0], error)]

    def _made_plainly(self, house: House, row: _Letter, error: Exception) -> Made:
        """Compose a plain email in place of one that failed, if there is one."""
        _tell_of_a_fault(row, "could not compose an email", error)
        if self._prepare_plainly is None:
            return _trouble(row, error)
        try:
            return self._make(house, [row], [row], self._prepare_plainly, Lack("letter", fault(error)))[0]
        except OperationalError:
            raise
        except Exception as worse:  # noqa: BLE001  # it is tried once more
            _tell_of_a_fault(row, "could not compose a plain email", worse)
            return _trouble(row, worse)

    def make(self, house: House, rows: Sequence[_Letter]) -> list[Made]:
        """Compose emails outside transactions; one that killed several workers becomes plain."""
        deadly = [row for row in rows if row.message is None and row.tries > limits.LETTER_DEATHS]
        if deadly and self._prepare_plainly:
            plain = [row for row in deadly if row.tries <= limits.LETTER_DEATHS + _MAKINGS]
            return self._make(house, rows, plain, self._prepare_plainly, _DEADLY)
        unmade = [row for row in rows if row.message is None and row.tries <= limits.LETTER_DEATHS]
        return self._make(house, rows, unmade, self._prepare)

    def _make(
        self,
        house: House,
        rows: Sequence[_Letter],
        unmade: Sequence[_Letter],
        prepare: Prepare[_Letter],
        *lacks: Lack,
    ) -> list[Made]:
        with house.store.reading() as connection:
            prepared = prepare(connection, house, rows, unmade)
        made = {letter: _lacking(compose(say()), lacks) for letter, say in prepared.worded.items()}
        for row in unmade:
            _tell_of_lacks(row, made.get(row.id))
        now = house.now()
        # Emails of one transaction share a moment, because they were requested at the same time.
        at = {asked: house.pace.moment(asked, now) for asked in {row.due_at for row in unmade}}
        moments = {row.id: at[row.due_at] for row in unmade if row.id in made}
        kept = self._keep(house.store, made, moments, now)
        gone, waiting = made.keys() - kept.keys(), {letter for letter, each in moments.items() if each > now}
        return [
            Delivery(Fate.SPARED)
            if row.id in prepared.spared or row.id in gone
            else None
            if row.id in waiting
            else _envelope(prepared.addressed[row.id], row.message or kept.get(row.id))
            for row in rows
        ]

    def _keep(
        self, store: Store, made: dict[int, Composed], moments: Mapping[int, datetime], now: datetime
    ) -> Mapping[int, bytes]:
        """Store emails' bytes, missing parts and waiting times, except those that another worker sent."""
        if not made:
            return {}
        wrapped = {
            letter: Wrapped(each.message, each.quotable, seals.words(each.text))
            for letter, each in made.items()
        }
        with store.writing() as connection:
            alerts.note(connection, [lack for each in made.values() for lack in each.lacks], now)
            kept = self._shelf.keep(connection, wrapped)
            waiting = [{"letter": each, "moment": moments[each]} for each in kept if moments[each] > now]
            if waiting:
                connection.execute(self._let_wait, waiting)
            return kept

    # ------------------------------------------------------------ delivery and results

    def _hand_over(self, house: House, row: LetterOut, envelope: Envelope, manners: Manners) -> Delivery:
        try:
            return manners.heard(envelope, house.post.send(envelope), house.now())
        except Exception as error:
            log.exception("could not send an email", extra=named(row))
            return _trouble(row, error)

    def mark(self, store: Store, marks: Iterable[Mark], manners: Manners | None = None) -> None:
        """Store what became of unsent emails, and drop the bytes of finished ones."""
        done: list[dict[str, Any]] = []
        others: list[dict[str, Any]] = []
        for mark in marks:
            (done if mark.is_done else others).append({"letter": mark.letter.id, **mark.noted()})
        with store.writing() as connection:
            for alike in (done, *([each] for each in others)):
                if alike:
                    connection.execute(self._note, alike)
            if done:
                self._shelf.drop(connection, [each["letter"] for each in done])
            if manners:
                manners.keep(connection)


def _due(kind: OutTable, reader: str) -> Select[int]:
    """Select due emails in each reader's order; none waits for one in back-off."""
    earlier = aliased(kind)
    has_earlier = (
        select(earlier.id)
        .where(
            getattr(earlier, reader) == getattr(kind, reader),
            earlier.id < kind.id,
            earlier.sent_at.is_(None),
            earlier.dead_at.is_(None),
            or_(earlier.due_at <= NOW, earlier.trouble.is_(None)),
        )
        .exists()
    )
    is_due = _unsent(kind) & (kind.due_at <= NOW)
    return select(kind.id).where(is_due, is_free(kind), ~has_earlier).order_by(kind.due_at)


def _next(kind: OutTable) -> ScalarSelect[datetime]:
    """Select when the next waiting email becomes due."""
    return select(func.min(kind.due_at)).where(_unsent(kind), kind.due_at > NOW).scalar_subquery()


def _unsent(kind: OutTable) -> ColumnElement[bool]:
    return kind.sent_at.is_(None) & kind.dead_at.is_(None)


def _envelope(addressed: Addressed, message: bytes | None) -> Envelope | Delivery:
    if not addressed.recipient:
        return Delivery(Fate.NEVER, "its reader's account was deleted")
    if message is None:
        return Delivery(Fate.NEVER, "every worker that made this email died")
    return Envelope(addressed.return_path, addressed.recipient, message)


def _trouble(row: LetterOut, error: Exception) -> Delivery:
    """Return the result for an email that failed by our own fault."""
    fate = Fate.LATER if row.tries < _MAKINGS else Fate.NEVER
    return Delivery(fate, f"{type(error).__name__} while the email was made or sent")


def _lacking(made: Composed, lacks: tuple[Lack, ...]) -> Composed:
    return replace(made, lacks=(*lacks, *made.lacks)) if lacks else made


def _tell_of_a_fault(row: LetterOut, says: str, error: Exception) -> None:
    """Log where the fault is, but not the error's text, which may reveal the game."""
    log.error(says, extra={**named(row), "fault": fault(error)})


def _tell_of_lacks(row: LetterOut, made: Composed | None) -> None:
    for lack in made.lacks if made else ():
        log.error("an email goes without a part of it", extra={**named(row), **lack._asdict()})
