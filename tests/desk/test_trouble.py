"""A full disk, a database that another process holds: nothing half done, nothing lost, and a sentence."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError
from table import ANN, BEN, Table

from corr.desk import reader
from corr.store.session import Store


@pytest.fixture
def hurried(table: Table, tmp_path: Path) -> Iterator[Table]:
    """The same table with little patience for a locked database."""
    table.house.store.close()
    table.house = replace(table.house, store=Store(f"sqlite:///{tmp_path / 'corr.sqlite'}", patience=0.1))
    yield table
    table.house.store.close()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Another process's connection."""
    connection = sqlite3.connect(tmp_path / "corr.sqlite", isolation_level=None)
    yield connection
    connection.close()


def test_a_letter_that_meets_a_locked_database_is_not_taken_and_can_come_again(
    hurried: Table, other: sqlite3.Connection
) -> None:
    hurried.begin()
    raw = hurried.letter(ANN, "e2e4")
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(OperationalError, match="locked"):
        hurried.post(raw)
    other.execute("ROLLBACK")

    assert hurried.post(raw) == 1
    hurried.work()
    assert "That is your move." in hurried.says(ANN)


def test_a_letter_whose_reading_meets_a_locked_database_waits_and_is_read_later(
    hurried: Table, other: sqlite3.Connection
) -> None:
    hurried.begin()
    hurried.post(hurried.letter(ANN, "e2e4"))
    other.execute("BEGIN IMMEDIATE")

    for _ in range(5):
        with pytest.raises(OperationalError, match="locked"):
            reader.read_next(hurried.house, hurried.clock())
    other.execute("ROLLBACK")

    hurried.work()
    assert "That is your move." in hurried.says(ANN)


def test_on_a_full_disk_nothing_is_half_done(table: Table) -> None:
    table.begin()
    table.post(table.letter(ANN, "e2e4"))
    full = Filled(table.house.store)
    taken = letters_until_full(table)
    full.empty()
    answers = len(table.letters(BEN))
    table.work()

    assert "That is your move." in table.says(ANN)
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
        store.engine.dispose()
        event.listen(store.engine, "connect", self._shut)

    def empty(self) -> None:
        event.remove(self._store.engine, "connect", self._shut)
        self._store.engine.dispose()

    @staticmethod
    def _shut(connection: sqlite3.Connection, _record: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")


def test_a_letter_that_breaks_the_reader_is_put_aside_and_its_writer_told(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of ours, made here by hand: it must not hold up the seat, nor the flag, for ever."""
    table.begin()
    table.post(table.letter(ANN, "e2e4"))
    monkeypatch.setattr(reader, "read", lambda *_: 1 / 0)

    for _ in range(6):
        table.work()
        table.clock.pass_by(minutes=10)
    monkeypatch.undo()

    assert "it is our fault: nothing was tried" in table.says(ANN)
    table.reply(ANN, "d2d4")
    assert "That is your move." in table.says(ANN)
