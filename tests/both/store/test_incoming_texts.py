"""An incoming email is recognised by its key, before and after an upgrade."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select

from corr.store.session import Store
from corr.store.tables import InboxRow, IncomingTextRow
from corr.store.texts import store_incoming
from tests.support.released_databases import upgraded

DIGEST, OTHER = "0f" * 32, "1e" * 32
KEYS = (DIGEST, f"bounce {DIGEST}", f"other {DIGEST}", f"page {DIGEST[:32]}", "f" * 63 + "g", "f" * 62 + "gg")
LETTER = """
INSERT INTO inbox (seat_id, slip, bounce, recipients, message_key, raw, received_at, tries)
VALUES (1, 0, false, '[]', '{key}', '', 0, 0)
"""


@pytest.fixture
def old(bare_url: str, tmp_path: Path) -> Iterator[Store]:
    """An upgraded database with emails of a release in it."""
    with upgraded(tmp_path, bare_url, "6ef361f", *(LETTER.format(key=key) for key in KEYS)) as table:
        yield table.server.store


def is_new(store: Store, key: str) -> bool:
    row = {
        "seat_id": 1,
        "slip": 0,
        "bounce": False,
        "tries": 0,
        "received_at": datetime(2026, 1, 1, tzinfo=UTC),
    }
    with store.writing() as connection:
        return store_incoming(connection, b"e2e4", "[]", message_key=key, **row)


def test_an_email_from_before_the_upgrade_is_recognised_when_it_arrives_again(old: Store) -> None:
    assert [is_new(old, key) for key in KEYS[:4]] == [False] * 4
    with old.reading() as connection:
        known = select(InboxRow.id).where(InboxRow.message_key.contains(DIGEST[:32]))
        assert connection.execute(select(IncomingTextRow.letter_id).join(known.subquery())).all() == []


def test_another_email_is_new_and_its_text_is_stored(old: Store) -> None:
    assert [is_new(old, key) for key in (OTHER, OTHER)] == [True, False]
    with old.reading() as connection:
        kept = select(IncomingTextRow.raw).join(InboxRow).where(InboxRow.message_key == OTHER)
        assert connection.execute(kept).scalars().all() == [b"e2e4"]
