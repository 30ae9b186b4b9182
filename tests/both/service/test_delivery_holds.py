"""A mail domain that takes no letters for now is left alone for a while, and the others get theirs."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from sqlalchemy import func, insert, select

from corr.mail.outward.transport import ALL_DOMAINS, Delivery, DeliveryFate, Envelope
from corr.service.admin import statistics
from corr.store.tables import BusyDomainRow, OutboxRow
from tests.support.many_players import Crowd
from tests.support.moody_transport import drain
from tests.support.table import ANN, Table

CROWDED, ANNS = "players.example", "a.example"


@dataclass
class Guarded:
    """A mail server behind which domains have had enough after so many letters; it may not let us in at all."""

    takes: dict[str, int]
    lets_in: bool = True
    asked: list[str] = field(default_factory=list)
    given: list[Envelope] = field(default_factory=list)

    def send(self, envelope: Envelope) -> Delivery:
        self.asked.append(envelope.domain)
        if not self.lets_in:
            return Delivery(DeliveryFate.LATER, "535 who are you", ALL_DOMAINS)
        if self.takes.get(envelope.domain, 1) < 1:
            return Delivery(DeliveryFate.LATER, "421 that is enough", envelope.domain)
        self.takes[envelope.domain] = self.takes.get(envelope.domain, 1_000) - 1
        self.given.append(envelope)
        return Delivery(DeliveryFate.SENT)

    def close(self) -> None:
        pass


def many_letters(table: Table) -> None:
    """Forty to one domain, and three to Ann behind them."""
    table.challenge()
    crowd = Crowd(table.server)
    crowd.begin(20)
    for letter in crowd.replies():
        table.post(letter.raw, letter.recipient)
    table.read()
    letters_for_ann(table)


def letters_for_ann(table: Table) -> None:
    """Three of one seat, in the order in which she asks for them."""
    for word in ("show", "help", "rules"):
        table.post(table.letter(ANN, word))
        table.read()


def busy(table: Table) -> dict[str, int]:
    """The domains that are left alone, and how often each has refused in a row."""
    with table.server.store.reading() as connection:
        return {
            row.domain: row.refusals
            for row in connection.execute(select(BusyDomainRow.domain, BusyDomainRow.refusals))
        }


def unsent(table: Table) -> int:
    return statistics.load_figures(table.server, table.clock()).unsent


def test_a_domain_that_has_enough_is_asked_once_in_a_while_and_others_get_their_letters(table: Table) -> None:
    many_letters(table)
    post = Guarded({CROWDED: 10})

    drain(table, post)
    assert post.asked.count(CROWDED) == 11
    assert post.asked.count(ANNS) == 4
    assert busy(table) == {CROWDED: 1}
    drain(table, post)
    for refusals in (2, 3, 4):
        table.clock.pass_by(hours=refusals)
        drain(table, post)
        assert busy(table) == {CROWDED: refusals}
    assert post.asked.count(CROWDED) == 14
    assert unsent(table) == 30

    table.clock.pass_by(hours=5)
    post.takes.clear()
    drain(table, post)

    assert busy(table) == {}
    assert unsent(table) == 0
    assert len({each.message for each in post.given}) == len(post.given) == 45


def test_what_a_domain_has_put_off_comes_in_order_within_a_seat(table: Table) -> None:
    table.challenge()
    letters_for_ann(table)
    post = Guarded({ANNS: 0})
    for _ in range(3):
        drain(table, post)
        table.clock.pass_by(minutes=10)
    post.takes.clear()
    drain(table, post)

    words = [
        next(word for word in ("show", "help", "rules") if f"| {word}".encode() in each.message)
        for each in post.given
    ]
    assert words == ["show", "help", "rules"]
    assert post.asked == [ANNS] * 6


def test_letters_to_a_domain_that_stays_busy_are_given_up_like_any(table: Table) -> None:
    many_letters(table)
    post = Guarded({CROWDED: 0})
    for _ in range(4 * 24):
        drain(table, post)
        table.clock.pass_by(hours=1)

    assert statistics.load_figures(table.server, table.clock()).dead == 40
    assert 20 < post.asked.count(CROWDED) < 80
    with table.server.store.reading() as connection:
        dead = select(OutboxRow.trouble, func.count()).where(OutboxRow.dead_at.is_not(None))
        told = {row[0]: row[1] for row in connection.execute(dead.group_by(OutboxRow.trouble))}
    assert told.keys() <= {"421 that is enough", f"no email for now: {CROWDED}"}


def test_where_we_are_not_let_in_one_letter_tries_it_for_all(table: Table) -> None:
    many_letters(table)
    post = Guarded({}, lets_in=False)

    drain(table, post)
    assert len(post.asked) == 1
    table.clock.pass_by(hours=1)
    post.lets_in = True
    drain(table, post)

    assert busy(table) == {}
    assert unsent(table) == 0


def test_one_that_was_busy_days_ago_is_forgotten_with_the_next(table: Table) -> None:
    table.challenge()
    with table.server.store.writing() as connection:
        long_ago = table.clock() - timedelta(days=4)
        connection.execute(insert(BusyDomainRow).values(domain="c.example", until=long_ago, refusals=7))
    letters_for_ann(table)
    drain(table, Guarded({ANNS: 0}))

    assert busy(table) == {ANNS: 1}
