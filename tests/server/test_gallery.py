"""Every kind of letter of every variant reads as in the gallery."""

from __future__ import annotations

import pytest

from tests.support.gallery import ROOMS, hold
from tests.support.table import Table


@pytest.mark.parametrize("room", ROOMS)
def test_the_letters_read_as_in_the_gallery(table: Table, room: str) -> None:
    hold(room, ROOMS[room](table))
