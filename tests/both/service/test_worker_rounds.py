"""Workers read and send in turn, whatever woke them."""

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
from tests.support.many_players import Letter, ManyPlayers
from tests.support.table import ANN, EVE, Clock, Table
from tests.support.waiting import join

GAMES = 30
SECONDS = 600.0


@dataclass
class WatchingMailer:
    """Counts the unread emails whenever one is sent, and calls a function at the first."""

    server: Server
    on_first: Callable[[], object] = lambda: None
    unread_counts: list[int] = field(default_factory=list)
    threads: set[int] = field(default_factory=set)

    def send(self, _envelope: Envelope) -> Delivery:
        self.unread_counts.append(unread(self.server))
        self.threads.add(threading.get_ident())
        if len(self.unread_counts) == 1:
            self.on_first()
        return Delivery(DeliveryFate.SENT)

    def close(self) -> None:
        pass


def replies_of_many_games(table: Table) -> list[Letter]:
    """The next emails of many games, not yet received."""
    crowd = ManyPlayers(table.server)
    crowd.begin(GAMES)
    return crowd.replies()


def receive(server: Server, *letters: Letter) -> None:
    for letter in letters:
        inbox.store_email(server, Arrival(letter.raw, (letter.recipient,), server.now()))


def unread(server: Server) -> int:
    with server.store.asking() as connection:
        waiting = select(func.count()).select_from(InboxRow).where(InboxRow.read_at.is_(None))
        count: int = connection.execute(waiting).scalar_one()
        return count


def are_leased(server: Server) -> list[bool]:
    """For each claimed email, whether its lease still runs."""
    with server.store.asking() as connection:
        until = select(OutboxRow.leased_until).where(OutboxRow.leased_until.is_not(None))
        return [moment > server.now() for moment in connection.execute(until).scalars()]


def wake_nobody(_seconds: float) -> None:
    pass


def test_answers_go_out_while_many_emails_are_unread(table: Table) -> None:
    mailer = WatchingMailer(table.server)
    receive(table.server, *replies_of_many_games(table))

    WorkerRounds(replace(table.server, mailer=mailer)).take(SECONDS, wake_nobody)

    assert len(mailer.unread_counts) == 2 * GAMES
    assert mailer.unread_counts[0] == GAMES - READ_AT_ONCE
    assert unread(table.server) == 0


def test_a_new_email_is_read_while_many_wait_to_be_sent(table: Table) -> None:
    *letters, last = replies_of_many_games(table)
    receive(table.server, *letters)
    while read_some(table.server, table.clock()):
        pass
    mailer = WatchingMailer(table.server, lambda: receive(table.server, last))

    WorkerRounds(replace(table.server, mailer=mailer)).take(SECONDS, wake_nobody)

    assert len(mailer.unread_counts) == 2 * GAMES
    assert mailer.unread_counts[1 : SENT_AT_ONCE + 1] == [1] * (SENT_AT_ONCE - 1) + [0]


def test_emails_about_games_do_not_delay_an_email_to_the_site(table: Table) -> None:
    letters = replies_of_many_games(table)
    table.deliver(table.site_email(EVE, "help"))
    table.read_emails()
    receive(table.server, *letters)
    mailer = WatchingMailer(table.server)

    WorkerRounds(replace(table.server, mailer=mailer)).take(SECONDS, wake_nobody)

    assert len(mailer.unread_counts) == 2 * GAMES + 1
    assert mailer.unread_counts[2 * READ_AT_ONCE] == GAMES - READ_AT_ONCE


def test_a_lease_runs_from_the_claim_however_long_reading_took(sqlite_table: Table) -> None:
    server, clock = sqlite_table.server, sqlite_table.clock
    receive(server, *replies_of_many_games(sqlite_table)[:READ_AT_ONCE])
    in_hand: list[bool] = []
    mailer = WatchingMailer(server, lambda: in_hand.extend(are_leased(server)))
    event.listen(server.store.engine, "commit", lambda _: clock.advance(seconds=20))

    WorkerRounds(replace(server, mailer=mailer)).take(SECONDS, wake_nobody)

    assert in_hand == [True] * 2 * READ_AT_ONCE


def test_a_slow_mail_server_does_not_delay_reading(table: Table) -> None:
    clock = Clock()
    mailer = WatchingMailer(table.server, lambda: clock.advance(seconds=30))
    receive(table.server, *replies_of_many_games(table))

    WorkerRounds(replace(table.server, mailer=mailer), lambda: clock().timestamp()).take(SECONDS, wake_nobody)

    first = 2 * READ_AT_ONCE
    assert mailer.unread_counts[first - 1 : first + 1] == [GAMES - READ_AT_ONCE, 0]


def test_a_worker_woken_while_another_works_leaves_the_email_to_it(table: Table) -> None:
    *letters, last = replies_of_many_games(table)
    receive(table.server, *letters)

    def wake_another() -> None:
        receive(table.server, last)
        another = threading.Thread(target=rounds.take, args=(SECONDS, wake_nobody))
        another.start()
        join(another)

    mailer = WatchingMailer(table.server, wake_another)
    rounds = WorkerRounds(replace(table.server, mailer=mailer))
    rounds.take(SECONDS, wake_nobody)

    assert len(mailer.unread_counts) == 2 * GAMES
    assert mailer.threads == {threading.get_ident()}
    assert unread(table.server) == 0


def test_another_worker_is_woken_once_if_there_is_much_to_do(table: Table) -> None:
    first, *letters = replies_of_many_games(table)
    woken = []
    rounds = WorkerRounds(replace(table.server, mailer=WatchingMailer(table.server)))

    receive(table.server, first)
    rounds.take(SECONDS, lambda _: woken.append("by one"))
    receive(table.server, *letters)
    rounds.take(SECONDS, lambda _: woken.append("by many"))

    assert woken == ["by many"]


def test_a_worker_wakes_another_when_its_time_is_over(table: Table) -> None:
    clock, woken = Clock(), []
    mailer = WatchingMailer(table.server, lambda: clock.advance(seconds=30))
    receive(table.server, *replies_of_many_games(table))

    rounds = WorkerRounds(replace(table.server, mailer=mailer), lambda: clock().timestamp())
    rounds.take(2.0, lambda _: woken.append("the next"))

    assert woken == ["the next"]
    assert unread(table.server) == GAMES - READ_AT_ONCE


def two_sweeps_at_once(table: Table) -> list[int]:
    """How many games each of two sweeps acted in; the first to load a game waits a moment for the other."""
    begin, has_locked = threading.Barrier(2), threading.Barrier(2)

    def wait(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        if "FROM games JOIN seats ON" in " ".join(statement.split()):
            with suppress(threading.BrokenBarrierError):
                has_locked.wait(0.3)

    def sweep(_number: int) -> int:
        begin.wait()
        return worker_rounds.sweep(table.server, table.clock())

    event.listen(table.server.store.engine, "after_cursor_execute", wait)
    with ThreadPoolExecutor(2) as workers:
        touched = sorted(workers.map(sweep, range(2)))
    event.remove(table.server.store.engine, "after_cursor_execute", wait)
    table.send_emails()
    return touched


def test_two_sweeps_at_once_remind_once_and_flag_once(table: Table) -> None:
    table.begin_with_moves()
    for hours, says in ((37, "This is a reminder"), (36, "White is out of time.")):
        table.clock.advance(hours=hours)
        letters = len(table.emails_to(ANN))

        assert two_sweeps_at_once(table) == [0, 1]

        assert len(table.emails_to(ANN)) == letters + 1
        assert says in table.last_text(ANN)
