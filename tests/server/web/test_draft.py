"""Orders built by clicks, without scripts: lists of tries, advance orders, ghosts and notes."""

from __future__ import annotations

import re

import pytest

from tests.server.web.test_table import SAVED, ann, answer_of, begun, ben, board_of, sit_down
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, Table

__all__ = ["ann", "begun", "ben"]

EARLIER, OFF = "\u2039", "\u00d7"


def ghost_on(page: Browser, square: str) -> str:
    """The ghost on this square, or ""."""
    found = re.search(rf">{square}, unseen; your ghost: an? (\w+)", source(page))
    return found[1] if found else ""


def planned(page: Browser) -> set[str]:
    """Target squares of the moves planned for the next turn."""
    return set(re.findall(r">([a-h][1-8]), [^<]*a move you plan ends here", source(page)))


def source(page: Browser) -> str:
    return page.answer.get_data(as_text=True)


def test_a_list_is_built_move_by_move_and_sent_as_one(ann: Browser) -> None:
    ann.press("A list of tries")
    ann.click("e2", "d3")
    ann.click("d2", "d4")
    page = ann.press("Send to the umpire")

    assert 'You played "d2d4"' in page or "Your move has been made" in page
    assert board_of(ann)["d4"] == "your pawn"


def test_tries_are_reordered_and_removed(ann: Browser) -> None:
    ann.open(f"{ann.path}?list=e2e4.d2d4.c2c4")
    ann.press(EARLIER)
    ann.press(OFF)
    page = source(ann)

    assert 'name="orders" value="e2e4, c2c4"' in page


def test_building_a_list_sends_nothing(ann: Browser) -> None:
    ann.press("A list of tries")
    ann.click("e2", "e4")

    assert board_of(ann)["e2"] == "your pawn"
    assert 'value="e2e4"' in source(ann)


def test_a_promotion_joins_the_list_with_its_piece(table: Table) -> None:
    table.begin()
    table.play("a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "h7h6", "a6a7", "h6h5")
    ann = sit_down(table, ANN)
    ann.press("A list of tries")
    ann.click("a7", "b8")
    ann.press("Knight")

    assert 'value="a7b8n"' in source(ann)


@pytest.mark.parametrize(
    ("draft", "sent"),
    [
        ("yes:e4d5.c4d5/no:g1f3", "any? yes: e4d5, c4d5 / no: g1f3"),
        ("no:g1f3", "any? no: g1f3"),
        ("yes:/no:g1f3", "any? no: g1f3"),
    ],
)
def test_a_list_may_depend_on_either_answer_to_any(table: Table, draft: str, sent: str) -> None:
    table.begin(variant="classic")
    ann = sit_down(table, ANN)
    ann.open(f"{ann.path}?list={draft}")

    assert f'name="orders" value="{sent}"' in source(ann)


def test_lists_for_both_answers_to_any_are_built_in_turn(table: Table) -> None:
    table.begin(variant="classic")
    ann = sit_down(table, ANN)
    ann.press("A list of tries")
    ann.press('if "any?" finds a try')
    ann.click("e2", "d3")
    ann.press("if it finds none")
    ann.click("g1", "f3")
    page = ann.press("Send to the umpire")

    assert "Any?" in page
    assert board_of(ann)["f3"] == "your knight"


@pytest.mark.parametrize(
    "wrong", ["e2e9", "<b>", "e2e4..d2d4", "if:e2e4", "capture e4:e2e4", "yes:e2e4", "x" * 900]
)
def test_a_nonsense_address_adds_no_conditions(ann: Browser, wrong: str) -> None:
    ann.open(f"{ann.path}?list={wrong}")

    assert ann.answer.status_code == 200
    assert "if capture" not in source(ann)
    assert "any? yes" not in source(ann)


def test_where_a_refused_order_ends_the_turn_no_list_is_offered(table: Table) -> None:
    table.begin(variant="rbc")
    page = sit_down(table, ANN)

    assert "A list of tries" not in source(page)
    assert 'form="draft"' not in page.open(f"{page.path}?list=e2e4")


# ---------------------------------------------------------------- advance orders


def test_while_waiting_two_clicks_plan_a_move_and_one_deletes_it(table: Table, ben: Browser) -> None:
    ben.click("e7")
    assert SAVED in ben.click("e5")
    assert planned(ben) == {"e5"}
    ben.press("Delete these orders")
    assert planned(ben) == set()
    ben.click("d7", "d5")
    table.reply(ANN, "e2e4")

    assert "Your orders for next turn" not in ben.open(ben.path)
    assert board_of(ben)["d5"].startswith("your pawn")
    assert "White is to move" in source(ben)


def test_a_move_planned_on_a_page_that_is_out_of_date_isnt_tried(table: Table, ben: Browser) -> None:
    ben.click("e7")
    table.reply(ANN, "d2d4")
    page = ben.click("e5")

    assert "so I did nothing" in page
    assert board_of(ben)["e7"].startswith("your pawn")


def test_a_planned_move_must_fit_its_piece(ben: Browser) -> None:
    ben.click("g8")

    assert "The piece on g8 can't go to g6." in ben.click("g6")
    assert planned(ben) == set()


def test_a_drop_is_planned_from_the_reserve(table: Table) -> None:
    table.begin("crazykrieg")
    table.play("e2e4", "d7d5", "e4d5", "g8f6", "a2a3")
    table.play("f6d5")
    ann = sit_down(table, ANN)
    ann.send("b1c3")
    ann.press("pawn (1)")
    ann.click("e4")

    assert planned(ann) == {"e4"}


@pytest.mark.parametrize("variant", ["rbc"])
def test_nothing_can_be_planned_where_a_refused_order_ends_the_turn(table: Table, variant: str) -> None:
    table.begin(variant)
    ben = sit_down(table, BEN)

    assert selectable(ben) == set()


def test_one_sides_plan_does_not_change_the_other_sides_page(table: Table, ben: Browser) -> None:
    ann = sit_down(table, ANN)
    before = answer_of(ann)
    ben.click("e7", "e5")

    assert answer_of(ann) == before


def test_the_next_turn_is_planned_by_clicks(ben: Browser) -> None:
    ben.press("Plan my next turn")
    ben.click("e7", "e5")

    assert SAVED in ben.press("Send to the umpire")


def test_a_plan_may_depend_on_what_the_umpire_says(ben: Browser) -> None:
    ben.press("Plan my next turn")
    ben.press("a capture on …")
    ben.click("d5")
    ben.click("e6", "d5") if board_of(ben)["e6"].startswith("your") else ben.click("e7", "d6")
    page = ben.press("Send to the umpire")

    assert "Saved for your next turn" in page
    assert "if capture d5: e7d6" in page


def test_the_page_says_when_a_pawn_capture_must_be_tried(table: Table) -> None:
    due = "One of your pawns can capture, so you must try a pawn capture first."
    table.begin("classic")
    table.play("e2e4", "d7d5")
    page = sit_down(table, ANN)
    assert due not in page.open(page.path)

    assert due in page.press("Ask about captures")
    page.send("e4d5")

    assert due not in page.open(page.path)


@pytest.mark.parametrize(
    ("variant", "can", "cannot"),
    [
        ("wild16", ("pawn tries", "check by a knight", "a capture on …"), ()),
        ("assassin", ("a capture on …", "check on the row"), ("check by a knight", "pawn tries")),
        ("classic", ("check by a knight", "check on the large diagonal"), ("no pawn tries",)),
    ],
)
def test_only_conditions_of_the_variant_are_offered(
    table: Table, variant: str, can: tuple[str, ...], cannot: tuple[str, ...]
) -> None:
    table.begin(variant=variant)
    if variant == "assassin":
        table.play("deploy home", "deploy home")
    ben = sit_down(table, BEN)
    ben.open(f"{ben.path}?list=")
    page = source(ben)

    assert all(each in page for each in can)
    assert not any(each in page for each in cannot)


def test_conditions_are_joined_by_and(ben: Browser) -> None:
    ben.press("Plan my next turn")
    ben.press("a capture on …")
    ben.click("e4")
    ben.press("no check")
    ben.press("a check")
    ben.press("pawn tries")
    ben.click("d7", "e6")

    assert "if capture e4 and check and tries&gt;0: d7e6" in source(ben)


def test_a_condition_is_removed_by_a_second_click(ben: Browser) -> None:
    ben.open(f"{ben.path}?list=capture,check:e7e5")
    ben.press("a check")

    assert "if capture: e7e5" in source(ben)


def test_two_directions_of_a_double_check_may_be_combined(ben: Browser) -> None:
    ben.open(f"{ben.path}?list=check rank:e7e5")
    ben.press("check by a knight")

    assert "if check rank and check knight: e7e5" in source(ben)


def test_else_adds_tries_for_all_other_cases(ben: Browser) -> None:
    ben.press("Plan my next turn")
    ben.press("a capture")
    ben.click("d7", "e6")
    ben.press("else")
    ben.click("e7", "e5")
    ben.click("d7", "d5")
    page = ben.press("Send to the umpire")

    assert "if capture: d7e6; else e7e5, d7d5" in page
    assert SAVED.partition(",")[0] in page


def test_several_branches_keep_their_order_and_else_comes_last(ben: Browser) -> None:
    ben.open(f"{ben.path}?list=else:e7e5/check:d7d6/*capture:d7e6")
    ben.press("else")
    ben.press("no capture")
    ben.press("else")
    ben.click("a7", "a6")

    assert "if check: d7d6; if capture: d7e6; if no capture: e7e5; else a7a6" in source(ben)


def test_a_move_and_what_follows_it_are_sent_as_one(table: Table) -> None:
    table.begin()
    ann = sit_down(table, ANN)
    ann.press("A list of tries")
    ann.click("e2", "e4")
    ann.press("next turn, if …")
    assert "Choose a condition, then your moves for it" in source(ann)
    ann.press("a capture on …")
    ann.click("e4")
    ann.click("d2", "d3")
    ann.click("d2", "e3")
    page = ann.press("Send to the umpire")

    assert board_of(ann)["e4"] == "your pawn"
    assert "if capture e4: d2d3, d2e3" in page
    table.reply(BEN, "d7d5")
    assert "if capture e4: d2d3, d2e3" in table.last_text(ANN)


def test_a_planned_piece_starts_where_this_turns_move_takes_it(ann: Browser) -> None:
    ann.open(f"{ann.path}?list=e2e4/*capture d5:")
    ann.click("e4", "d5")

    assert "e2e4\nif capture d5: e4d5" in source(ann)


def test_a_plan_without_a_move_or_a_condition_cannot_be_sent(ann: Browser) -> None:
    for draft in ("capture:e2e4", "e2e4/else:d2d4", "e2e4/capture on:d2d4"):
        ann.open(f"{ann.path}?list={draft}")

        assert "Send what you've written" not in source(ann)


@pytest.mark.parametrize(("tries", "turn"), [("e2e4", "Black is to move"), ("e2e5", "Your turn")])
def test_an_unfinished_plan_stays_when_the_list_is_sent(ann: Browser, tries: str, turn: str) -> None:
    page = ann.open(f"{ann.path}?list={tries}/*capture,check:")
    assert (
        "“if a capture and a check” has no move yet, so it stays here and isn't sent with the rest." in page
    )
    page = ann.press("Send to the umpire")

    assert turn in page
    assert "has no move yet" not in page
    assert re.search('aria-pressed="true"[^>]*>(next turn, )?if a capture and a check<', source(ann))


def test_lists_after_any_may_have_a_plan_too(table: Table) -> None:
    table.begin(variant="classic")
    ann = sit_down(table, ANN)
    ann.open(f"{ann.path}?list=yes:e2d3/no:e2e4/capture e4:d2d3/else:g1f3")

    assert "any? yes: e2d3 / no: e2e4\nif capture e4: d2d3; else g1f3" in source(ann)


@pytest.mark.parametrize("variant", ["rbc", "welbeck"])
def test_a_variant_without_advance_orders_offers_no_plan(table: Table, variant: str) -> None:
    table.begin(variant=variant)
    table.deploy()
    ann = sit_down(table, ANN)
    ann.open(f"{ann.path}?list=e2e4/capture:d2d4")

    assert ("if capture: d2d4" in source(ann)) is (variant == "welbeck")


# ---------------------------------------------------------------- ghosts and notes


def test_a_ghost_is_placed_on_unseen_squares_and_removed(ann: Browser) -> None:
    ann.press("", ghost="Q")
    ann.click("d8")
    assert ghost_on(ann, "d8") == "queen"
    ann.click("e5")
    assert ghost_on(ann, "e5") == "queen"

    ann.click("d8")
    assert ghost_on(ann, "d8") == ""


def test_a_piece_can_be_selected_with_a_ghost_in_hand(ann: Browser) -> None:
    ann.press("", ghost="Q")
    page = ann.click("d8")
    assert 'class="news answer"' in source(ann), "a ghost is no refusal"
    assert "Choose the square again to remove the piece" in page

    assert "Choose a square for the piece on e2" in ann.click("e2")
    ann.click("e4")
    assert board_of(ann)["e4"] == "your pawn"


def test_ghosts_can_be_placed_while_waiting_and_keep_the_draft(ben: Browser) -> None:
    ben.open(f"{ben.path}?list=e7e5&ghost=N")
    ben.click("d4")

    assert ghost_on(ben, "d4") == "knight"
    assert 'name="orders" value="e7e5"' in source(ben)


def test_a_note_has_its_own_form(ann: Browser) -> None:
    page = ann.press("Add note", note="the queen\nis on d8; e2e4")

    assert "Move 1: the queen is on d8; e2e4" in page
    assert board_of(ann)["e2"] == "your pawn"


# ---------------------------------------------------------------- moves that a piece can never make


@pytest.mark.parametrize(
    ("variant", "played", "origin", "target"),
    [
        ("wild16", (), "g1", "g3"),
        ("wild16", (), "f1", "a6"),
        ("wild16", (), "e2", "e5"),
        ("wild16", ("a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "h7h6", "a6a7", "h6h5"), "a7", "h8"),
        ("cincinnati", (), "e1", "e3"),
        ("rbc", ("sense e7",), "b1", "b3"),
    ],
)
def test_the_board_stops_a_move_that_its_piece_can_never_make(
    table: Table, variant: str, played: tuple[str, ...], origin: str, target: str
) -> None:
    table.begin(variant)
    table.play(*played)
    ann = sit_down(table, ANN)
    ann.click(origin)
    page = ann.click(target)

    assert f"The piece on {origin} can't go to {target}." in page
    assert board_of(ann)[origin].startswith("your ")
    assert 'id="answer"' not in source(ann)
    assert 'aria-selected="true"' in source(ann), "it is still in hand"


def test_a_pawn_isnt_dropped_on_the_last_rank(table: Table) -> None:
    table.begin("crazykrieg")
    table.play("e2e4", "d7d5", "e4d5", "g8f6")
    ann = sit_down(table, ANN)
    ann.press("pawn (1)")
    page = ann.click("e8")

    assert "Choose a square for the pawn." in page
    assert 'id="answer"' not in source(ann)


def selectable(page: Browser) -> set[str]:
    """Squares of the pieces that a click selects."""
    return {square for square, seen in board_of(page).items() if seen.startswith("your ")} & {
        *re.findall(r"<button[^>]* name=([a-h][1-8])[ >]", source(page)),
        *re.findall(r'<button[^>]* name="from" value="([a-h][1-8])"', source(page)),
    }


def test_if_pawns_can_capture_only_pawn_captures_are_offered_until_one_fails(table: Table) -> None:
    table.begin("classic")
    table.play("e2e4", "d7d5")
    ann = sit_down(table, ANN)
    assert {"g1", "e1", "e4"} <= selectable(ann)
    ann.press("Ask about captures")
    pawns = {f"{file}2" for file in "abcdfgh"} | {"e4"}
    assert selectable(ann) == pawns
    ann.click("e4")
    assert "The piece on e4 can't go to e5." in ann.click("e5")

    ann.click("f5")
    assert "attempted an illegal move" in source(ann)
    assert "you must try a pawn capture first" not in source(ann)
    assert selectable(ann) == pawns | {f"{file}1" for file in "abcdefgh"}
    ann.click("g1", "f3")
    assert board_of(ann)["f3"] == "your knight"


def test_if_no_pawn_can_capture_no_pawn_capture_is_offered(table: Table) -> None:
    table.begin("classic")
    ann = sit_down(table, ANN)
    ann.press("Ask about captures")
    ann.click("e2")
    assert "The piece on e2 can't go to d3." in ann.click("d3")
    ann.click("e4")

    assert board_of(ann)["e4"] == "your pawn"


@pytest.mark.parametrize(
    ("variant", "before"),
    [
        ("wild16", ()),
        ("wild16", ("e2e4", "d7d5")),
        ("wild16", ("e2e4", "d7d5", "e4d5", "a7a6")),
        ("cincinnati", ()),
        ("cincinnati", ("e2e4", "d7d5")),
        ("classic", ("any?",)),
        ("crazykrieg", ("any?",)),
    ],
)
def test_no_dot_shows_a_pawn_capture_that_the_umpire_ruled_out(
    table: Table, variant: str, before: tuple[str, ...]
) -> None:
    table.begin(variant)
    table.play(*before)
    ann = sit_down(table, ANN)
    page = source(ann)
    can_capture = before == ("e2e4", "d7d5")
    sights = set(re.findall(r'name=h2 data-reach="([^"]*)"', page))
    ann.click("h2")

    assert sights == {"h3 h4 g3" if can_capture else "h3 h4"}
    assert bool(re.search(r">g3, unseen;[^<]* your piece could move here", source(ann))) is can_capture


def test_a_pawn_capture_without_a_dot_may_still_be_planned_for_the_next_turn(ann: Browser) -> None:
    ann.open(f"{ann.path}?list=e2e4/*else:")
    ann.click("h2")

    assert "g3, unseen; your piece could move here" in source(ann)


def test_a_list_for_yes_begins_with_a_pawn_capture_and_then_has_any_move(table: Table) -> None:
    table.begin("classic")
    ann = sit_down(table, ANN)
    ann.open(f"{ann.path}?list=yes:")
    assert "g1" not in selectable(ann)
    ann.click("e2", "d3")
    ann.click("g1", "f3")

    assert "any? yes: e2d3, g1f3" in source(ann)


def test_a_planned_move_may_pass_own_pieces_and_recapture_on_their_squares(ben: Browser) -> None:
    ben.open(f"{ben.path}?list=")
    ben.click("f8", "b4")
    ben.press("a capture on …")
    ben.click("d5")
    ben.open(f"{ben.path}?list=capture d7:/else:f8b4")
    ben.click("b8", "d7")

    assert "if capture d7: b8d7; else f8b4" in source(ben)


@pytest.mark.parametrize("squares", ["g8g6", "f8b5"])
def test_a_planned_list_must_fit_its_pieces_too(ben: Browser, squares: str) -> None:
    ben.open(f"{ben.path}?list=")
    ben.click(squares[:2])

    assert "can't go to" in ben.click(squares[2:])
