"""Runs a worker's rounds: incoming emails, sign-ins, new games, decrees and outgoing emails."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple, TypeAlias

from sqlalchemy import Connection, select

from corr.service.admin import enforcement
from corr.service.events import emails, game_starts, results, sections, withdrawals
from corr.service.games import checkpoints, outages, reminders_and_flags, rescheduling
from corr.service.house import House
from corr.service.lobby import challenge_starts
from corr.service.mail import (
    checkpoint_emails,
    digests,
    game_emails,
    reader,
    retention,
    site_emails,
    site_reader,
)
from corr.service.mail.game_emails import GameLetter
from corr.service.players import address_checks, mailboxes, passkey_challenges, sessions
from corr.service.ratings import leaderboard_expiry
from corr.store.rows import one_of
from corr.store.vacuum import give_back_some


class Waiting(NamedTuple):
    """Whether each kind of work waits, and when the next delayed emails go out."""

    decrees: bool
    letters: bool
    site_letters: bool
    requests: bool
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
_SPENT = 0.25
# If sending takes more seconds than this, the mail server makes us wait.
_SLOW = 1.0
# How many seconds ahead a wake-up is scheduled; beat wakes a worker often enough for later moments.
_SOON = 5.0

#: Wakes a worker after so many seconds.
Wake: TypeAlias = Callable[[float], object]


class Turns:
    """Alternates between reading and sending emails, so that neither waits for the other to finish.

    The threads of a worker share one instance. A thread that is woken while another is at work leaves its work
    to that one.
    """

    def __init__(self, house: House, seconds: Callable[[], float] = time.monotonic) -> None:
        self._house, self._seconds = house, seconds
        self._at_it, self._woken = threading.Lock(), False
        self._reads_on_until = 0.0
        self._wakes_at = 0.0

    def take(self, stint: float, wake: Wake) -> None:
        """Work for so many seconds at most, and `wake` another worker if much is left.

        No thread waits for emails that are not due yet; it schedules a wake-up for the next one.
        """
        until = self._seconds() + stint
        self._woken = True
        while self._woken and self._at_it.acquire(blocking=False):
            try:
                self._woken = False
                self._go_on(until, wake)
            finally:
                self._at_it.release()

    def _go_on(self, until: float, wake: Wake) -> None:
        has_woken, waits = False, self._look()
        while any(done := self._take_one(waits)):
            if self._seconds() > until:
                wake(0.0)
                return
            if _is_much(*done) and not has_woken:
                wake(0.0)
                has_woken = True
            waits = self._look()
        if moments := [each for each in (waits.next_answer, waits.next_site_answer) if each]:
            self._wake_at(min(moments), wake)

    def _wake_at(self, moment: datetime, wake: Wake) -> None:
        """Schedule a wake-up at a near moment, unless an earlier one will look again."""
        now, seconds = self._seconds(), max(0.0, (moment - self._house.now()).total_seconds())
        if seconds < _SOON and not now < self._wakes_at <= now + seconds:
            self._wakes_at = now + seconds
            wake(seconds)

    def _look(self) -> Waiting:
        return _look(self._house, self._house.now())

    def _take_one(self, waits: Waiting) -> tuple[int, int]:
        """Read and send a batch, and return both counts.

        After slow sending, as much time again goes to reading alone.
        """
        house, sends = self._house, self._seconds() >= self._reads_on_until
        done = _see_to_others(house, house.now(), waits)
        read, taken = _read_and_take(house, house.now(), waits, SENT_AT_ONCE if sends else 0)
        begun, done = self._seconds(), done + read
        if done and not sends:
            return done, 0
        sent = _send(house, waits, taken)
        took = self._seconds() - begun
        if took > _SLOW:
            self._reads_on_until = begun + 2 * took
        return done, sent


def _is_much(read: int, sent: int) -> bool:
    return read >= READ_AT_ONCE or sent >= SENT_AT_ONCE


_LOOK = select(
    enforcement.WAITS.label("decrees"),
    reader.INTAKE.queue.waits.label("letters"),
    site_reader.INTAKE.queue.waits.label("site_letters"),
    address_checks.WAITS.label("requests"),
    challenge_starts.WAITS.label("challenges"),
    game_starts.WAITS.label("event_games"),
    withdrawals.WAITS.label("leaving"),
    game_emails.TRAY.queue.waits.label("answers"),
    site_emails.TRAY.queue.waits.label("site_answers"),
    game_emails.TRAY.next.label("next_answer"),
    site_emails.TRAY.next.label("next_site_answer"),
    outages.SWEPT.label("swept"),
)


def _look(house: House, now: datetime) -> Waiting:
    with house.store.asking() as connection:
        return one_of(Waiting, connection.execute(_LOOK, {"now": now}))


def read_some(house: House, now: datetime) -> int:
    """Do all waiting incoming work: emails, sign-ins, new games and decrees; return the count."""
    waits = _look(house, now)
    return _see_to_others(house, now, waits) + _read_and_take(house, now, waits, 0)[0]


def _read_and_take(
    house: House, now: datetime, waits: Waiting, most: int
) -> tuple[int, Sequence[GameLetter]]:
    """Read waiting emails, and claim so many outgoing ones."""
    if not waits.letters:
        return 0, ()

    def take(connection: Connection) -> Sequence[GameLetter]:
        return game_emails.TRAY.take(connection, house, house.now(), most) if most else ()

    return reader.read_and_take(house, now, READ_AT_ONCE, take)


def _see_to_others(house: House, now: datetime, waits: Waiting) -> int:
    if outages.stands_still(house, waits.swept, now):
        outages.note(house, now)
    done = enforcement.enforce_some(house, now) if waits.decrees else 0
    done += site_reader.read_some(house, now, READ_AT_ONCE) if waits.site_letters else 0
    done += address_checks.write_some(house, now) if waits.requests else 0
    done += challenge_starts.begin_some(house, now) if waits.challenges else 0
    done += game_starts.begin_some(house, now) if waits.event_games else 0
    return done + (withdrawals.end_some(house, now) if waits.leaving else 0)


def send_some(house: House, now: datetime) -> int:
    """Send due emails, and return how many were claimed, 0 if none."""
    return _send(house, _look(house, now), ())


def _send(house: House, waits: Waiting, taken: Sequence[GameLetter]) -> int:
    """Send game emails, claimed or else waiting, and then emails about no game."""
    if taken:
        sent = game_emails.TRAY.send(house, taken)
    else:
        sent = game_emails.send_some(house, house.now(), SENT_AT_ONCE) if waits.answers else 0
    return sent + (site_emails.send_some(house, house.now(), SENT_AT_ONCE) if waits.site_answers else 0)


def sweep(house: House, now: datetime) -> int:
    """Read incoming emails, then do what is due; return how much there was."""
    outages.note(house, now)
    _read_up(house, now)
    touched = rescheduling.credit_some(house, now) + rescheduling.put_some_over(house, now)
    touched += reminders_and_flags.sweep(house, now) + challenge_starts.expire_some(house, now)
    touched += digests.write_some(house, now) + leaderboard_expiry.unlist_some(house, now)
    touched += results.settle_some(house, now) + sections.fill_some(house, now)
    touched += emails.write_some(house, now)
    checkpoints.make(house, now)
    touched += checkpoint_emails.write_some(house, now)
    cleared = retention.clear_some(house, now) + sessions.forget_some(house, now)
    forgotten = mailboxes.forget_some(house, now) + passkey_challenges.forget_some(house, now)
    give_back_some(house.store)
    return touched + cleared + forgotten


def _read_up(house: House, now: datetime) -> None:
    """Read emails that came in time before flags fall, also after the server was down."""
    until = time.monotonic() + house.lease.total_seconds() * _SPENT
    while time.monotonic() < until and site_reader.read_some(house, now) + reader.read_some(house, now):
        pass


def revive(house: House, now: datetime) -> int:
    """Make given-up emails due again, and return how many."""
    return game_emails.TRAY.revive(house, now) + site_emails.TRAY.revive(house, now)
