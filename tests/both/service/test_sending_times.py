"""Emails wait for their sending time unclaimed, keep their order, and a worker is woken for them."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import pytest
from sqlalchemy import select

from corr.mail.outward.transport import DeliveryFate
from corr.service import worker_rounds
from corr.service.answer_timing import EMAILS
from corr.service.mail import game_emails
from corr.service.server import Server
from corr.service.worker_rounds import WorkerRounds
from corr.store.tables import OutboxRow
from tests.support.moody_transport import ScriptedMailer
from tests.support.table import ANN, EVE, Table

SECONDS = 600.0


@dataclass
class PacedServer:
    """A server that sends emails at their times, through a mailer that keeps them."""

    table: Table
    mailer: ScriptedMailer

    @property
    def server(self) -> Server:
        return replace(self.table.server, mailer=self.mailer, pace=EMAILS)

    def work(self, *, millis: float = 0) -> int:
        """Let time pass and a worker do everything; how many emails were sent by then."""
        self.table.clock.advance(milliseconds=millis)
        while worker_rounds.read_some(self.server, self.table.clock()) or worker_rounds.send_some(
            self.server, self.table.clock()
        ):
            pass
        return len(self.mailer.envelopes)

    def claims(self) -> list[tuple[bool, int]]:
        """For each waiting email, whether it is claimed, and how often it was."""
        waiting = select(OutboxRow.leased_until, OutboxRow.tries).where(OutboxRow.sent_at.is_(None))
        with self.server.store.reading() as connection:
            return [(until is not None, tries) for until, tries in connection.execute(waiting)]

    def answered_words(self, *words: str) -> list[str]:
        """The given words, in the order in which they were answered."""
        return [
            next(word for word in words if f"| {word}".encode() in each.message)
            for each in self.mailer.envelopes
        ]


@pytest.fixture
def paced(table: Table, monkeypatch: pytest.MonkeyPatch) -> PacedServer:
    """Random delays are always the same."""
    monkeypatch.setattr(random, "expovariate", lambda _rate: 0.003)
    table.begin()
    return PacedServer(table, ScriptedMailer([]))


def test_an_email_is_composed_at_once_and_waits_unclaimed(paced: PacedServer) -> None:
    paced.table.deliver(paced.table.reply_email(ANN, "e2e4"))

    assert paced.work() == 0
    assert paced.claims() == [(False, 0)] * 2
    assert paced.work(millis=102) == 0
    assert paced.work(millis=1) == 2
    assert paced.claims() == []


def test_an_email_whose_worker_died_goes_with_the_same_bytes(paced: PacedServer) -> None:
    paced.table.deliver(paced.table.reply_email(ANN, "show"))
    paced.work()
    paced.table.clock.advance(milliseconds=103)
    (taken,) = game_emails.OUTBOX.claim(paced.server, paced.table.clock(), 20)
    assert paced.work() == 0

    paced.work(millis=180_000)

    assert [each.message for each in paced.mailer.envelopes] == [taken.message]


def test_an_email_whose_worker_died_composing_it_goes_after_the_lease(paced: PacedServer) -> None:
    paced.table.deliver(paced.table.reply_email(ANN, "show"))
    paced.table.read_emails()
    assert len(game_emails.OUTBOX.claim(paced.server, paced.table.clock(), 20)) == 1

    assert paced.work(millis=180_000) == 0
    assert paced.work(millis=103) == 1


def test_no_email_overtakes_an_earlier_one(paced: PacedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    delays = iter((0.080, 0.001, 0.001))
    monkeypatch.setattr(random, "expovariate", lambda _rate: next(delays))
    for word in ("show", "help", "rules"):
        paced.table.deliver(paced.table.reply_email(ANN, word))

    while paced.work(millis=5) < 3:
        assert paced.claims()

    assert paced.answered_words("show", "help", "rules") == ["show", "help", "rules"]


def test_no_email_waits_for_one_that_the_mail_server_delayed(paced: PacedServer) -> None:
    paced.mailer.fates.append(DeliveryFate.LATER)
    for word in ("show", "help"):
        paced.table.deliver(paced.table.reply_email(ANN, word))

    while paced.work(millis=50) < 2:
        assert paced.claims()

    assert paced.answered_words("show", "help") == ["show", "help"]


def test_one_worker_is_woken_for_the_next_sending_time(paced: PacedServer) -> None:
    woken: list[float] = []
    rounds = WorkerRounds(paced.server, lambda: paced.table.clock().timestamp())
    paced.table.deliver(paced.table.reply_email(ANN, "e2e4"))
    rounds.take(SECONDS, woken.append)
    assert woken == [pytest.approx(0.103)]

    paced.table.clock.advance(milliseconds=40)
    paced.table.deliver(paced.table.site_email(EVE, "help"))
    rounds.take(SECONDS, woken.append)
    assert len(woken) == 1
    paced.table.clock.advance(milliseconds=63)
    rounds.take(SECONDS, woken.append)

    assert len(paced.mailer.envelopes) == 2
    assert woken == [pytest.approx(0.103), pytest.approx(0.040)]


def test_no_worker_is_woken_for_a_long_delay(paced: PacedServer) -> None:
    woken: list[float] = []
    rounds = WorkerRounds(paced.server, lambda: paced.table.clock().timestamp())
    paced.mailer.fates.append(DeliveryFate.LATER)
    paced.table.deliver(paced.table.reply_email(ANN, "show"))
    rounds.take(SECONDS, woken.append)
    paced.table.clock.advance(milliseconds=103)
    rounds.take(SECONDS, woken.append)

    assert len(paced.mailer.envelopes) == 1
    assert woken == [pytest.approx(0.103)]
