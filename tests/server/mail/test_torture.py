"""A letter that was made to hurt goes through the whole house: its seat is answered once, and nobody else notices."""

from __future__ import annotations

import pytest

from tests.support.hostile_emails import FIXED, GROWING
from tests.support.table import ANN, BEN, Table


def hurt(table: Table, raw: bytes) -> None:
    """Such a letter comes to Ann's seat, in her name where it names anybody."""
    table.begin()
    table.post(raw.replace(b"ann@example.org", ANN.encode()), table.newest(ANN)["Reply-To"])
    table.work()


@pytest.mark.parametrize("name", FIXED)
def test_each_is_answered_once_and_the_game_goes_on(
    table: Table, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    hurt(table, FIXED[name])

    assert len(table.letters(ANN)) == 4
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
    table.reply(ANN, "e2e4")
    assert "The umpire says: Black's move." in table.says(BEN)


@pytest.mark.parametrize("name", ["one line of On", "lines of On", "angles", "html: div", "orders", "base64"])
def test_so_is_one_as_big_as_may_be(table: Table, name: str) -> None:
    hurt(table, GROWING[name](990_000))

    assert "I did nothing" in table.says(ANN)
