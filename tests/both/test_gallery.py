"""Emails read the same on PostgreSQL as on SQLite."""

from __future__ import annotations

import pytest

from tests.support.gallery import ROOMS, hold
from tests.support.table import Table


@pytest.mark.databases("postgresql")
@pytest.mark.parametrize("room", ROOMS)
def test_emails_match_the_gallery(table: Table, room: str) -> None:
    hold(room, ROOMS[room](table))
