"""Every kind of email in every variant matches its stored example in the gallery."""

from __future__ import annotations

import pytest

from tests.support.gallery import ROOMS, hold
from tests.support.table import Table


@pytest.mark.parametrize("room", ROOMS)
def test_the_emails_match_the_gallery(table: Table, room: str) -> None:
    hold(room, ROOMS[room](table))
