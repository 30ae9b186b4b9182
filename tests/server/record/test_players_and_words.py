"""A record proves who played, and what was emailed."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import update

from corr.proof.proof import prove
from corr.proof.verify import canonical, read_record
from corr.store.tables import PlayerRow
from corr.words.board import Side
from tests.server.record.test_times import emails_to, proof, record
from tests.support.random_records import reseal_with_lie
from tests.support.table import ANN, BEN, Table


def play(table: Table) -> None:
    table.begin()
    for player, move in ((ANN, "e2e5, e2e4"), (BEN, "e7e5"), (ANN, "d2d4"), (BEN, "e5d4")):
        table.clock.advance(minutes=10)
        table.reply(player, move)
    table.clock.advance(minutes=10)
    table.reply(ANN, "resign resign")


# ---------------------------------------------------------------- words


@pytest.mark.parametrize("side", list(Side))
def test_unchanged_emails_have_the_words_we_sent(table: Table, side: Side) -> None:
    play(table)

    said = proof(table, side)
    assert said.holds
    assert " of them with the words we sent" in said.sentence


CHANGED = {
    "a board": (b"  5  . . . . . . . .", b"  5  . . . . q . . ."),
    "an announcement": (b"Illegal move.", b"Nonsense."),
    "the number of tries": (b"0 pawn tries", b"3 pawn tries"),
}


@pytest.mark.parametrize(("was", "is_now"), list(CHANGED.values()), ids=list(CHANGED))
def test_an_email_with_changed_words_is_named(table: Table, was: bytes, is_now: bytes) -> None:
    play(table)
    mbox = list(emails_to(table))
    changed = [line.replace(was, is_now) for line in mbox]
    assert changed != mbox

    said = prove(record(table), [changed]).sentence
    assert said.startswith("The email of Fri, 20 Nov 2026 12:")
    assert said.endswith(" doesn't have the words we sent you.")


def test_trailing_spaces_from_a_mail_program_change_nothing(table: Table) -> None:
    play(table)
    mbox = [line.rstrip(b"\r\n") + b" \n" if line.startswith(b"  ") else line for line in emails_to(table)]

    assert prove(record(table), [mbox]).holds


def test_emails_after_the_last_sealed_turn_do_not_count_as_changed(table: Table) -> None:
    """No later turn could seal them, and this record's first line doesn't list them either."""
    play(table)
    head, *turns = record(table)
    unlisted = f"{canonical({**json.loads(head), 'letters': []})}\n".encode()

    assert prove([unlisted, *turns], [emails_to(table)]).holds


def test_a_turn_without_digests_can_be_read(table: Table) -> None:
    """A game that an older release began has its first turns without them."""
    play(table)
    dropped = []
    whole = record(table)
    older = reseal_with_lie(whole, lambda turns: dropped.extend(turns["1w"]["white"]["part"].pop("mailed")))

    assert dropped
    assert read_record(older).mailed == (read_record(whole).mailed or set()) - set(dropped)


def test_the_other_sides_emails_do_not_count_as_changed(table: Table) -> None:
    play(table)

    assert prove(record(table), [emails_to(table, BEN)]).holds


def test_only_the_own_record_has_the_digests_of_emails(table: Table) -> None:
    """With a digest anyone could check a guess at what was emailed."""
    play(table)
    own = [json.loads(line)["white"]["part"]["mailed"] for line in record(table)[1:]]

    assert any(own)
    for others in (record(table, Side.BLACK), record(table, None)):
        assert not any(digest.encode() in line for some in own for digest in some for line in others)


# ---------------------------------------------------------------- players


def test_only_players_read_who_played(table: Table) -> None:
    play(table)

    for side in Side:
        assert '; White was "ann" and Black was "ben"' in proof(table, side).sentence
    everybody = b"".join(record(table, None))
    assert json.loads(record(table, None)[1])["players"] == {}
    assert b'"ann"' not in everybody
    assert prove(record(table, None)).holds


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("eve", "The game was sealed with another name for White."),
        ("e" * 101, "Line 2, at the start, isn't a line of a record."),
    ],
)
def test_a_changed_name_does_not_match(table: Table, name: str, said: str) -> None:
    play(table)

    def lie(turns: dict) -> None:
        turns["0"]["players"]["white"]["name"] = name

    assert prove(reseal_with_lie(record(table), lie)).sentence == said


def test_a_player_who_was_renamed_is_not_named(table: Table) -> None:
    """The digest of the old name stays, so anyone who knows the name can check it."""
    play(table)
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).where(PlayerRow.name == "ann").values(name="anna"))

    said = proof(table)
    assert said.holds
    assert '; Black was "ben"' in said.sentence
    assert "anna" not in said.sentence
