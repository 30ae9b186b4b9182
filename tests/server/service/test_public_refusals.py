"""Where both hear every word of the umpire: a refusal brings no letter of its own, and is in the next one."""

from __future__ import annotations

import pytest

from corr.rules.variants import UMPIRES
from corr.service import catalogue
from tests.server.web.test_table import sit_down
from tests.support.browser import text_of_page
from tests.support.table import ANN, BEN, Table


def test_a_refusal_is_answered_at_once_and_the_other_side_reads_of_it_with_the_move(table: Table) -> None:
    table.begin("cincinnati")
    letters = len(table.letters(BEN))

    table.reply(ANN, "a1a5")
    assert "The umpire says: Nonsense. It is still your turn." in table.says(ANN)
    table.reply(ANN, "e2d3")
    table.reply(ANN, "g1f3")

    assert len(table.letters(BEN)) == letters + 1
    assert "The umpire says: Black's move." in table.says(BEN)
    assert 'During White\'s turn the umpire also said: "Nonsense." (2 times)' in table.says(BEN)
    assert not any(square in table.says(BEN) for square in ("a1", "a5", "e2d3", "g1f3"))


def test_what_was_overheard_is_told_in_its_order_and_once(table: Table) -> None:
    """Ci10."""
    table.begin("cincinnati")
    table.play("e2e4", "d7d5")
    for text in ("e4f5", "a1a5", "e4d5"):
        table.reply(ANN, text)
    assert "Pawn at d5 captured. Black's move." in table.says(BEN)
    assert 'During White\'s turn the umpire also said: "Illegal." "Nonsense."' in table.says(BEN)

    table.reply(BEN, "g8f6")
    table.reply(ANN, "g1f3")

    assert "the umpire also said" not in table.says(BEN)
    assert "the umpire also said" not in table.says(ANN)


def test_a_player_may_look_what_the_umpire_said_to_the_others_attempts(table: Table) -> None:
    table.begin("cincinnati")
    table.play("e2e4", "d7d5")
    table.reply(ANN, "e4f5")

    table.reply(BEN, "show")

    assert 'During White\'s turn the umpire also said: "Illegal."' in table.says(BEN)


def test_in_wild_16_nothing_of_it_reaches_the_other_side(table: Table) -> None:
    """D7, W15."""
    table.begin()
    table.reply(ANN, "a1a5")
    table.reply(ANN, "g1f3")

    assert "also said" not in table.says(BEN)
    assert "The umpire says: Black's move. 0 pawn tries." in table.says(BEN)
    table.reply(BEN, "a8a5")
    table.reply(BEN, "g8f6")
    assert "also said" not in table.says(ANN)


def test_ones_own_tries_of_this_turn_are_listed_with_what_was_said(table: Table) -> None:
    table.begin("cincinnati")
    table.play("e2e4", "d7d5")
    for text in ("e4f5", "a1a5", "b1b3"):
        table.reply(ANN, text)

    assert "| e4f5: Illegal." in table.newest(ANN).get_body(("plain",)).get_content()
    assert "| a1a5: Nonsense." in table.newest(ANN).get_body(("plain",)).get_content()


@pytest.mark.parametrize("variant", sorted({*UMPIRES} - {"rbc"}))
def test_beside_the_orders_stands_whether_the_other_side_hears_of_a_refusal(
    table: Table, variant: str
) -> None:
    table.begin(variant)
    table.deploy()
    page = sit_down(table, ANN)
    assert catalogue.card(variant).refused in text_of_page(page.answer.get_data(as_text=True))
    page.send("a1a5")
    table.reply(BEN, "show")

    assert ("During White's turn the umpire also said" in table.says(BEN)) == (
        "Your opponent hears each refusal" in catalogue.card(variant).refused
    )


def test_where_nothing_is_refused_stands_what_a_move_costs_that_does_not_succeed(table: Table) -> None:
    table.begin("rbc")

    assert "A move that doesn't succeed ends your turn" in text_of_page(
        sit_down(table, ANN).answer.get_data(as_text=True)
    )
