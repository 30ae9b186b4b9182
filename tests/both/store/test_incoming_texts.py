"""A letter in is known by its key, before an upgrade and after it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import func, select

from corr.store import schema
from corr.store.incoming_texts import take_in
from corr.store.session import Store
from corr.store.tables import InboxRow, Original

DIGEST, OTHER = "0f" * 32, "1e" * 32
KEYS = (DIGEST, f"bounce {DIGEST}", f"other {DIGEST}", f"page {DIGEST[:32]}", "f" * 63 + "g", "f" * 62 + "gg")
OLD = """
INSERT INTO games (id, code, variant, clock, state, ply, offered_white, offered_black)
VALUES (1, 'abcde', 'wild16', '3d', 'running', 0, 0, 0);
INSERT INTO players (id, name, address, address_key) VALUES (1, 'Ann', 'a@b', 'a@b');
INSERT INTO seats (id, game_id, player_id, side, code, key, accepted, slips, steps, letters) VALUES
    (1, 1, 1, 'white', 'abcdefgh', '', true, 0, 0, 0)
"""
LETTER = """
INSERT INTO inbox (seat_id, slip, bounce, recipients, message_key, raw, received_at, tries)
VALUES (1, 0, false, '[]', '{key}', '', 0, 0)
"""


@pytest.fixture
def old(bare_url: str) -> Iterator[Store]:
    """A database of tables with letters in it, brought to the newest ones."""
    store = Store(bare_url)
    schema.upgrade(store, "0014")
    with store.writing() as connection:
        for row in (*OLD.strip().split(";\n"), *(LETTER.format(key=key) for key in KEYS)):
            connection.exec_driver_sql(row)
    schema.upgrade(store)
    yield store
    store.close()


def is_new(store: Store, key: str) -> bool:
    row = {
        "seat_id": 1,
        "slip": 0,
        "bounce": False,
        "tries": 0,
        "received_at": datetime(2026, 1, 1, tzinfo=UTC),
    }
    with store.writing() as connection:
        return take_in(connection, b"e2e4", "[]", message_key=key, **row)


def test_what_came_before_an_upgrade_is_known_when_it_comes_again_after_it(old: Store) -> None:
    assert [is_new(old, key) for key in KEYS[:4]] == [False] * 4
    with old.reading() as connection:
        assert connection.execute(select(func.count()).select_from(Original)).scalar_one() == 0


def test_another_letter_is_new_and_what_it_says_is_kept(old: Store) -> None:
    assert [is_new(old, key) for key in (OTHER, OTHER)] == [True, False]
    with old.reading() as connection:
        kept = select(Original.raw).join(InboxRow).where(InboxRow.message_key == OTHER)
        assert connection.execute(kept).scalars().all() == [b"e2e4"]
