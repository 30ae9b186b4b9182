"""The list of games on both databases: one whose email is late, and one that is over."""

from __future__ import annotations

from tests.support.broken_relay import use_broken_relay
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, Table


def test_a_game_with_a_late_email_and_a_finished_game_are_listed(table: Table) -> None:
    table.begin()
    table.reply(BEN, "resign resign")
    table.begin_by_email("cincinnati")
    use_broken_relay(table).refused = {ANN}
    table.play("e2e4", "e7e5")
    table.clock.advance(hours=2)
    table.sweep()
    anns = Browser(table.app())
    anns.sign_in_directly(table, ANN)

    text = anns.open("/games/")
    assert "3 days left" in text
    assert "ben Wild 16 You won" in text
    assert "1 waits for you" in anns.open("/rules")
    assert "ben Wild 16 You won" in anns.open("/games/?variant=wild16")
    assert "Finished 0" in anns.open("/games/?variant=cincinnati")
