"""A mail domain that refuses emails for now is left alone for a while; the others get theirs."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from sqlalchemy import func, insert, select

from corr.mail.outward.transport import ALL_DOMAINS, Delivery, DeliveryFate, Envelope
from corr.service.admin import statistics
from corr.store.tables import BusyDomainRow, OutboxRow
from tests.support.many_players import ManyPlayers
from tests.support.moody_transport import send_all_due
from tests.support.table import ANN, Table

CROWD_DOMAIN, ANNS_DOMAIN = "players.example", "a.example"


@dataclass
class LimitedMailer:
    """A mail server whose domains take so many emails each; it may reject our login."""

    capacity: dict[str, int]
    accepts_login: bool = True
    asked: list[str] = field(default_factory=list)
    envelopes: list[Envelope] = field(default_factory=list)

    def send(self, envelope: Envelope) -> Delivery:
        self.asked.append(envelope.domain)
        if not self.accepts_login:
            return Delivery(DeliveryFate.LATER, "535 who are you", ALL_DOMAINS)
        if self.capacity.get(envelope.domain, 1) < 1:
            return Delivery(DeliveryFate.LATER, "421 that is enough", envelope.domain)
        self.capacity[envelope.domain] = self.capacity.get(envelope.domain, 1_000) - 1
        self.envelopes.append(envelope)
        return Delivery(DeliveryFate.SENT)

    def close(self) -> None:
        pass


def compose_many(table: Table) -> None:
    """Compose 40 emails to one domain, and then three to Ann."""
    table.challenge()
    crowd = ManyPlayers(table.server)
    crowd.begin(20)
    for letter in crowd.replies():
        table.deliver(letter.raw, letter.recipient)
    table.read_emails()
    compose_three_for_ann(table)


def compose_three_for_ann(table: Table) -> None:
    """Compose three answers to one seat, in the order in which she asks."""
    for word in ("show", "help", "rules"):
        table.deliver(table.reply_email(ANN, word))
        table.read_emails()


def busy_domains(table: Table) -> dict[str, int]:
    """The domains that are left alone, and how often each has refused in a row."""
    with table.server.store.reading() as connection:
        return {
            row.domain: row.refusals
            for row in connection.execute(select(BusyDomainRow.domain, BusyDomainRow.refusals))
        }


def unsent(table: Table) -> int:
    return statistics.load_figures(table.server, table.clock()).unsent


def test_a_busy_domain_is_asked_rarely_and_others_get_their_emails(table: Table) -> None:
    compose_many(table)
    mailer = LimitedMailer({CROWD_DOMAIN: 10})

    send_all_due(table, mailer)
    assert mailer.asked.count(CROWD_DOMAIN) == 11
    assert mailer.asked.count(ANNS_DOMAIN) == 4
    assert busy_domains(table) == {CROWD_DOMAIN: 1}
    send_all_due(table, mailer)
    for refusals in (2, 3, 4):
        table.clock.advance(hours=refusals)
        send_all_due(table, mailer)
        assert busy_domains(table) == {CROWD_DOMAIN: refusals}
    assert mailer.asked.count(CROWD_DOMAIN) == 14
    assert unsent(table) == 30

    table.clock.advance(hours=5)
    mailer.capacity.clear()
    send_all_due(table, mailer)

    assert busy_domains(table) == {}
    assert unsent(table) == 0
    assert len({each.message for each in mailer.envelopes}) == len(mailer.envelopes) == 45


def test_emails_that_a_domain_delayed_keep_their_order_at_a_seat(table: Table) -> None:
    table.challenge()
    compose_three_for_ann(table)
    mailer = LimitedMailer({ANNS_DOMAIN: 0})
    for _ in range(3):
        send_all_due(table, mailer)
        table.clock.advance(minutes=10)
    mailer.capacity.clear()
    send_all_due(table, mailer)

    words = [
        next(word for word in ("show", "help", "rules") if f"| {word}".encode() in each.message)
        for each in mailer.envelopes
    ]
    assert words == ["show", "help", "rules"]
    assert mailer.asked == [ANNS_DOMAIN] * 6


def test_emails_to_a_domain_that_stays_busy_are_given_up_in_the_end(table: Table) -> None:
    compose_many(table)
    mailer = LimitedMailer({CROWD_DOMAIN: 0})
    for _ in range(4 * 24):
        send_all_due(table, mailer)
        table.clock.advance(hours=1)

    assert statistics.load_figures(table.server, table.clock()).dead == 40
    assert 20 < mailer.asked.count(CROWD_DOMAIN) < 80
    with table.server.store.reading() as connection:
        dead = select(OutboxRow.trouble, func.count()).where(OutboxRow.dead_at.is_not(None))
        reasons = {row[0]: row[1] for row in connection.execute(dead.group_by(OutboxRow.trouble))}
    assert reasons.keys() <= {"421 that is enough", f"no email for now: {CROWD_DOMAIN}"}


def test_if_our_login_fails_one_email_tries_for_all(table: Table) -> None:
    compose_many(table)
    mailer = LimitedMailer({}, accepts_login=False)

    send_all_due(table, mailer)
    assert len(mailer.asked) == 1
    table.clock.advance(hours=1)
    mailer.accepts_login = True
    send_all_due(table, mailer)

    assert busy_domains(table) == {}
    assert unsent(table) == 0


def test_a_domain_that_was_busy_days_ago_is_forgotten(table: Table) -> None:
    table.challenge()
    with table.server.store.writing() as connection:
        long_ago = table.clock() - timedelta(days=4)
        connection.execute(insert(BusyDomainRow).values(domain="c.example", until=long_ago, refusals=7))
    compose_three_for_ann(table)
    send_all_due(table, LimitedMailer({ANNS_DOMAIN: 0}))

    assert busy_domains(table) == {ANNS_DOMAIN: 1}
