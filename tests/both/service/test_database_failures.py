"""A full disk or a locked database: nothing is half done, nothing is lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from corr.service.games.game_session import open_session
from corr.service.mail import game_emails, game_reader
from corr.store.session import Store
from tests.support.table import ANN, BEN, Table


def shorten_lock_timeout(table: Table) -> None:
    """Make a table give up soon when another transaction holds a lock."""
    url = table.server.store.engine.url.render_as_string(hide_password=False)
    table.server.store.close()
    table.server = replace(table.server, store=Store(url, patience=0.1))


def test_an_email_refused_by_a_locked_database_can_come_again(sqlite_table: Table, tmp_path: Path) -> None:
    shorten_lock_timeout(sqlite_table)
    sqlite_table.begin()
    raw = sqlite_table.reply_email(ANN, "e2e4")
    other = Store(f"sqlite:///{tmp_path / 'corr.sqlite'}")

    with other.writing(), pytest.raises(OperationalError, match="locked"):
        sqlite_table.deliver(raw)
    other.close()

    assert sqlite_table.deliver(raw) == 1
    sqlite_table.run_workers()
    assert "Your move has been made." in sqlite_table.last_text(ANN)


def test_an_email_whose_game_is_locked_is_read_later(table: Table) -> None:
    shorten_lock_timeout(table)
    table.begin()
    table.deliver(table.reply_email(ANN, "e2e4"))
    other = Store(table.server.store.engine.url.render_as_string(hide_password=False))

    with other.writing() as connection:
        open_session(connection, 1, table.clock())
        with pytest.raises(OperationalError, match="lock"):
            table.read_emails()
    other.close()
    table.clock.advance(minutes=3)

    table.run_workers()
    assert "Your move has been made." in table.last_text(ANN)


@pytest.mark.parametrize("batch", ["inbox", "outbox"])
def test_two_workers_never_claim_the_same_email(table: Table, batch: str) -> None:
    table.begin()
    for player in (ANN, BEN):
        table.deliver(table.reply_email(player, "show"))
    if batch == "outbox":
        table.read_emails()
    claim = {"inbox": game_reader.INTAKE.claim, "outbox": game_emails.OUTBOX.claim}[batch]

    first, second = (claim(table.server, table.clock(), 1) for _ in range(2))

    assert len({row.id for row in (*first, *second)}) == 2
    assert not claim(table.server, table.clock(), 20)


def test_a_full_disk_leaves_nothing_half_done(sqlite_table: Table) -> None:
    table = replace(sqlite_table, server=replace(sqlite_table.server, answers_an_hour=1000))
    table.begin()
    table.deliver(table.reply_email(ANN, "e2e4"))
    full = FullDisk(table.server.store)
    stored = count_until_full(table)
    full.free()
    answers = len(table.emails_to(BEN))
    table.run_workers()

    assert "Your move has been made." in table.last_text(ANN)
    assert len(table.emails_to(BEN)) == answers + stored + 1


def count_until_full(table: Table) -> int:
    """How many emails were stored before one failed."""
    letters = iter(range(1000))
    with pytest.raises(OperationalError, match="full"):
        post_all(table, letters)
    return next(letters) - 1


def post_all(table: Table, letters: Iterator[int]) -> None:
    for _ in letters:
        table.deliver(table.reply_email(BEN, "show"))


class FullDisk:
    """A database that may not grow by a single page."""

    def __init__(self, store: Store) -> None:
        self._store = store
        store.close()
        event.listen(store.engine, "connect", self._forbid_growth)

    def free(self) -> None:
        event.remove(self._store.engine, "connect", self._forbid_growth)
        self._store.close()

    @staticmethod
    def _forbid_growth(connection: sqlite3.Connection, _record: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
