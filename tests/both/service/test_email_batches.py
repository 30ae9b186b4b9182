"""Emails composed together: each is the same as if it were composed alone."""

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

#: Emails sent in each turn before the order itself; some do nothing.
MEANWHILE = ("show", "a1a8", "a8a1\nb8b1", "nothing at all", "help")


def play_all_variants(table: Table) -> None:
    """A game of each variant, with refused orders, questions and reminders."""
    rng = random.Random(15)
    for variant, game in GAMES.items():
        table.begin(variant)
        for player, letter in game.by_turns():
            for writer in (player, rng.choice((ANN, BEN))):
                table.reply(writer, rng.choice(MEANWHILE))
            table.clock.advance(days=2, hours=12)
            table.sweep()
            table.reply(player, letter)
        table.reply(ANN, "show")


def composed(table: Table, rows: Sequence[OutgoingEmail]) -> dict[int, bytes]:
    with table.server.store.reading() as connection:
        opened = game_emails.prepare(connection, table.server, rows, rows)
    return {letter: compose(say()).message for letter, say in opened.worded.items()}


def sent(table: Table) -> list[bytes]:
    """The emails of a server that sent each as soon as it was composed."""
    return [path.read_bytes() for path in sorted(table.spool.glob("*.eml"))]


@pytest.mark.databases("sqlite")
def test_an_email_is_the_same_alone_and_in_a_batch(table: Table) -> None:
    play_all_variants(table)
    with table.server.store.asking() as connection:
        letters = select(*game_emails.OUTBOX.columns)
        emails = rows_of(OutgoingEmail, connection.execute(letters.order_by(OutboxRow.id)))
    rows = [row for row in emails if row.words]  # old games' emails have lost their words
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
