"""Letters out: at least once, always the same bytes, in order, and never lost."""

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
from tests.support.many_players import Crowd
from tests.support.moody_transport import Moody, drain
from tests.support.table import ANN, BEN, Clock, Table, parse, text_of


@dataclass
class Slow(Moody):
    """A post that takes a while for each letter."""

    clock: Clock = field(kw_only=True)

    def send(self, envelope: Envelope) -> Delivery:
        self.clock.pass_by(seconds=20)
        return super().send(envelope)


@dataclass
class Noting(Moody):
    """A post that sees, at each letter, how many it was given before and how many of them are noted; it may break."""

    server: Server = field(kw_only=True)
    breaks_at: int = 0
    seen: list[tuple[int, int]] = field(default_factory=list)

    def send(self, envelope: Envelope) -> Delivery:
        self.seen.append((len(self.given), noted(self.server)))
        if len(self.seen) == self.breaks_at:
            raise KeyboardInterrupt
        return super().send(envelope)


def noted(server: Server) -> int:
    """How many letters are noted as handed over."""
    with server.store.asking() as connection:
        sent = select(func.count()).select_from(OutboxRow).where(OutboxRow.sent_at.is_not(None))
        count: int = connection.execute(sent).scalar_one()
        return count


def letters_of_many_games(table: Table) -> None:
    """Two letters to be sent for each of them."""
    crowd = Crowd(table.server)
    crowd.begin(20)
    for letter in crowd.replies():
        table.post(letter.raw, letter.recipient)
    table.read()


WORDS = ("show", "help", "rules")


def test_a_retry_sends_the_very_same_bytes(table: Table) -> None:
    table.begin()
    table.post(table.letter(ANN, "show"))
    post = Moody([DeliveryFate.LATER, DeliveryFate.LATER])

    table.read()
    drain(table, post)
    for _ in range(2):
        table.clock.pass_by(minutes=10)
        drain(table, post)

    assert len(post.given) == 3
    assert len({envelope.message for envelope in post.given}) == 1
    assert len({envelope.sender for envelope in post.given}) == 1


def test_waiting_grows_and_a_letter_is_given_up_after_three_days(table: Table) -> None:
    table.begin()
    table.post(table.letter(ANN, "show"))
    table.read()
    post = Moody([DeliveryFate.LATER] * 1000)

    for _ in range(24 * 4):
        drain(table, post)
        table.clock.pass_by(hours=1)

    assert 15 <= len(post.given) <= 50
    with table.server.store.reading() as connection:
        row = connection.execute(
            select(OutboxRow.dead_at, OutboxRow.trouble).order_by(OutboxRow.id.desc())
        ).first()
    assert row.dead_at is not None
    assert row.trouble == "because"


def test_a_letter_that_lay_for_days_is_not_given_up_when_it_is_put_off_once(table: Table) -> None:
    """The house stood still, or the operator lets it be sent again: many mail servers say "later" at first."""
    table.begin()
    table.post(table.letter(ANN, "show"))
    table.read()
    table.clock.pass_by(days=4)
    post = Moody([DeliveryFate.LATER, DeliveryFate.NEVER, DeliveryFate.LATER])
    drain(table, post)
    table.clock.pass_by(hours=1)
    drain(table, post)
    assert statistics.load_figures(table.server, table.clock()).dead == 1

    game_emails.OUTBOX.revive(table.server, table.clock())
    for _ in range(2):
        drain(table, post)
        table.clock.pass_by(hours=1)

    assert len(post.given) == 4
    assert statistics.load_figures(table.server, table.clock()).dead == 0


def test_a_letter_is_handed_over_when_the_mail_server_took_it(table: Table) -> None:
    """Not when its batch was begun: a mail server may be slow, and the time of a turn runs from then."""
    table.begin()
    table.post(table.letter(ANN, "e2e4"))
    table.read()
    begun = table.clock()
    drain(table, Slow([], clock=table.clock))
    with table.server.store.reading() as connection:
        sent = connection.execute(select(OutboxRow.sent_at).order_by(OutboxRow.id)).scalars().all()

    assert sent[-2:] == [begun + timedelta(seconds=20), begun + timedelta(seconds=40)]


def test_a_refused_letter_is_dead_at_once_and_the_next_one_goes(table: Table) -> None:
    table.begin()
    table.post(table.letter(ANN, "show"))
    table.post(table.letter(ANN, "help"))
    table.read()
    post = Moody([DeliveryFate.NEVER])

    drain(table, post)

    assert len(post.given) == 2


def test_letters_to_one_seat_go_in_order_but_none_waits_for_one_that_cannot_be_sent(table: Table) -> None:
    table.begin()
    for word in WORDS:
        table.post(table.letter(ANN, word))
    table.read()
    post = Moody([DeliveryFate.LATER])

    drain(table, post)

    words = [next(word for word in WORDS if f"| {word}".encode() in each.message) for each in post.given]
    assert words == list(WORDS)
    table.clock.pass_by(minutes=2)
    drain(table, post)
    assert post.given[3].message == post.given[0].message


def test_a_claim_that_died_is_taken_up_again_after_its_lease(table: Table) -> None:
    table.begin()
    table.post(table.letter(ANN, "show"))
    table.read()
    assert len(game_emails.OUTBOX.claim(table.server, table.clock(), 20)) == 1
    post = Moody([])

    drain(table, post)
    assert post.given == []
    table.clock.pass_by(minutes=3)
    drain(table, post)

    assert len(post.given) == 1


def test_letters_are_noted_several_at_once_but_only_a_few(table: Table) -> None:
    """Whoever dies in between hands them over again."""
    letters_of_many_games(table)
    before, post = noted(table.server), Noting([], server=table.server)

    drain(table, post)

    unnoted = [given - (marked - before) for given, marked in post.seen]
    assert len(unnoted) == 40
    assert 1 < max(unnoted) + 1 <= RESULTS_BATCH


def test_when_a_letter_is_put_off_all_that_went_before_it_is_noted_at_once(table: Table) -> None:
    letters_of_many_games(table)
    before = noted(table.server)
    post = Noting([DeliveryFate.SENT, DeliveryFate.SENT, DeliveryFate.LATER], server=table.server)

    drain(table, post)

    assert post.seen[3] == (3, before + 2)


def test_a_worker_that_is_ended_in_the_middle_notes_what_it_has_handed_over(table: Table) -> None:
    letters_of_many_games(table)
    before = noted(table.server)
    post = Noting([], server=table.server, breaks_at=3)

    with pytest.raises(KeyboardInterrupt):
        drain(table, post)

    assert noted(table.server) == before + 2


def test_a_letter_that_is_broken_where_it_is_kept_holds_up_no_other_one(table: Table) -> None:
    letters_of_many_games(table)
    with table.server.store.writing() as connection:
        first = select(func.min(OutboxRow.id)).where(OutboxRow.sent_at.is_(None)).scalar_subquery()
        broken = update(EmailWordsRow.__table__).where(EmailWordsRow.letter_id == first)
        connection.execute(broken.values(words=type_coerce(b"\0\7\xff", LargeBinary)))
    post = Moody([])

    drain(table, post)

    assert len(post.given) == 39


def test_two_sides_never_share_an_id(table: Table) -> None:
    table.begin()
    table.play("e2e4", "e7e5")

    ids = {player: {letter["Message-ID"] for letter in table.letters(player)} for player in (ANN, BEN)}
    named = {
        player: {each for letter in table.letters(player) for each in str(letter["References"] or "").split()}
        for player in (ANN, BEN)
    }

    assert ids[ANN].isdisjoint(ids[BEN])
    assert named[ANN].isdisjoint(ids[BEN])
    assert named[BEN].isdisjoint(ids[ANN])


def put_off(table: Table) -> tuple[Moody, EmailMessage]:
    """The letter about a turn of Ann's is put off; she sees it on her page, and answers it."""
    table.begin()
    table.reply(ANN, "e2e4")
    table.post(table.letter(BEN, "e7e5"))
    table.read()
    post = Moody([DeliveryFate.SENT, DeliveryFate.LATER])
    drain(table, post)
    late = parse(post.given[1].message)
    assert post.given[1].recipient == ANN
    table.post(table.letter(ANN, "d2d4", to=late))
    table.read()
    return post, late


def test_a_letter_about_a_turn_that_is_over_goes_no_more_once_a_newer_one_tells_of_the_next(
    table: Table,
) -> None:
    post, late = put_off(table)
    drain(table, post)
    table.post(table.letter(BEN, "d7d6", to=parse(post.given[-1].message)))
    table.read()
    table.clock.pass_by(minutes=10)
    drain(table, post)
    told = [parse(each.message) for each in post.given if each.recipient == ANN]

    assert [letter["Message-ID"] for letter in told].count(late["Message-ID"]) == 1
    assert "Move 3." in text_of(told[-1])
    assert statistics.load_figures(table.server, table.clock()).unsent == 0


@pytest.mark.parametrize("fate", [DeliveryFate.LATER, DeliveryFate.NEVER])
def test_it_goes_while_no_newer_one_tells_of_a_turn_or_that_one_was_given_up(
    table: Table, fate: DeliveryFate
) -> None:
    post, late = put_off(table)
    if fate is DeliveryFate.NEVER:
        drain(table, post)
        table.post(table.letter(BEN, "d7d6", to=parse(post.given[-1].message)))
        table.read()
        post.fates = [DeliveryFate.SENT, DeliveryFate.NEVER]
        drain(table, post)
    table.clock.pass_by(minutes=10)
    drain(table, post)

    assert [parse(each.message)["Message-ID"] for each in post.given].count(late["Message-ID"]) == 2


def kept_bytes(table: Table) -> list[bytes | None]:
    """The bytes that are kept of the newest letters out, the oldest of the two first."""
    with table.server.store.reading() as connection:
        kept = select(EmailBytesRow.message).where(EmailBytesRow.letter_id == OutboxRow.id).scalar_subquery()
        newest = select(kept).select_from(OutboxRow).order_by(OutboxRow.id.desc()).limit(2)
        return list(connection.execute(newest).scalars())[::-1]


def test_bytes_are_kept_until_they_are_handed_over_and_no_longer(table: Table) -> None:
    table.begin()
    for word in ("show", "help"):
        table.post(table.letter(ANN, word))
    table.read()
    post = Moody([DeliveryFate.LATER])

    drain(table, post)
    late, done = kept_bytes(table)
    assert late == post.given[0].message
    assert done is None

    table.clock.pass_by(minutes=2)
    drain(table, post)
    assert post.given[2].message == late
    assert kept_bytes(table) == [None, None]


def test_a_dead_letter_keeps_its_bytes_and_is_sent_again_with_them(table: Table) -> None:
    table.begin()
    table.post(table.letter(ANN, "show"))
    table.read()
    post = Moody([DeliveryFate.NEVER])
    drain(table, post)
    assert kept_bytes(table) == [None, post.given[0].message]

    assert game_emails.OUTBOX.revive(table.server, table.clock()) == 1
    drain(table, post)

    assert post.given[1].message == post.given[0].message
    assert kept_bytes(table) == [None, None]


def test_whoever_dies_between_handing_over_and_marking_hands_over_the_same_bytes_again(table: Table) -> None:
    table.begin()
    table.post(table.letter(ANN, "show"))
    table.read()
    rows = game_emails.OUTBOX.claim(table.server, table.clock(), 20)
    (handed_over,) = game_emails.OUTBOX.make(table.server, rows)
    post = Moody([])

    table.clock.pass_by(minutes=3)
    drain(table, post)

    assert post.given == [handed_over]


def test_a_worker_that_comes_late_with_a_letter_neither_sends_it_again_nor_gives_it_up(table: Table) -> None:
    """Its lease has run out, another has made the letter and handed it over in the meantime."""
    table.begin()
    table.post(table.letter(ANN, "show"))
    table.read()
    late = game_emails.OUTBOX.claim(table.server, table.clock(), 20)
    table.clock.pass_by(minutes=3)
    drain(table, Moody([]))

    made = game_emails.OUTBOX.make(table.server, late)
    for row, delivery in ((late[0], made[0]), (late[0], Delivery(DeliveryFate.NEVER, "no such box"))):
        assert isinstance(delivery, Delivery)
        game_emails.OUTBOX.mark(table.server.store, [DeliveryMark(row, delivery, table.clock())])

    assert kept_bytes(table) == [None, None]
    assert statistics.load_figures(table.server, table.clock()).dead == 0
