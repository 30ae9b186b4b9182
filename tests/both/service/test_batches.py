"""Letters that are looked up and composed together: each is what it would be alone."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from sqlalchemy import select

from corr.mail.outward.compose import compose
from corr.service.mail import game_emails
from corr.service.mail.delivery import OutgoingEmail
from corr.store.rows import rows_of
from corr.store.tables import OutboxRow
from tests.support.sample_games import GAMES
from tests.support.table import ANN, BEN, Table

#: What is written in each turn before the order itself: some of it in vain, in letters of its own.
MEANWHILE = ("show", "a1a8", "a8a1\nb8b1", "nothing at all", "help")


def years(table: Table) -> None:
    """A game of every variant, in which both sides also try in vain, ask, are reminded, and play once more."""
    rng = random.Random(15)
    for variant, game in GAMES.items():
        table.begin(variant)
        for player, letter in game.by_turns():
            for writer in (player, rng.choice((ANN, BEN))):
                table.reply(writer, rng.choice(MEANWHILE))
            table.clock.pass_by(days=2, hours=12)
            table.sweep()
            table.reply(player, letter)
        table.reply(ANN, "show")


def composed(table: Table, rows: Sequence[OutgoingEmail]) -> dict[int, bytes]:
    with table.server.store.reading() as connection:
        opened = game_emails.prepare(connection, table.server, rows, rows)
    return {letter: compose(say()).message for letter, say in opened.worded.items()}


def sent(table: Table) -> list[bytes]:
    """What went out of a house that sent each letter as soon as it was written."""
    return [path.read_bytes() for path in sorted(table.spool.glob("*.eml"))]


@pytest.mark.databases("sqlite")
def test_a_letter_is_the_same_alone_and_among_others_of_both_sides_and_of_many_games(table: Table) -> None:
    years(table)
    with table.server.store.asking() as connection:
        letters = select(*game_emails.OUTBOX.columns)
        kept = rows_of(OutgoingEmail, connection.execute(letters.order_by(OutboxRow.id)))
    rows = [
        row for row in kept if row.words
    ]  # those of games that are long over are made of nothing any more
    alone = {letter: message for row in rows for letter, message in composed(table, [row]).items()}
    went_out = b"".join(sent(table))
    rng = random.Random(2)

    assert all(message in went_out for message in alone.values())
    assert {row.kind for row in rows} >= {"turn", "answer", "reminder", "over"}
    for size in (3, 16):
        mixed = rng.sample(rows, len(rows))
        for start in range(0, len(mixed), size):
            for letter, message in composed(table, mixed[start : start + size]).items():
                assert message == alone[letter]
