"""Outgoing emails: sent at least once, always the same bytes, in order, and never lost."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from email.message import EmailMessage

import pytest
from sqlalchemy import LargeBinary, func, select, type_coerce, update

from corr.mail.outward.transport import Delivery, DeliveryFate, Envelope
from corr.service.admin import statistics
from corr.service.mail import game_emails
from corr.service.mail.delivery import DeliveryMark
from corr.service.mail.outbox import RESULTS_BATCH
from corr.service.server import Server
from corr.store.tables import EmailBytesRow, EmailWordsRow, OutboxRow
from tests.support.many_players import ManyPlayers
from tests.support.moody_transport import ScriptedMailer, send_all_due
from tests.support.table import ANN, BEN, Clock, Table, parse_message, text_of


@dataclass
class SlowMailer(ScriptedMailer):
    """Takes 20 seconds for each email."""

    clock: Clock = field(kw_only=True)

    def send(self, envelope: Envelope) -> Delivery:
        self.clock.advance(seconds=20)
        return super().send(envelope)


@dataclass
class CountingMailer(ScriptedMailer):
    """Counts at each email how many it has sent and how many of them are marked; may break."""

    server: Server = field(kw_only=True)
    breaks_at: int = 0
    seen: list[tuple[int, int]] = field(default_factory=list)

    def send(self, envelope: Envelope) -> Delivery:
        self.seen.append((len(self.envelopes), marked_count(self.server)))
        if len(self.seen) == self.breaks_at:
            raise KeyboardInterrupt
        return super().send(envelope)


def marked_count(server: Server) -> int:
    """How many emails are marked as sent."""
    with server.store.asking() as connection:
        sent = select(func.count()).select_from(OutboxRow).where(OutboxRow.sent_at.is_not(None))
        count: int = connection.execute(sent).scalar_one()
        return count


def answer_many_games(table: Table) -> None:
    """Compose two emails for each of 20 games."""
    crowd = ManyPlayers(table.server)
    crowd.begin(20)
    for letter in crowd.replies():
        table.deliver(letter.raw, letter.recipient)
    table.read_emails()


def compose(table: Table, *orders: str) -> None:
    """Begin a game, and compose the answers to these orders of Ann's."""
    table.begin()
    for each in orders:
        table.deliver(table.reply_email(ANN, each))
    table.read_emails()


WORDS = ("show", "help", "rules")


def test_a_retry_sends_the_very_same_bytes(table: Table) -> None:
    compose(table, "show")
    mailer = ScriptedMailer([DeliveryFate.LATER, DeliveryFate.LATER])

    send_all_due(table, mailer)
    for _ in range(2):
        table.clock.advance(minutes=10)
        send_all_due(table, mailer)

    assert len(mailer.envelopes) == 3
    assert len({envelope.message for envelope in mailer.envelopes}) == 1
    assert len({envelope.sender for envelope in mailer.envelopes}) == 1


def test_retries_become_rarer_and_stop_after_three_days(table: Table) -> None:
    compose(table, "show")
    mailer = ScriptedMailer([DeliveryFate.LATER] * 1000)

    for _ in range(24 * 4):
        send_all_due(table, mailer)
        table.clock.advance(hours=1)

    assert 15 <= len(mailer.envelopes) <= 50
    with table.server.store.reading() as connection:
        row = connection.execute(
            select(OutboxRow.dead_at, OutboxRow.trouble).order_by(OutboxRow.id.desc())
        ).first()
    assert row.dead_at is not None
    assert row.trouble == "because"


def test_an_old_email_is_not_given_up_after_one_delay(table: Table) -> None:
    """After an outage, or a manual resend: many mail servers say "later" at first."""
    compose(table, "show")
    table.clock.advance(days=4)
    mailer = ScriptedMailer([DeliveryFate.LATER, DeliveryFate.NEVER, DeliveryFate.LATER])
    send_all_due(table, mailer)
    table.clock.advance(hours=1)
    send_all_due(table, mailer)
    assert statistics.load_figures(table.server, table.clock()).dead == 1

    game_emails.OUTBOX.revive(table.server, table.clock())
    for _ in range(2):
        send_all_due(table, mailer)
        table.clock.advance(hours=1)

    assert len(mailer.envelopes) == 4
    assert statistics.load_figures(table.server, table.clock()).dead == 0


def test_an_email_is_sent_when_the_mail_server_took_it(table: Table) -> None:
    """Not when its batch began: the turn's clock starts then, and a mail server may be slow."""
    compose(table, "e2e4")
    begun = table.clock()
    send_all_due(table, SlowMailer([], clock=table.clock))
    with table.server.store.reading() as connection:
        sent = connection.execute(select(OutboxRow.sent_at).order_by(OutboxRow.id)).scalars().all()

    assert sent[-2:] == [begun + timedelta(seconds=20), begun + timedelta(seconds=40)]


def test_a_refused_email_is_dead_at_once_and_the_next_one_goes(table: Table) -> None:
    compose(table, "show", "help")
    mailer = ScriptedMailer([DeliveryFate.NEVER])

    send_all_due(table, mailer)

    assert len(mailer.envelopes) == 2


def test_emails_to_one_seat_go_in_order_but_none_waits_for_a_delayed_one(table: Table) -> None:
    compose(table, *WORDS)
    mailer = ScriptedMailer([DeliveryFate.LATER])

    send_all_due(table, mailer)

    words = [
        next(word for word in WORDS if f"| {word}".encode() in each.message) for each in mailer.envelopes
    ]
    assert words == list(WORDS)
    table.clock.advance(minutes=2)
    send_all_due(table, mailer)
    assert mailer.envelopes[3].message == mailer.envelopes[0].message


def test_a_dead_workers_claim_expires_with_its_lease(table: Table) -> None:
    compose(table, "show")
    assert len(game_emails.OUTBOX.claim(table.server, table.clock(), 20)) == 1
    mailer = ScriptedMailer([])

    send_all_due(table, mailer)
    assert mailer.envelopes == []
    table.clock.advance(minutes=3)
    send_all_due(table, mailer)

    assert len(mailer.envelopes) == 1


def test_emails_are_marked_as_sent_in_small_batches(table: Table) -> None:
    """If a worker dies first, they are sent again."""
    answer_many_games(table)
    before, mailer = marked_count(table.server), CountingMailer([], server=table.server)

    send_all_due(table, mailer)

    unnoted = [given - (marked_now - before) for given, marked_now in mailer.seen]
    assert len(unnoted) == 40
    assert 1 < max(unnoted) + 1 <= RESULTS_BATCH


def test_a_delayed_email_makes_all_earlier_ones_be_marked_at_once(table: Table) -> None:
    answer_many_games(table)
    before = marked_count(table.server)
    mailer = CountingMailer([DeliveryFate.SENT, DeliveryFate.SENT, DeliveryFate.LATER], server=table.server)

    send_all_due(table, mailer)

    assert mailer.seen[3] == (3, before + 2)


def test_an_interrupted_worker_marks_what_it_has_sent(table: Table) -> None:
    answer_many_games(table)
    before = marked_count(table.server)
    mailer = CountingMailer([], server=table.server, breaks_at=3)

    with pytest.raises(KeyboardInterrupt):
        send_all_due(table, mailer)

    assert marked_count(table.server) == before + 2


def test_a_corrupt_email_delays_no_other(table: Table) -> None:
    answer_many_games(table)
    with table.server.store.writing() as connection:
        first = select(func.min(OutboxRow.id)).where(OutboxRow.sent_at.is_(None)).scalar_subquery()
        broken = update(EmailWordsRow.__table__).where(EmailWordsRow.letter_id == first)
        connection.execute(broken.values(words=type_coerce(b"\0\7\xff", LargeBinary)))
    mailer = ScriptedMailer([])

    send_all_due(table, mailer)

    assert len(mailer.envelopes) == 39


def test_two_sides_never_share_an_id(table: Table) -> None:
    table.begin()
    table.play("e2e4", "e7e5")

    ids = {player: {letter["Message-ID"] for letter in table.emails_to(player)} for player in (ANN, BEN)}
    named = {
        player: {
            each for letter in table.emails_to(player) for each in str(letter["References"] or "").split()
        }
        for player in (ANN, BEN)
    }

    assert ids[ANN].isdisjoint(ids[BEN])
    assert named[ANN].isdisjoint(ids[BEN])
    assert named[BEN].isdisjoint(ids[ANN])


def delay_turn_email(table: Table) -> tuple[ScriptedMailer, EmailMessage]:
    """Ann's turn email is delayed; she sees her turn on the page and moves."""
    table.begin()
    table.reply(ANN, "e2e4")
    table.deliver(table.reply_email(BEN, "e7e5"))
    table.read_emails()
    mailer = ScriptedMailer([DeliveryFate.SENT, DeliveryFate.LATER])
    send_all_due(table, mailer)
    late = parse_message(mailer.envelopes[1].message)
    assert mailer.envelopes[1].recipient == ANN
    table.deliver(table.reply_email(ANN, "d2d4", to=late))
    table.read_emails()
    return mailer, late


def test_a_delayed_turn_email_is_dropped_once_a_newer_one_was_sent(
    table: Table,
) -> None:
    mailer, late = delay_turn_email(table)
    send_all_due(table, mailer)
    table.deliver(table.reply_email(BEN, "d7d6", to=parse_message(mailer.envelopes[-1].message)))
    table.read_emails()
    table.clock.advance(minutes=10)
    send_all_due(table, mailer)
    to_ann = [parse_message(each.message) for each in mailer.envelopes if each.recipient == ANN]

    assert [letter["Message-ID"] for letter in to_ann].count(late["Message-ID"]) == 1
    assert "Move 3." in text_of(to_ann[-1])
    assert statistics.load_figures(table.server, table.clock()).unsent == 0


@pytest.mark.parametrize("fate", [DeliveryFate.LATER, DeliveryFate.NEVER])
def test_a_delayed_turn_email_goes_out_if_no_newer_one_was_sent(table: Table, fate: DeliveryFate) -> None:
    mailer, late = delay_turn_email(table)
    if fate is DeliveryFate.NEVER:
        send_all_due(table, mailer)
        table.deliver(table.reply_email(BEN, "d7d6", to=parse_message(mailer.envelopes[-1].message)))
        table.read_emails()
        mailer.fates = [DeliveryFate.SENT, DeliveryFate.NEVER]
        send_all_due(table, mailer)
    table.clock.advance(minutes=10)
    send_all_due(table, mailer)

    assert [parse_message(each.message)["Message-ID"] for each in mailer.envelopes].count(
        late["Message-ID"]
    ) == 2


def stored_bytes(table: Table) -> list[bytes | None]:
    """The stored bytes of the two newest emails, oldest first."""
    with table.server.store.reading() as connection:
        kept = select(EmailBytesRow.message).where(EmailBytesRow.letter_id == OutboxRow.id).scalar_subquery()
        newest = select(kept).select_from(OutboxRow).order_by(OutboxRow.id.desc()).limit(2)
        return list(connection.execute(newest).scalars())[::-1]


def test_bytes_are_stored_only_until_an_email_is_sent(table: Table) -> None:
    compose(table, "show", "help")
    mailer = ScriptedMailer([DeliveryFate.LATER])

    send_all_due(table, mailer)
    late, done = stored_bytes(table)
    assert late == mailer.envelopes[0].message
    assert done is None

    table.clock.advance(minutes=2)
    send_all_due(table, mailer)
    assert mailer.envelopes[2].message == late
    assert stored_bytes(table) == [None, None]


def test_a_dead_letter_is_sent_again_with_the_same_bytes(table: Table) -> None:
    compose(table, "show")
    mailer = ScriptedMailer([DeliveryFate.NEVER])
    send_all_due(table, mailer)
    assert stored_bytes(table) == [None, mailer.envelopes[0].message]

    assert game_emails.OUTBOX.revive(table.server, table.clock()) == 1
    send_all_due(table, mailer)

    assert mailer.envelopes[1].message == mailer.envelopes[0].message
    assert stored_bytes(table) == [None, None]


def test_a_worker_that_dies_before_marking_leads_to_the_same_bytes_again(table: Table) -> None:
    compose(table, "show")
    rows = game_emails.OUTBOX.claim(table.server, table.clock(), 20)
    (sent_envelope,) = game_emails.OUTBOX.make(table.server, rows)
    mailer = ScriptedMailer([])

    table.clock.advance(minutes=3)
    send_all_due(table, mailer)

    assert mailer.envelopes == [sent_envelope]


def test_a_late_worker_neither_resends_an_email_nor_gives_it_up(table: Table) -> None:
    """Its lease has run out, and another worker has sent the email."""
    compose(table, "show")
    late = game_emails.OUTBOX.claim(table.server, table.clock(), 20)
    table.clock.advance(minutes=3)
    send_all_due(table, ScriptedMailer([]))

    made = game_emails.OUTBOX.make(table.server, late)
    for row, delivery in ((late[0], made[0]), (late[0], Delivery(DeliveryFate.NEVER, "no such box"))):
        assert isinstance(delivery, Delivery)
        game_emails.OUTBOX.mark(table.server.store, [DeliveryMark(row, delivery, table.clock())])

    assert stored_bytes(table) == [None, None]
    assert statistics.load_figures(table.server, table.clock()).dead == 0
