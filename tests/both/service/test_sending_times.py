"""Letters wait for their moment in nobody's hand, keep their order, and a worker is woken for them."""

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
from tests.support.moody_transport import Moody
from tests.support.table import ANN, EVE, Table

STINT = 600.0


@dataclass
class Paced:
    """A house that hands its letters over at their moments, and a post that keeps them."""

    table: Table
    post: Moody

    @property
    def server(self) -> Server:
        return replace(self.table.server, mailer=self.post, pace=EMAILS)

    def work(self, *, millis: float = 0) -> int:
        """Let a worker do all that there is to do after so long; how many letters were handed over by then."""
        self.table.clock.pass_by(milliseconds=millis)
        while worker_rounds.read_some(self.server, self.table.clock()) or worker_rounds.send_some(
            self.server, self.table.clock()
        ):
            pass
        return len(self.post.given)

    def in_hand(self) -> list[tuple[bool, int]]:
        """Of each letter that waits, whether a worker has it in hand, and how often one took it."""
        waiting = select(OutboxRow.leased_until, OutboxRow.tries).where(OutboxRow.sent_at.is_(None))
        with self.server.store.reading() as connection:
            return [(until is not None, tries) for until, tries in connection.execute(waiting)]

    def words(self, *words: str) -> list[str]:
        """What was asked for, in the order in which it was answered."""
        return [
            next(word for word in words if f"| {word}".encode() in each.message) for each in self.post.given
        ]


@pytest.fixture
def paced(table: Table, monkeypatch: pytest.MonkeyPatch) -> Paced:
    """The lot is always the same."""
    monkeypatch.setattr(random, "expovariate", lambda _rate: 0.003)
    table.begin()
    return Paced(table, Moody([]))


def test_a_letter_is_made_at_once_and_waits_in_nobodys_hand(paced: Paced) -> None:
    paced.table.post(paced.table.letter(ANN, "e2e4"))

    assert paced.work() == 0
    assert paced.in_hand() == [(False, 0)] * 2
    assert paced.work(millis=102) == 0
    assert paced.work(millis=1) == 2
    assert paced.in_hand() == []


def test_a_letter_whose_worker_died_at_its_moment_goes_with_the_same_bytes(paced: Paced) -> None:
    paced.table.post(paced.table.letter(ANN, "show"))
    paced.work()
    paced.table.clock.pass_by(milliseconds=103)
    (taken,) = game_emails.OUTBOX.claim(paced.server, paced.table.clock(), 20)
    assert paced.work() == 0

    paced.work(millis=180_000)

    assert [each.message for each in paced.post.given] == [taken.message]


def test_a_letter_that_a_worker_died_of_while_it_was_made_goes_after_its_lease(paced: Paced) -> None:
    paced.table.post(paced.table.letter(ANN, "show"))
    paced.table.read()
    assert len(game_emails.OUTBOX.claim(paced.server, paced.table.clock(), 20)) == 1

    assert paced.work(millis=180_000) == 0
    assert paced.work(millis=103) == 1


def test_no_letter_overtakes_an_earlier_one_by_lot(paced: Paced, monkeypatch: pytest.MonkeyPatch) -> None:
    lots = iter((0.080, 0.001, 0.001))
    monkeypatch.setattr(random, "expovariate", lambda _rate: next(lots))
    for word in ("show", "help", "rules"):
        paced.table.post(paced.table.letter(ANN, word))

    while paced.work(millis=5) < 3:
        assert paced.in_hand()

    assert paced.words("show", "help", "rules") == ["show", "help", "rules"]


def test_none_waits_for_an_earlier_one_that_was_put_off(paced: Paced) -> None:
    paced.post.fates.append(DeliveryFate.LATER)
    for word in ("show", "help"):
        paced.table.post(paced.table.letter(ANN, word))

    while paced.work(millis=50) < 2:
        assert paced.in_hand()

    assert paced.words("show", "help") == ["show", "help"]


def test_one_worker_is_woken_for_the_next_moment(paced: Paced) -> None:
    woken: list[float] = []
    turns = WorkerRounds(paced.server, lambda: paced.table.clock().timestamp())
    paced.table.post(paced.table.letter(ANN, "e2e4"))
    turns.take(STINT, woken.append)
    assert woken == [pytest.approx(0.103)]

    paced.table.clock.pass_by(milliseconds=40)
    paced.table.post(paced.table.unasked(EVE, "help"))
    turns.take(STINT, woken.append)
    assert len(woken) == 1
    paced.table.clock.pass_by(milliseconds=63)
    turns.take(STINT, woken.append)

    assert len(paced.post.given) == 2
    assert woken == [pytest.approx(0.103), pytest.approx(0.040)]


def test_for_what_was_put_off_for_long_nobody_is_woken(paced: Paced) -> None:
    woken: list[float] = []
    turns = WorkerRounds(paced.server, lambda: paced.table.clock().timestamp())
    paced.post.fates.append(DeliveryFate.LATER)
    paced.table.post(paced.table.letter(ANN, "show"))
    turns.take(STINT, woken.append)
    paced.table.clock.pass_by(milliseconds=103)
    turns.take(STINT, woken.append)

    assert len(paced.post.given) == 1
    assert woken == [pytest.approx(0.103)]
