"""Letters out of a tray: claimed under a lease, composed once, handed over at least once, always the same bytes."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, select, true, update
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.orm import aliased

from corr.desk import alarms
from corr.desk.house import House
from corr.mail.compose import Composed, Outgoing, compose
from corr.mail.lacks import Lack, fault
from corr.mail.post import Delivery, Envelope, Fate, Post
from corr.store.claims import NOW, Queue, Rows, give_back, is_free
from corr.store.session import Store
from corr.store.tables import OutboxRow, SiteOutboxRow

log = logging.getLogger(__name__)

_GIVE_UP = timedelta(days=3)
_FIRST_WAIT = timedelta(minutes=1)
_LONGEST_WAIT = timedelta(hours=4)
# So often one is tried that lay here for days already: since the house stood still, or it is sent again.
_LEAST_TRIES = 10
_MAKINGS = 4
_DEATHS = 10
_DEADLY = Lack("letter", "no worker has lived to its end")
# Of a lease, the part after which no further letter is begun: the rest is for a slow mail server.
_SPENT = 0.25

Kind = type[OutboxRow] | type[SiteOutboxRow]
Found = Row[*tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Addressed:
    """Where a letter goes, and where its bounces come back to."""

    return_path: str
    recipient: str


@dataclass(frozen=True, slots=True)
class Opened:
    """Letters by their ids: where they go, and what those say that are not composed yet.

    That is called for outside a transaction.
    """

    addressed: Mapping[int, Addressed]
    worded: Mapping[int, Callable[[], Outgoing]]
    spared: Collection[int] = ()  # letters of a kind that their readers do not want


#: Looks up all rows, and what is written in those that have no bytes yet.
Open = Callable[[Connection, House, Rows, Rows], Opened]


class Tray:
    """Letters of one table that wait to be sent."""

    def __init__(self, kind: Kind, reader: str, look: Open, look_plainly: Open | None = None) -> None:
        """`reader` names the column of whose letters go in order; what cannot be made may be said plainly."""
        self._kind, self._open, self._open_plainly = kind, look, look_plainly
        # A letter that was in hand before and has no bytes yet may be what killed its worker.
        self._queue = Queue(kind, _due(kind, reader), alone=kind.message.is_(None) & (kind.tries > 0))
        letter = kind.id == bindparam("letter")
        unsent = kind.sent_at.is_(None)
        self._keep_bytes = update(kind).where(letter, unsent, kind.message.is_(None))
        self._kept = select(kind.id, kind.message).where(kind.id.in_(bindparam("letters", expanding=True)))
        self._note = update(kind).where(letter, unsent)

    def send_some(self, house: House, now: datetime, most: int) -> int:
        """Send letters that are due, each by itself; how many were in hand, 0 if none is due."""
        begun = time.monotonic()
        rows = self.claim(house, now, most)
        if not rows:
            return 0
        for number, (row, made) in enumerate(zip(rows, self._made(house, rows), strict=True)):
            if time.monotonic() - begun > house.lease.total_seconds() * _SPENT:
                give_back(house.store, self._kind, [late.id for late in rows[number:]])
                break
            delivery = self._hand_over(house.post, row, made) if isinstance(made, Envelope) else made
            self.mark(house.store, row, delivery, house.now())
        return len(rows)

    def revive(self, house: House, now: datetime, which: ColumnElement[bool] | None = None) -> int:
        """Let letters that were given up be due again, all or those that are meant; how many."""
        dead = update(self._kind).where(self._kind.dead_at.is_not(None), true() if which is None else which)
        with house.store.writing() as connection:
            return connection.execute(dead.values(dead_at=None, due_at=now, tries=0)).rowcount

    def claim(self, house: House, now: datetime, most: int) -> Rows:
        """Take letters that are due, for the time of a lease."""
        return self._queue.claim(house.store, now, now + house.lease, most)

    # ------------------------------------------------------------ composing

    def _made(self, house: House, rows: Rows) -> list[Envelope | Delivery]:
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

    def _made_plainly(self, house: House, row: Found, error: Exception) -> Envelope | Delivery:
        """A plain letter in place of one that cannot be made, where there is one."""
        _tell_of_a_fault(row, "a letter could not be made", error)
        if self._open_plainly is None:
            return _trouble(row, error)
        try:
            return self._make(house, [row], [row], self._open_plainly, Lack("letter", fault(error)))[0]
        except OperationalError:
            raise
        except Exception as worse:  # noqa: BLE001  # it is tried once more
            _tell_of_a_fault(row, "a plain letter could not be made", worse)
            return _trouble(row, worse)

    def make(self, house: House, rows: Rows) -> list[Envelope | Delivery]:
        """No transaction is open while letters are composed. One by which workers died again and again is plain."""
        deadly = [row for row in rows if row.message is None and row.tries > _DEATHS]
        if deadly and self._open_plainly:
            plain = [row for row in deadly if row.tries <= _DEATHS + _MAKINGS]
            return self._make(house, rows, plain, self._open_plainly, _DEADLY)
        unmade = [row for row in rows if row.message is None and row.tries <= _DEATHS]
        return self._make(house, rows, unmade, self._open)

    def _make(
        self, house: House, rows: Rows, unmade: Rows, look: Open, *lacks: Lack
    ) -> list[Envelope | Delivery]:
        with house.store.reading() as connection:
            opened = look(connection, house, rows, unmade)
        made = {letter: _lacking(compose(say()), lacks) for letter, say in opened.worded.items()}
        for row in unmade:
            _tell_of_lacks(row, made.get(row.id))
        kept = self._keep(house.store, made, house.now())
        gone = {letter for letter, message in kept.items() if message is None}
        return [
            Delivery(Fate.SPARED)
            if row.id in opened.spared or row.id in gone
            else _envelope(opened.addressed[row.id], row.message or kept.get(row.id))
            for row in rows
        ]

    def _keep(self, store: Store, made: dict[int, Composed], now: datetime) -> Mapping[int, bytes | None]:
        """Keep letters' bytes, and what they lack.

        Where another worker was first, its bytes are the letter, or it is sent by now.
        """
        if not made:
            return {}
        ours = {letter: composed.message for letter, composed in made.items()}
        rows = [
            {"letter": letter, "message": each.message, "text": each.quotable}
            for letter, each in made.items()
        ]
        with store.writing() as connection:
            alarms.ring(connection, [lack for each in made.values() for lack in each.lacks], now)
            if connection.execute(self._keep_bytes, rows).rowcount == len(rows):
                return ours
            asked = {"letters": list(made)}
            return {row.id: row.message for row in connection.execute(self._kept, asked)}

    # ------------------------------------------------------------ the post, and after

    def _hand_over(self, post: Post, row: Found, envelope: Envelope) -> Delivery:
        try:
            return post.send(envelope)
        except Exception as error:
            log.exception("a letter could not be carried", extra=_named(row))
            return _trouble(row, error)

    def mark(self, store: Store, row: Found, delivery: Delivery, now: datetime) -> None:
        """Note what became of a letter, unless it was sent before; of one that is, the bytes are kept no longer."""
        values: dict[str, object] = {"leased_until": None, "trouble": delivery.why or None}
        match delivery.fate:
            case Fate.SENT:
                values |= {"sent_at": now, "message": None, "dead_at": None}
                log.info("a letter was sent", extra=_named(row))
            case Fate.SPARED:
                values |= {"sent_at": now, "message": None, "dead_at": None}
                log.info("a letter was put aside", extra=_named(row))
            case Fate.LATER if now - row.made_at < _GIVE_UP or row.tries < _LEAST_TRIES:
                values["due_at"] = now + _wait(row.tries)
                log.warning("a letter was put off", extra={**_named(row), "why": delivery.why})
            case _:
                values["dead_at"] = now
                log.error("a letter was given up", extra={**_named(row), "why": delivery.why})
        with store.writing() as connection:
            connection.execute(self._note, {"letter": row.id, **values})


def _due(kind: Kind, reader: str) -> Select[int]:
    """A reader's letters go in order, but none waits for one in back-off."""
    earlier = aliased(kind)
    has_earlier = (
        select(earlier.id)
        .where(
            getattr(earlier, reader) == getattr(kind, reader),
            earlier.id < kind.id,
            earlier.sent_at.is_(None),
            earlier.dead_at.is_(None),
            earlier.due_at <= NOW,
        )
        .exists()
    )
    unsent = kind.sent_at.is_(None) & kind.dead_at.is_(None)
    return (
        select(kind.id).where(unsent, kind.due_at <= NOW, is_free(kind), ~has_earlier).order_by(kind.due_at)
    )


def _envelope(addressed: Addressed, message: bytes | None) -> Envelope | Delivery:
    if not addressed.recipient:
        return Delivery(Fate.NEVER, "its reader is forgotten")
    if message is None:
        return Delivery(Fate.NEVER, "no worker has lived to the end of making this letter")
    return Envelope(addressed.return_path, addressed.recipient, message)


def _trouble(row: Found, error: Exception) -> Delivery:
    """It is our fault that a letter is not on its way."""
    fate = Fate.LATER if row.tries < _MAKINGS else Fate.NEVER
    return Delivery(fate, f"{type(error).__name__} while the letter was made or carried")


def _lacking(made: Composed, lacks: tuple[Lack, ...]) -> Composed:
    return replace(made, lacks=(*lacks, *made.lacks)) if lacks else made


def _tell_of_a_fault(row: Found, says: str, error: Exception) -> None:
    """Where the fault is; what the error says may be about the game."""
    log.error(says, extra={**_named(row), "fault": fault(error)})


def _tell_of_lacks(row: Found, made: Composed | None) -> None:
    for lack in made.lacks if made else ():
        log.error("a letter goes without a part of it", extra={**_named(row), **lack._asdict()})


def _named(row: Found) -> dict[str, object]:
    """A letter as the log names it."""
    return {"letter": row.number, "kind": row.kind, "tries": row.tries}


def _wait(tries: int) -> timedelta:
    """From a minute to hours, with jitter, so that a server that comes back is not overrun."""
    wait = min(_FIRST_WAIT * 2.0 ** min(tries - 1, 10), _LONGEST_WAIT)
    jitter: float = random.uniform(0.8, 1.2)  # noqa: S311  # no secret
    return wait * jitter
