"""Letters in and letters out go on in turn, whatever woke the worker."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace

from sqlalchemy import event, func, select

from corr.mail.outward.transport import Delivery, DeliveryFate, Envelope
from corr.service import worker_rounds
from corr.service.mail import inbox
from corr.service.mail.arrivals import Arrival
from corr.service.server import Server
from corr.service.worker_rounds import READ_AT_ONCE, SENT_AT_ONCE, WorkerRounds, read_some
from corr.store.tables import InboxRow, OutboxRow
from tests.support.many_players import Crowd, Letter
from tests.support.table import ANN, EVE, Clock, Table
from tests.support.waiting import join

GAMES = 30
STINT = 600.0


@dataclass
class Watched:
    """A post that sees, at each letter, how many wait to be read; and does what it is told at the first."""

    server: Server
    at_the_first: Callable[[], object] = lambda: None
    waiting: list[int] = field(default_factory=list)
    threads: set[int] = field(default_factory=set)

    def send(self, _envelope: Envelope) -> Delivery:
        self.waiting.append(unread(self.server))
        self.threads.add(threading.get_ident())
        if len(self.waiting) == 1:
            self.at_the_first()
        return Delivery(DeliveryFate.SENT)

    def close(self) -> None:
        pass


def crowded(table: Table) -> list[Letter]:
    """The next letters of many games, not yet at the door."""
    crowd = Crowd(table.server)
    crowd.begin(GAMES)
    return crowd.replies()


def bring(server: Server, *letters: Letter) -> None:
    for letter in letters:
        inbox.store_email(server, Arrival(letter.raw, (letter.recipient,), server.now()))


def unread(server: Server) -> int:
    with server.store.asking() as connection:
        waiting = select(func.count()).select_from(InboxRow).where(InboxRow.read_at.is_(None))
        count: int = connection.execute(waiting).scalar_one()
        return count


def leases_run(server: Server) -> list[bool]:
    """Of each letter out that was taken, whether it is in hand still."""
    with server.store.asking() as connection:
        until = select(OutboxRow.leased_until).where(OutboxRow.leased_until.is_not(None))
        return [moment > server.now() for moment in connection.execute(until).scalars()]


def nobody(_seconds: float) -> None:
    """Wakes nobody."""


def test_answers_go_out_while_many_letters_wait_to_be_read(table: Table) -> None:
    post = Watched(table.server)
    bring(table.server, *crowded(table))

    WorkerRounds(replace(table.server, mailer=post)).take(STINT, nobody)

    assert len(post.waiting) == 2 * GAMES
    assert post.waiting[0] == GAMES - READ_AT_ONCE
    assert unread(table.server) == 0


def test_a_letter_that_comes_is_read_while_many_wait_to_be_sent(table: Table) -> None:
    *letters, last = crowded(table)
    bring(table.server, *letters)
    while read_some(table.server, table.clock()):
        pass
    post = Watched(table.server, lambda: bring(table.server, last))

    WorkerRounds(replace(table.server, mailer=post)).take(STINT, nobody)

    assert len(post.waiting) == 2 * GAMES
    assert post.waiting[1 : SENT_AT_ONCE + 1] == [1] * (SENT_AT_ONCE - 1) + [0]


def test_a_letter_about_no_game_waits_for_no_letters_of_games(table: Table) -> None:
    letters = crowded(table)
    table.post(table.unasked(EVE, "help"))
    table.read()
    bring(table.server, *letters)
    post = Watched(table.server)

    WorkerRounds(replace(table.server, mailer=post)).take(STINT, nobody)

    assert len(post.waiting) == 2 * GAMES + 1
    assert post.waiting[2 * READ_AT_ONCE] == GAMES - READ_AT_ONCE


def test_a_letter_is_in_hand_from_when_it_is_taken_however_long_reading_took(sqlite_table: Table) -> None:
    server, clock = sqlite_table.server, sqlite_table.clock
    bring(server, *crowded(sqlite_table)[:READ_AT_ONCE])
    in_hand: list[bool] = []
    post = Watched(server, lambda: in_hand.extend(leases_run(server)))
    event.listen(server.store.engine, "commit", lambda _: clock.pass_by(seconds=20))

    WorkerRounds(replace(server, mailer=post)).take(STINT, nobody)

    assert in_hand == [True] * 2 * READ_AT_ONCE


def test_while_the_mail_server_is_slow_letters_are_read_without_waiting_for_it(table: Table) -> None:
    clock = Clock()
    post = Watched(table.server, lambda: clock.pass_by(seconds=30))
    bring(table.server, *crowded(table))

    WorkerRounds(replace(table.server, mailer=post), lambda: clock().timestamp()).take(STINT, nobody)

    first = 2 * READ_AT_ONCE
    assert post.waiting[first - 1 : first + 1] == [GAMES - READ_AT_ONCE, 0]


def test_who_is_woken_while_another_is_at_it_leaves_its_letter_to_that_one(table: Table) -> None:
    *letters, last = crowded(table)
    bring(table.server, *letters)

    def wake_another() -> None:
        bring(table.server, last)
        another = threading.Thread(target=turns.take, args=(STINT, nobody))
        another.start()
        join(another)

    post = Watched(table.server, wake_another)
    turns = WorkerRounds(replace(table.server, mailer=post))
    turns.take(STINT, nobody)

    assert len(post.waiting) == 2 * GAMES
    assert post.threads == {threading.get_ident()}
    assert unread(table.server) == 0


def test_another_is_woken_once_where_there_is_much_to_do_and_by_a_lone_letter_nobody(table: Table) -> None:
    first, *letters = crowded(table)
    woken = []
    turns = WorkerRounds(replace(table.server, mailer=Watched(table.server)))

    bring(table.server, first)
    turns.take(STINT, lambda _: woken.append("by one"))
    bring(table.server, *letters)
    turns.take(STINT, lambda _: woken.append("by many"))

    assert woken == ["by many"]


def test_when_its_time_is_over_a_worker_wakes_another_and_ends(table: Table) -> None:
    clock, woken = Clock(), []
    post = Watched(table.server, lambda: clock.pass_by(seconds=30))
    bring(table.server, *crowded(table))

    turns = WorkerRounds(replace(table.server, mailer=post), lambda: clock().timestamp())
    turns.take(2.0, lambda _: woken.append("the next"))

    assert woken == ["the next"]
    assert unread(table.server) == GAMES - READ_AT_ONCE


def two_sweeps_at_once(table: Table) -> list[int]:
    """In how many games each of two workers did something that was due.

    Who has sat down at a game waits until the other one has, as far as it is let.
    """
    begin, sat_down = threading.Barrier(2), threading.Barrier(2)

    def wait(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        if "FROM games JOIN seats ON" in " ".join(statement.split()):
            with suppress(threading.BrokenBarrierError):
                sat_down.wait(0.3)

    def sweep(_number: int) -> int:
        begin.wait()
        return worker_rounds.sweep(table.server, table.clock())

    event.listen(table.server.store.engine, "after_cursor_execute", wait)
    with ThreadPoolExecutor(2) as workers:
        touched = sorted(workers.map(sweep, range(2)))
    event.remove(table.server.store.engine, "after_cursor_execute", wait)
    table.send()
    return touched


def test_two_beats_at_once_remind_once_and_flag_once(table: Table) -> None:
    table.begin_in_earnest()
    for hours, says in ((37, "This is a reminder"), (36, "White is out of time.")):
        table.clock.pass_by(hours=hours)
        letters = len(table.letters(ANN))

        assert two_sweeps_at_once(table) == [0, 1]

        assert len(table.letters(ANN)) == letters + 1
        assert says in table.says(ANN)
