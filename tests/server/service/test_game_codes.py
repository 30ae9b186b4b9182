"""Game codes: easy to read aloud and to type, and never mistaken for a square or a number."""

from __future__ import annotations

import re

from corr.service.games.lifecycle import draw_code
from tests.support.table import Table


def test_a_code_has_five_characters_and_starts_with_a_letter(table: Table) -> None:
    with table.server.store.writing() as connection:
        codes = {draw_code(connection) for _ in range(500)}

    assert [code for code in codes if not re.fullmatch("[j-z][2-9j-z]{4}", code)] == []
    assert len(codes) > 450
