"""Variants with public refusals: the opponent hears them in the next email, not in one of their own."""

from __future__ import annotations

import pytest

from corr.rules.variants import UMPIRES
from corr.service import catalogue
from tests.server.web.test_table import sit_down
from tests.support.browser import text_of_page
from tests.support.table import ANN, BEN, Table


def test_a_refusal_is_answered_at_once_and_the_opponent_reads_it_with_the_move(table: Table) -> None:
    table.begin("cincinnati")
    emails = len(table.emails_to(BEN))

    table.reply(ANN, "a1a5")
    assert "The umpire says: Nonsense. It is still your turn." in table.last_text(ANN)
    table.reply(ANN, "e2d3")
    table.reply(ANN, "g1f3")

    assert len(table.emails_to(BEN)) == emails + 1
    assert "The umpire says: Black's move." in table.last_text(BEN)
    assert 'During White\'s turn the umpire also said: "Nonsense." (2 times)' in table.last_text(BEN)
    assert not any(square in table.last_text(BEN) for square in ("a1", "a5", "e2d3", "g1f3"))


def test_refusals_are_reported_in_order_and_only_once(table: Table) -> None:
    """Ci10."""
    table.begin("cincinnati")
    table.play("e2e4", "d7d5")
    for text in ("e4f5", "a1a5", "e4d5"):
        table.reply(ANN, text)
    assert "Pawn at d5 captured. Black's move." in table.last_text(BEN)
    assert 'During White\'s turn the umpire also said: "Illegal." "Nonsense."' in table.last_text(BEN)

    table.reply(BEN, "g8f6")
    table.reply(ANN, "g1f3")

    assert "the umpire also said" not in table.last_text(BEN)
    assert "the umpire also said" not in table.last_text(ANN)


def test_show_includes_the_refusals_of_the_opponents_turn(table: Table) -> None:
    table.begin("cincinnati")
    table.play("e2e4", "d7d5")
    table.reply(ANN, "e4f5")

    table.reply(BEN, "show")

    assert 'During White\'s turn the umpire also said: "Illegal."' in table.last_text(BEN)


def test_in_wild_16_refusals_stay_private(table: Table) -> None:
    """D7, W15."""
    table.begin()
    table.reply(ANN, "a1a5")
    table.reply(ANN, "g1f3")

    assert "also said" not in table.last_text(BEN)
    assert "The umpire says: Black's move. 0 pawn tries." in table.last_text(BEN)
    table.reply(BEN, "a8a5")
    table.reply(BEN, "g8f6")
    assert "also said" not in table.last_text(ANN)


def test_your_own_tries_this_turn_are_listed_with_their_answers(table: Table) -> None:
    table.begin("cincinnati")
    table.play("e2e4", "d7d5")
    for text in ("e4f5", "a1a5", "b1b3"):
        table.reply(ANN, text)

    assert "| e4f5: Illegal." in table.last_email(ANN).get_body(("plain",)).get_content()
    assert "| a1a5: Nonsense." in table.last_email(ANN).get_body(("plain",)).get_content()


@pytest.mark.parametrize("variant", sorted({*UMPIRES} - {"rbc"}))
def test_the_page_says_whether_the_opponent_hears_refusals(table: Table, variant: str) -> None:
    table.begin(variant)
    table.deploy()
    page = sit_down(table, ANN)
    assert catalogue.card(variant).refused in text_of_page(page.answer.get_data(as_text=True))
    page.send("a1a5")
    table.reply(BEN, "show")

    assert ("During White's turn the umpire also said" in table.last_text(BEN)) == (
        "Your opponent hears each refusal" in catalogue.card(variant).refused
    )


def test_in_rbc_the_page_says_what_a_failed_move_costs(table: Table) -> None:
    table.begin("rbc")

    assert "A failed move also ends your turn" in text_of_page(
        sit_down(table, ANN).answer.get_data(as_text=True)
    )
