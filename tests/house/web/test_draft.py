"""What is made up by clicks, without scripts: lists of tries, orders for the next turn, ghosts and notes."""

from __future__ import annotations

import re

import pytest

from tests.house.web.test_table import KEPT, anns, begun, bens, board_of, sit_down
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, Table

__all__ = ["anns", "begun", "bens"]

EARLIER, OFF = "\u2039", "\u00d7"


def ghost_on(page: Browser, square: str) -> str:
    """What somebody imagines there."""
    found = re.search(rf'aria-label="{square}, unseen; your ghost: an? (\w+)', offered(page))
    return found[1] if found else ""


def offered(page: Browser) -> str:
    return page.answer.get_data(as_text=True)


def test_a_list_is_chosen_move_by_move_and_sent_as_one(anns: Browser) -> None:
    anns.press("A list of tries")
    anns.click("e2", "e5")
    anns.click("d2", "d4")
    page = anns.press("Send to the umpire")

    assert 'That is your move, "d2d4"' in page or "That is your move" in page
    assert board_of(anns)["d4"] == "your pawn"


def test_tries_are_moved_and_taken_out(anns: Browser) -> None:
    anns.open(f"{anns.at}?list=e2e4.d2d4.c2c4")
    anns.press(EARLIER)
    anns.press(OFF)
    page = offered(anns)

    assert 'name="orders" value="e2e4, c2c4"' in page


def test_while_a_list_is_made_up_nothing_is_sent(anns: Browser) -> None:
    anns.press("A list of tries")
    anns.click("e2", "e4")

    assert board_of(anns)["e2"] == "your pawn"
    assert 'value="e2e4"' in offered(anns)


def test_a_pawn_on_the_last_rank_joins_the_list_as_what_it_becomes(table: Table) -> None:
    table.begin()
    table.play("a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "h7h6", "a6a7", "h6h5")
    anns = sit_down(table, ANN)
    anns.press("A list of tries")
    anns.click("a7", "b8")
    anns.press("Knight")

    assert 'value="a7b8n"' in offered(anns)


@pytest.mark.parametrize(
    ("made_up", "sent"),
    [
        ("yes:e4d5.c4d5/g1f3", "any? yes: e4d5, c4d5 / no: g1f3"),
        ("no:g1f3", "any? no: g1f3"),
        ("yes:/g1f3", "any? no: g1f3"),
    ],
)
def test_a_list_may_hang_on_either_answer_to_any(table: Table, made_up: str, sent: str) -> None:
    table.begin(variant="classic")
    anns = sit_down(table, ANN)
    anns.open(f"{anns.at}?list={made_up}")

    assert f'name="orders" value="{sent}"' in offered(anns)


def test_both_answers_to_any_are_made_up_one_after_the_other(table: Table) -> None:
    table.begin(variant="classic")
    anns = sit_down(table, ANN)
    anns.press("A list of tries")
    anns.press('if "any?" finds a try')
    anns.click("e2", "d3")
    anns.press("if it finds none")
    anns.click("g1", "f3")
    page = anns.press("Send to the umpire")

    assert "Any?" in page
    assert board_of(anns)["f3"] == "your knight"


@pytest.mark.parametrize(
    "wrong", ["e2e9", "<b>", "e2e4..d2d4", "if:e2e4", "capture e4:e2e4", "yes:e2e4", "x" * 900]
)
def test_an_address_that_makes_no_sense_makes_up_nothing_else(anns: Browser, wrong: str) -> None:
    anns.open(f"{anns.at}?list={wrong}")

    assert anns.answer.status_code == 200
    assert "if capture" not in offered(anns)
    assert "any? yes" not in offered(anns)


def test_where_a_refused_order_ends_the_turn_no_list_is_offered(table: Table) -> None:
    table.begin(variant="rbc")
    page = sit_down(table, ANN)

    assert "A list of tries" not in offered(page)
    assert 'form="draft"' not in page.open(f"{page.at}?list=e2e4")


# ---------------------------------------------------------------- for the next turn


def test_the_next_turn_is_ordered_by_clicks(bens: Browser) -> None:
    bens.press("Order my next turn")
    bens.click("e7", "e5")

    assert KEPT in bens.press("Send to the umpire")


def test_it_hangs_on_what_the_umpire_will_say(bens: Browser) -> None:
    bens.press("Order my next turn")
    bens.press("a capture on …")
    bens.click("d5")
    bens.click("e6", "d5") if board_of(bens)["e6"].startswith("your") else bens.click("e7", "d6")
    page = bens.press("Send to the umpire")

    assert "This is kept for your next turn" in page
    assert "if capture d5: e7d6" in page


@pytest.mark.parametrize(
    ("variant", "can", "cannot"),
    [
        ("wild16", ("pawn tries", "check by a knight", "a capture on …"), ()),
        ("assassin", ("a capture on …", "check on the rank"), ("check by a knight", "pawn tries")),
        ("classic", ("check by a knight",), ("no pawn tries",)),
    ],
)
def test_only_what_this_umpire_tells_is_offered(
    table: Table, variant: str, can: tuple[str, ...], cannot: tuple[str, ...]
) -> None:
    table.begin(variant=variant)
    if variant == "assassin":
        table.play("deploy home", "deploy home")
    bens = sit_down(table, BEN)
    bens.open(f"{bens.at}?list=")
    page = offered(bens)

    assert all(each in page for each in can)
    assert not any(each in page for each in cannot)


# ---------------------------------------------------------------- beside the game


def test_a_ghost_is_put_where_nothing_is_seen_and_taken_away_again(anns: Browser) -> None:
    anns.press("", ghost="Q")
    anns.click("d8")
    assert ghost_on(anns, "d8") == "queen"
    anns.click("e5")
    assert ghost_on(anns, "e5") == "queen"

    anns.click("d8")
    assert ghost_on(anns, "d8") == ""


def test_ghosts_are_put_while_the_other_side_is_to_move_and_keep_what_is_made_up(bens: Browser) -> None:
    bens.open(f"{bens.at}?list=e7e5&ghost=N")
    bens.click("d4")

    assert ghost_on(bens, "d4") == "knight"
    assert 'name="orders" value="e7e5"' in offered(bens)


def test_a_note_is_written_in_its_own_place(anns: Browser) -> None:
    page = anns.press("Note", note="the queen\nis on d8; e2e4")

    assert "Move 1: the queen is on d8; e2e4" in page
    assert board_of(anns)["e2"] == "your pawn"
