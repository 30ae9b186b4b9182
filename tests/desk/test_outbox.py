"""Letters out: at least once, always the same bytes, in order, and never lost."""

from __future__ import annotations

from moody import Moody, drain
from sqlalchemy import select
from table import ANN, BEN, Table

from corr.desk import outbox
from corr.mail.post import Fate
from corr.store.tables import OutboxRow

WORDS = ("show", "help", "rules")


def test_a_retry_sends_the_very_same_bytes(table: Table) -> None:
    table.begin()
    table.post(table.letter(ANN, "show"))
    post = Moody([Fate.LATER, Fate.LATER])

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
    post = Moody([Fate.LATER] * 1000)

    for _ in range(24 * 4):
        drain(table, post)
        table.clock.pass_by(hours=1)

    assert 15 <= len(post.given) <= 50
    with table.house.store.reading() as connection:
        row = connection.execute(
            select(OutboxRow.dead_at, OutboxRow.trouble).order_by(OutboxRow.id.desc())
        ).first()
    assert row.dead_at is not None
    assert row.trouble == "because"


def test_a_refused_letter_is_dead_at_once_and_the_next_one_goes(table: Table) -> None:
    table.begin()
    table.post(table.letter(ANN, "show"))
    table.post(table.letter(ANN, "help"))
    table.read()
    post = Moody([Fate.NEVER])

    drain(table, post)

    assert len(post.given) == 2


def test_letters_to_one_seat_go_in_order_but_none_waits_for_one_that_cannot_be_sent(table: Table) -> None:
    table.begin()
    for word in WORDS:
        table.post(table.letter(ANN, word))
    table.read()
    post = Moody([Fate.LATER])

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
    assert len(outbox.TRAY.claim(table.house, table.clock(), 20)) == 1
    post = Moody([])

    drain(table, post)
    assert post.given == []
    table.clock.pass_by(minutes=3)
    drain(table, post)

    assert len(post.given) == 1


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
