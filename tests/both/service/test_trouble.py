"""A full disk, a database that another process holds: nothing half done, nothing lost, and a sentence."""

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


def hurry(table: Table) -> None:
    """Leave a table little patience for what another transaction holds."""
    url = table.server.store.engine.url.render_as_string(hide_password=False)
    table.server.store.close()
    table.server = replace(table.server, store=Store(url, patience=0.1))


def test_a_letter_that_meets_a_locked_database_is_not_taken_and_can_come_again(
    sqlite_table: Table, tmp_path: Path
) -> None:
    hurry(sqlite_table)
    sqlite_table.begin()
    raw = sqlite_table.letter(ANN, "e2e4")
    other = Store(f"sqlite:///{tmp_path / 'corr.sqlite'}")

    with other.writing(), pytest.raises(OperationalError, match="locked"):
        sqlite_table.post(raw)
    other.close()

    assert sqlite_table.post(raw) == 1
    sqlite_table.work()
    assert "Your move has been made." in sqlite_table.says(ANN)


def test_a_letter_whose_game_is_held_by_another_process_waits_and_is_read_later(table: Table) -> None:
    hurry(table)
    table.begin()
    table.post(table.letter(ANN, "e2e4"))
    other = Store(table.server.store.engine.url.render_as_string(hide_password=False))

    with other.writing() as connection:
        open_session(connection, 1, table.clock())
        with pytest.raises(OperationalError, match="lock"):
            table.read()
    other.close()
    table.clock.pass_by(minutes=3)

    table.work()
    assert "Your move has been made." in table.says(ANN)


@pytest.mark.parametrize("batch", ["inbox", "outbox"])
def test_two_workers_never_have_the_same_letter_in_hand(table: Table, batch: str) -> None:
    table.begin()
    for player in (ANN, BEN):
        table.post(table.letter(player, "show"))
    if batch == "outbox":
        table.read()
    claim = {"inbox": game_reader.INTAKE.claim, "outbox": game_emails.OUTBOX.claim}[batch]

    first, second = (claim(table.server, table.clock(), 1) for _ in range(2))

    assert len({row.id for row in (*first, *second)}) == 2
    assert not claim(table.server, table.clock(), 20)


def test_on_a_full_disk_nothing_is_half_done(sqlite_table: Table) -> None:
    table = replace(sqlite_table, server=replace(sqlite_table.server, answers_an_hour=1000))
    table.begin()
    table.post(table.letter(ANN, "e2e4"))
    full = Filled(table.server.store)
    taken = letters_until_full(table)
    full.empty()
    answers = len(table.letters(BEN))
    table.work()

    assert "Your move has been made." in table.says(ANN)
    assert len(table.letters(BEN)) == answers + taken + 1


def letters_until_full(table: Table) -> int:
    """How many letters were taken before one was not."""
    letters = iter(range(1000))
    with pytest.raises(OperationalError, match="full"):
        take_all(table, letters)
    return next(letters) - 1


def take_all(table: Table, letters: Iterator[int]) -> None:
    for _ in letters:
        table.post(table.letter(BEN, "show"))


class Filled:
    """A database that may not grow by a single page."""

    def __init__(self, store: Store) -> None:
        self._store = store
        store.close()
        event.listen(store.engine, "connect", self._shut)

    def empty(self) -> None:
        event.remove(self._store.engine, "connect", self._shut)
        self._store.close()

    @staticmethod
    def _shut(connection: sqlite3.Connection, _record: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
