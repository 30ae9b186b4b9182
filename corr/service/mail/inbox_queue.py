"""Claims incoming emails, reads each once, retries after a fault, and finally sets an email aside."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Generic, Protocol, TypeVar

from sqlalchemy import ColumnElement, Connection, Update, bindparam, select, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import InstrumentedAttribute, aliased

from corr import limits
from corr.service.server import Server
from corr.store.leases import NOW, Column, Queue, is_free
from corr.store.tables import InboxRow, SiteInboxRow

log = logging.getLogger(__name__)

#: After this many more worker deaths the sender is no longer told: telling them may be what kills workers.
_EXTRA_DEATHS = 5
_RETRY_DELAY = timedelta(seconds=15)


class ClaimedEmail(Protocol):
    """An incoming email that a worker holds."""

    @property
    def id(self) -> int: ...
    @property
    def tries(self) -> int: ...


_Letter = TypeVar("_Letter", bound=ClaimedEmail)
_Done = TypeVar("_Done")


class Overtaken(Exception):
    """Another worker read the email meanwhile, or an earlier one of its sender still waits."""


@dataclass(frozen=True)
class Intake(Generic[_Letter]):
    """The incoming emails of one table; `tell`, of `unreadable_emails.py`, tells senders of failures."""

    table: type[InboxRow | SiteInboxRow]
    whose: InstrumentedAttribute[int]
    letter: Callable[..., _Letter]
    columns: Sequence[Column]
    tell: Callable[[Intake[_Letter], Connection, Server, _Letter, datetime], None]

    # ------------------------------------------------------------ claiming

    @cached_property
    def queue(self) -> Queue[_Letter]:
        """Queue the oldest unread email of each sender, so that emails are read in order.

        An email that was claimed before and is still unread may have killed its worker, so it is claimed alone.
        """
        rested = self.table.retry_at.is_(None) | (self.table.retry_at <= NOW)
        unread = select(self.table.id).where(self._is_next, rested, is_free(self.table))
        due, alone = unread.order_by(self.table.id), self.table.tries > 0
        return Queue(self.table, due, alone, self.letter, *self.columns)

    def claim(self, server: Server, now: datetime, most: int) -> list[_Letter]:
        """Claim emails under a lease."""
        return self.queue.claim(server.store, now, now + server.lease, most)

    def readable(self, server: Server, letters: Iterable[_Letter], now: datetime) -> list[_Letter]:
        """Return claimed emails that are safe to read; set aside those that killed several workers."""
        harmless = []
        for letter in letters:
            if letter.tries <= limits.LETTER_DEATHS:
                harmless.append(letter)
            else:
                log.error("every worker that read this email died", extra=self.named(letter))
                self._put_aside(server, letter, now)
        return harmless

    # ------------------------------------------------------------ reading

    def act(
        self, server: Server, letter: _Letter, now: datetime, settle: Callable[[Connection], _Done]
    ) -> _Done | None:
        """Apply an email in one transaction; return the result, or None if nothing was committed."""
        try:
            with server.store.writing() as connection:
                done = settle(connection)
        except Overtaken:
            self._release(server, letter)
            return None
        except OperationalError:
            raise
        except Exception as error:  # noqa: BLE001  # whatever it is, it holds up no other letter
            self.fail(server, letter, error, now)
            return None
        return done

    def mark(self, connection: Connection, letter: int, **read: object) -> None:
        """Record how an email was read; raise `Overtaken`, which undoes its effects, if too late."""
        if not connection.execute(self._mark, {"this": letter, **read}).rowcount:
            raise Overtaken

    def amend(self, connection: Connection, letter: int, **read: object) -> None:
        """Record something more about an email that was read before."""
        connection.execute(self._amend, {"this": letter, **read})

    # ------------------------------------------------------------ faults

    def _release(self, server: Server, letter: _Letter) -> None:
        """Release an email that another worker read, or that waits for an earlier one.

        Emails are numbered when their intake begins, and may be committed in another order.
        """
        with server.store.writing() as connection:
            waits = connection.execute(self._release_update, {"this": letter.id}).rowcount
        why = "an email waits for an earlier one" if waits else "another worker read this email"
        log.warning(why, extra=self.named(letter))

    def fail(self, server: Server, letter: _Letter, error: Exception, now: datetime) -> None:
        """Try an email that broke its reader again later, and finally set it aside."""
        log.error("could not read an email", exc_info=error, extra=self.named(letter))
        if letter.tries >= limits.LETTER_FAULTS:
            self._put_aside(server, letter, now)
            return
        rest = {"leased_until": None, "retry_at": now + _RETRY_DELAY * 2**letter.tries}
        with server.store.writing() as connection:
            connection.execute(self._unread_update, {"this": letter.id, **rest})

    def _put_aside(self, server: Server, letter: _Letter, now: datetime) -> None:
        """Set an email aside and tell its sender, unless even that fails."""
        try:
            self._leave_unread(server, letter, now, told=letter.tries <= limits.LETTER_DEATHS + _EXTRA_DEATHS)
        except OperationalError:
            raise
        except Exception:
            log.exception(
                "could not tell the sender that their email was set aside", extra=self.named(letter)
            )
            self._leave_unread(server, letter, now, told=False)

    def _leave_unread(self, server: Server, letter: _Letter, now: datetime, *, told: bool) -> None:
        with server.store.writing() as connection:
            aside = {"this": letter.id, "read_at": now, "reading": "failed"}
            if connection.execute(self._unread_update, aside).rowcount and told:
                self.tell(self, connection, server, letter, now)

    def named(self, letter: _Letter) -> dict[str, int]:
        """Return the log fields that identify an email."""
        return {"letter": letter.id, self.whose.key.removesuffix("_id"): getattr(letter, self.whose.key)}

    # ------------------------------------------------------------ statements, each made once

    @cached_property
    def _is_next(self) -> ColumnElement[bool]:
        """Whether an email is unread and no earlier one of its sender waits."""
        earlier = aliased(self.table)
        has_earlier = (
            select(earlier.id)
            .where(
                getattr(earlier, self.whose.key) == self.whose,
                earlier.read_at.is_(None),
                earlier.id < self.table.id,
            )
            .exists()
        )
        return self.table.read_at.is_(None) & ~has_earlier

    @cached_property
    def _mark(self) -> Update:
        return self._amend.where(self._is_next)

    @cached_property
    def _unread_update(self) -> Update:
        return self._amend.where(self.table.read_at.is_(None))

    @cached_property
    def _release_update(self) -> Update:
        """Undo a claim, including its try."""
        return self._unread_update.values(leased_until=None, tries=self.table.tries - 1)

    @cached_property
    def _amend(self) -> Update:
        return update(self.table).where(self.table.id == bindparam("this"))
