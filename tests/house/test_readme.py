"""The letter of the README is one that the house writes."""

from __future__ import annotations

from tests.support.docs import block
from tests.support.sealed import masked
from tests.support.table import ANN, BEN, Table, text_of


def test_the_letter_is_one_that_the_house_writes(table: Table) -> None:
    table.challenge(f"Ann <{ANN}>", f"Ben <{BEN}>")
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    table.play("e2e4", "d7d5", "e4d5", "d8d5")

    assert masked(text_of(table.newest(ANN))) == masked(block("README.md", "Wild 16 with Ben"))
