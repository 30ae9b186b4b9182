"""Claims incoming emails, reads each once, retries after a fault, and sets it aside (limits: `corr/limits.py`)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import InstrumentedAttribute, aliased

from corr import limits
from corr.service.mail.email_contents import SeatMessage
from corr.service.mail.site_inbox import SiteMessage
from corr.service.server import Server
from corr.store.locks import NOW, Column, Queue, is_free
from corr.store.tables import InboxRow, SiteInboxRow

log = logging.getLogger(__name__)

#: After this many more worker deaths the sender is no longer told: telling them may be what kills workers.
_EXTRA_DEATHS = 5
_RETRY_DELAY = timedelta(seconds=15)

_Letter = TypeVar("_Letter", bound=SeatMessage | SiteMessage)
_Done = TypeVar("_Done")


class Overtaken(Exception):
    """Another worker read the email meanwhile, or an earlier one of its sender still waits."""


class Intake(Generic[_Letter]):
    """The incoming emails of one table that wait to be read; each sender's emails are read in order."""

    def __init__(
        self,
        table: type[InboxRow | SiteInboxRow],
        owner: InstrumentedAttribute[int],
        letter: Callable[..., _Letter],
        columns: Iterable[Column],
        tell: Callable[[Connection, Server, _Letter, datetime], None],
    ) -> None:
        """Describe the table; `tell`, of `unreadable_emails.py`, tells senders of failures."""
        self._owner, self._tell = owner, tell
        earlier = aliased(table)
        is_earlier = (
            (getattr(earlier, owner.key) == owner) & earlier.read_at.is_(None) & (earlier.id < table.id)
        )
        is_next = table.read_at.is_(None) & ~select(earlier.id).where(is_earlier).exists()
        rested = table.retry_at.is_(None) | (table.retry_at <= NOW)
        due = select(table.id).where(is_next, rested, is_free(table)).order_by(table.id)
        # An email that was claimed before and is still unread may have killed its worker, so it is claimed alone.
        self.queue = Queue(table, due, table.tries > 0, letter, *columns)
        self._amend = update(table).where(table.id == bindparam("this"))
        self._mark = self._amend.where(is_next)
        self._update_unread = self._amend.where(table.read_at.is_(None))
        self._release_update = self._update_unread.values(leased_until=None, tries=table.tries - 1)

    # ------------------------------------------------------------ claiming

    def claim(self, server: Server, now: datetime, most: int) -> list[_Letter]:
        """Claim up to `most` unread emails under a lease."""
        return self.queue.claim(server.store, now, now + server.lease, most)

    def readable(self, server: Server, letters: Iterable[_Letter], now: datetime) -> list[_Letter]:
        """Return claimed emails that are safe to read; set aside those that killed several workers."""
        harmless = []
        for letter in letters:
            if letter.tries <= limits.LETTER_DEATHS:
                harmless.append(letter)
            else:
                log.error("every worker that tried to read this email died", extra=self.named(letter))
                self._put_aside(server, letter, now)
        return harmless

    # ------------------------------------------------------------ reading

    def act(
        self, server: Server, letter: _Letter, now: datetime, settle: Callable[[Connection], _Done]
    ) -> _Done | None:
        """Apply an email by `settle` in one transaction; if that fails, release or fail it, and return None."""
        try:
            with server.store.writing() as connection:
                return settle(connection)
        except Overtaken:
            self._release(server, letter)
        except OperationalError:
            raise
        except Exception as error:  # noqa: BLE001  # whatever it is, it holds up no other letter
            self.fail(server, letter, error, now)
        return None

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
        """Schedule another try for an email whose reading failed, or finally set it aside."""
        log.error("could not read an email", exc_info=error, extra=self.named(letter))
        if letter.tries >= limits.LETTER_FAULTS:
            self._put_aside(server, letter, now)
            return
        rest = {"leased_until": None, "retry_at": now + _RETRY_DELAY * 2**letter.tries}
        with server.store.writing() as connection:
            connection.execute(self._update_unread, {"this": letter.id, **rest})

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
        """Mark an email as failed without reading it, and tell its sender if `told`."""
        with server.store.writing() as connection:
            aside = {"this": letter.id, "read_at": now, "reading": "failed"}
            if connection.execute(self._update_unread, aside).rowcount and told:
                self._tell(connection, server, letter, now)

    def named(self, letter: _Letter) -> dict[str, int]:
        """Return the ids of an email and its owner, for the log."""
        return {"letter": letter.id, self._owner.key.removesuffix("_id"): getattr(letter, self._owner.key)}
