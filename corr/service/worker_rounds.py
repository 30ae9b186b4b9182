"""Runs a worker's rounds: reads and sends emails, starts games, enforces admins' decisions, sweeps."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple, TypeAlias

from sqlalchemy import Connection, select

from corr.service.admin import game_decisions, maintenance
from corr.service.events import emails, entries, event_games, withdrawals
from corr.service.games import checkpoints, due_actions, outages, rescheduling
from corr.service.lobby import game_starts
from corr.service.mail import daily_emails, game_emails, game_reader, retention, site_emails, site_reader
from corr.service.mail.delivery import OutgoingEmail
from corr.service.players import address_checks, guests, mailboxes, passkeys, sessions
from corr.service.ratings import rating_updates
from corr.service.server import Server
from corr.store.rows import one_of
from corr.store.session import free_unused_pages


class WaitingWork(NamedTuple):
    """Whether each kind of work waits, and when the next delayed emails go out."""

    decrees: bool
    letters: bool
    site_letters: bool
    requests: bool
    guests: bool
    challenges: bool
    event_games: bool
    leaving: bool
    answers: bool
    site_answers: bool
    next_answer: datetime | None
    next_site_answer: datetime | None
    swept: datetime | None


#: How many emails are read before some are sent, and how many are sent before some are read. The second is larger,
#: because most orders cause emails to both sides, and each email is handled twice, once to compose and once to send.
READ_AT_ONCE, SENT_AT_ONCE = 8, 32
# The part of a lease that a sweep spends on reading before it checks deadlines.
_LEASE_SHARE = 0.25
# If sending takes more seconds than this, the mail server makes us wait.
_SLOW_SECONDS = 1.0
# How many seconds ahead a wake-up is scheduled; beat wakes a worker often enough for later moments.
_WAKE_SECONDS = 5.0

#: Wakes a worker after so many seconds.
Wake: TypeAlias = Callable[[float], object]


class WorkerRounds:
    """Alternates between reading and sending emails; threads share it, and one works at a time."""

    def __init__(self, server: Server, seconds: Callable[[], float] = time.monotonic) -> None:
        self._server, self._seconds = server, seconds
        self._working_lock, self._woken = threading.Lock(), False
        self._reads_only_until = 0.0
        self._wakes_at = 0.0

    def take(self, stint: float, wake: Wake) -> None:
        """Read and send for `stint` seconds at most; `wake` another worker if much is left."""
        until = self._seconds() + stint
        self._woken = True
        while self._woken and self._working_lock.acquire(blocking=False):
            try:
                self._woken = False
                self._go_on(until, wake)
            finally:
                self._working_lock.release()

    def _go_on(self, until: float, wake: Wake) -> None:
        """Run batches until nothing waits or time is up; schedule wake-ups for delayed emails."""
        has_woken, waits = False, _load_waiting(self._server, self._server.now())
        while any(done := self._run_batch(waits)):
            if self._seconds() > until:
                wake(0.0)
                return
            read, sent = done
            if (read >= READ_AT_ONCE or sent >= SENT_AT_ONCE) and not has_woken:
                wake(0.0)
                has_woken = True
            waits = _load_waiting(self._server, self._server.now())
        if moments := [each for each in (waits.next_answer, waits.next_site_answer) if each]:
            self._wake_at(min(moments), wake)

    def _wake_at(self, moment: datetime, wake: Wake) -> None:
        """Schedule a wake-up for an email due within seconds, unless an earlier one comes."""
        now, seconds = self._seconds(), max(0.0, (moment - self._server.now()).total_seconds())
        if seconds < _WAKE_SECONDS and not now < self._wakes_at <= now + seconds:
            self._wakes_at = now + seconds
            wake(seconds)

    def _run_batch(self, waits: WaitingWork) -> tuple[int, int]:
        """Read and send a batch, and return both counts. After slow sending, only read for as long."""
        server, sends = self._server, self._seconds() >= self._reads_only_until
        done = _do_other_work(server, server.now(), waits)
        read, taken = _read_and_claim(server, server.now(), waits, SENT_AT_ONCE if sends else 0)
        begun, done = self._seconds(), done + read
        if done and not sends:
            return done, 0
        sent = _send(server, waits, taken)
        took = self._seconds() - begun
        if took > _SLOW_SECONDS:
            self._reads_only_until = begun + 2 * took
        return done, sent


_WAITING_QUERY = select(
    game_decisions.HAS_WORK.label("decrees"),
    game_reader.INTAKE.queue.waits.label("letters"),
    site_reader.INTAKE.queue.waits.label("site_letters"),
    address_checks.HAS_WORK.label("requests"),
    guests.HAS_WORK.label("guests"),
    game_starts.HAS_WORK.label("challenges"),
    event_games.HAS_WORK.label("event_games"),
    withdrawals.HAS_WORK.label("leaving"),
    game_emails.OUTBOX.queue.waits.label("answers"),
    site_emails.OUTBOX.queue.waits.label("site_answers"),
    game_emails.OUTBOX.next_due.label("next_answer"),
    site_emails.OUTBOX.next_due.label("next_site_answer"),
    outages.LAST_SWEEP.label("swept"),
)


def _load_waiting(server: Server, now: datetime) -> WaitingWork:
    """Ask the database, in one query, which kinds of work wait."""
    with server.store.asking() as connection:
        return one_of(WaitingWork, connection.execute(_WAITING_QUERY, {"now": now}))


def read_some(server: Server, now: datetime) -> int:
    """Do a batch of incoming work (emails, sign-ins, new games, admins' decisions); return the count."""
    waits = _load_waiting(server, now)
    return _do_other_work(server, now, waits) + _read_and_claim(server, now, waits, 0)[0]


def _read_and_claim(
    server: Server, now: datetime, waits: WaitingWork, most: int
) -> tuple[int, Sequence[OutgoingEmail]]:
    """Read a batch of game emails, and claim up to `most` outgoing ones for sending."""
    if not waits.letters:
        return 0, ()

    def take(connection: Connection) -> Sequence[OutgoingEmail]:
        return game_emails.OUTBOX.take(connection, server, server.now(), most) if most else ()

    return game_reader.read_and_claim(server, now, READ_AT_ONCE, take)


def _do_other_work(server: Server, now: datetime, waits: WaitingWork) -> int:
    """Do a batch of waiting work other than game emails, and return the count."""
    if outages.has_gap(server, waits.swept, now):
        outages.record_outage(server, now)
    done = game_decisions.enforce_some(server, now) if waits.decrees else 0
    done += site_reader.read_some(server, now, READ_AT_ONCE) if waits.site_letters else 0
    done += address_checks.write_some(server, now) if waits.requests else 0
    done += maintenance.keep_guests_games(server, now) if waits.guests else 0
    done += game_starts.start_some(server, now) if waits.challenges else 0
    done += event_games.start_some(server, now) if waits.event_games else 0
    return done + (withdrawals.end_some(server, now) if waits.leaving else 0)


def send_some(server: Server, now: datetime) -> int:
    """Send a batch of due emails, and return how many a worker claimed for it."""
    return _send(server, _load_waiting(server, now), ())


def _send(server: Server, waits: WaitingWork, taken: Sequence[OutgoingEmail]) -> int:
    """Send claimed or else waiting game emails, then emails about no game; return the count."""
    if taken:
        sent = game_emails.OUTBOX.send(server, taken)
    else:
        sent = game_emails.OUTBOX.send_some(server, server.now(), SENT_AT_ONCE) if waits.answers else 0
    return sent + (
        site_emails.OUTBOX.send_some(server, server.now(), SENT_AT_ONCE) if waits.site_answers else 0
    )


def sweep(server: Server, now: datetime) -> int:
    """Do everything that time makes due: flags, reminders, expiries, deletions; return how much there was."""
    outages.record_outage(server, now)
    _read_in_time(server, now)
    touched = rescheduling.credit_some(server, now) + rescheduling.reschedule_some(server, now)
    touched += due_actions.sweep(server, now) + game_starts.expire_some(server, now)
    touched += daily_emails.write_digests(server, now) + rating_updates.unlist_some(server, now)
    touched += event_games.settle_some(server, now) + entries.fill_some(server, now)
    touched += emails.write_some(server, now) + maintenance.end_idle_guests(server, now)
    checkpoints.sign_checkpoint(server, now)
    touched += daily_emails.write_checkpoints(server, now)
    cleared = retention.delete_expired(server, now) + sessions.delete_expired(server, now)
    forgotten = mailboxes.forget_strangers(server, now) + passkeys.delete_expired_challenges(server, now)
    free_unused_pages(server.store)
    return touched + cleared + forgotten


def _read_in_time(server: Server, now: datetime) -> None:
    """Read waiting emails before any deadline is enforced, since they may have come in time."""
    until = time.monotonic() + server.lease.total_seconds() * _LEASE_SHARE
    while time.monotonic() < until and site_reader.read_some(server, now) + game_reader.read_some(
        server, now
    ):
        pass


def revive(server: Server, now: datetime) -> int:
    """Queue all emails again that were given up as undeliverable, and return how many."""
    return game_emails.OUTBOX.revive(server, now) + site_emails.OUTBOX.revive(server, now)
