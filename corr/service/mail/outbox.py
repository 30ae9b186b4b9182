"""Letters out of a tray: claimed under a lease, composed once, handed over at least once, always the same bytes."""

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
# Of a lease, the part after which no further letter is begun: the rest is for a slow mail server.
_SPENT = 0.25
#: So many letters may be handed over before it is noted: whoever dies in between hands these over again.
UNNOTED = 8
# Seconds after which what was handed over is noted, however few letters it was.
_NOTED_AFTER = 0.1

_Letter = TypeVar("_Letter", bound=LetterOut)


@dataclass(frozen=True, slots=True)
class Addressed:
    """Where a letter goes, and where its bounces come back to."""

    return_path: str
    recipient: str


@dataclass(frozen=True, slots=True)
class PreparedLetters:
    """Letters by their ids: where they go, and what those say that are not composed yet.

    That is called for outside a transaction.
    """

    addressed: Mapping[int, Addressed]
    worded: Mapping[int, Callable[[], Outgoing]]
    spared: Collection[int] = ()  # letters of a kind that their readers do not want


#: What becomes of a letter in hand: it is handed over, or is not, or its moment has not come.
Made: TypeAlias = Envelope | Delivery | None


#: Looks up all rows, and what is written in those that have no bytes yet.
Prepare: TypeAlias = Callable[[Connection, House, Sequence[_Letter], Sequence[_Letter]], PreparedLetters]


class Tray(Generic[_Letter]):
    """Letters of one table that wait to be sent."""

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
        """`reader` names the column of whose letters go in order; what cannot be made may be said plainly."""
        self._kind, self._shelf, self._prepare, self._prepare_plainly = kind, shelf, prepare, prepare_plainly
        # A letter that was in hand before and has no bytes yet may be what killed its worker.
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
        """Make or send letters that are due, each by itself; how many were in hand, 0 if none is due."""
        return self.send(house, self.claim(house, now, most))

    def send(self, house: House, rows: Sequence[_Letter]) -> int:
        """Make letters that are in hand, and send those whose moment has come; how many were in hand.

        What has just been made waits for its moment, in nobody's hand.
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
        """Hand over letters in a row and note all at once, soon: before another that the mail server lets wait."""
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
        """Let letters that were given up be due again, all or those that are meant; how many."""
        dead = update(self._kind).where(self._kind.dead_at.is_not(None), true() if which is None else which)
        with house.store.writing() as connection:
            return connection.execute(dead.values(dead_at=None, due_at=now, tries=0)).rowcount

    def claim(self, house: House, now: datetime, most: int) -> list[_Letter]:
        """Take letters that are due, for the time of a lease."""
        return self.queue.claim(house.store, now, now + house.lease, most)

    def take(self, connection: Connection, house: House, now: datetime, most: int) -> list[_Letter]:
        """The same in a transaction that goes on, as what wrote some of them; they are in hand once it is over."""
        return self.queue.take(connection, now, now + house.lease, most)

    # ------------------------------------------------------------ composing

    def _made(self, house: House, rows: Sequence[_Letter]) -> list[Made]:
        """Letters with all their bytes kept, or why one has none. Where one cannot be made, each is made by itself."""
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
        """A plain letter in place of one that cannot be made, where there is one."""
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
        """No transaction is open while letters are composed. One by which workers died again and again is plain."""
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
        # Letters of one transaction share a moment: they were asked for at the same time.
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
        """Keep letters' bytes, what they lack and until when they wait; of what another has sent there are none."""
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

    # ------------------------------------------------------------ the post, and after

    def _hand_over(self, house: House, row: LetterOut, envelope: Envelope, manners: Manners) -> Delivery:
        try:
            return manners.heard(envelope, house.post.send(envelope), house.now())
        except Exception as error:
            log.exception("could not send an email", extra=named(row))
            return _trouble(row, error)

    def mark(self, store: Store, marks: Iterable[Mark], manners: Manners | None = None) -> None:
        """Note what became of letters, unless they were sent before; of one that is, the bytes are kept no longer."""
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
    """A reader's letters go in order, each at its own moment, but none waits for one in back-off."""
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
    """The next moment for which a letter waits."""
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
    """It is our fault that a letter is not on its way."""
    fate = Fate.LATER if row.tries < _MAKINGS else Fate.NEVER
    return Delivery(fate, f"{type(error).__name__} while the email was made or sent")


def _lacking(made: Composed, lacks: tuple[Lack, ...]) -> Composed:
    return replace(made, lacks=(*lacks, *made.lacks)) if lacks else made


def _tell_of_a_fault(row: LetterOut, says: str, error: Exception) -> None:
    """Where the fault is; what the error says may be about the game."""
    log.error(says, extra={**named(row), "fault": fault(error)})


def _tell_of_lacks(row: LetterOut, made: Composed | None) -> None:
    for lack in made.lacks if made else ():
        log.error("an email goes without a part of it", extra={**named(row), **lack._asdict()})
