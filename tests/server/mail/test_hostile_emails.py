"""Hostile emails go through the whole server: each gets one answer, and the game goes on."""

from __future__ import annotations

import pytest

from tests.support.hostile_emails import FIXED, GROWING
from tests.support.table import ANN, BEN, Table


def deliver(table: Table, raw: bytes) -> None:
    """Deliver a hostile email to Ann's seat; where it names a sender, it is Ann."""
    table.begin()
    table.deliver(raw.replace(b"ann@example.org", ANN.encode()), table.last_email(ANN)["Reply-To"])
    table.run_workers()


@pytest.mark.parametrize("name", FIXED)
def test_a_hostile_email_is_answered_once_and_the_game_goes_on(
    table: Table, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    deliver(table, FIXED[name])

    assert len(table.emails_to(ANN)) == 4
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
    table.reply(ANN, "e2e4")
    assert "The umpire says: Black's move." in table.last_text(BEN)


@pytest.mark.parametrize("name", ["one line of On", "lines of On", "angles", "html: div", "orders", "base64"])
def test_a_hostile_email_of_the_largest_allowed_size_is_answered(table: Table, name: str) -> None:
    deliver(table, GROWING[name](990_000))

    assert "I did nothing" in table.last_text(ANN)
