"""What is made up by clicks, without scripts: lists of tries, orders for the next turn, ghosts and notes."""

from __future__ import annotations

import re

import pytest

from tests.server.web.test_table import KEPT, anns, answer_of, begun, bens, board_of, sit_down
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, Table

__all__ = ["anns", "begun", "bens"]

EARLIER, OFF = "\u2039", "\u00d7"


def ghost_on(page: Browser, square: str) -> str:
    """What somebody imagines there."""
    found = re.search(rf">{square}, unseen; your ghost: an? (\w+)", offered(page))
    return found[1] if found else ""


def planned(page: Browser) -> set[str]:
    """The squares of the moves that are ordered for the next turn."""
    return set(re.findall(r">([a-h][1-8]), [^<]*a move you plan ends here", offered(page)))


def offered(page: Browser) -> str:
    return page.answer.get_data(as_text=True)


def test_a_list_is_chosen_move_by_move_and_sent_as_one(anns: Browser) -> None:
    anns.press("A list of tries")
    anns.click("e2", "d3")
    anns.click("d2", "d4")
    page = anns.press("Send to the umpire")

    assert 'You played "d2d4"' in page or "Your move has been made" in page
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
        ("yes:e4d5.c4d5/no:g1f3", "any? yes: e4d5, c4d5 / no: g1f3"),
        ("no:g1f3", "any? no: g1f3"),
        ("yes:/no:g1f3", "any? no: g1f3"),
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


def test_while_waiting_two_clicks_order_the_next_move_and_one_takes_it_back(
    table: Table, bens: Browser
) -> None:
    bens.click("e7")
    assert KEPT in bens.click("e5")
    assert planned(bens) == {"e5"}
    bens.press("Delete these orders")
    assert planned(bens) == set()
    bens.click("d7", "d5")
    table.reply(ANN, "e2e4")

    assert "Your orders for next turn" not in bens.open(bens.at)
    assert board_of(bens)["d5"].startswith("your pawn")
    assert "White is to move" in offered(bens)


def test_a_move_planned_on_a_page_that_is_out_of_date_isnt_tried(table: Table, bens: Browser) -> None:
    bens.click("e7")
    table.reply(ANN, "d2d4")
    page = bens.click("e5")

    assert "so I did nothing" in page
    assert board_of(bens)["e7"].startswith("your pawn")


def test_a_planned_move_is_stopped_where_its_piece_never_goes(bens: Browser) -> None:
    bens.click("g8")

    assert "The piece on g8 can't go to g6." in bens.click("g6")
    assert planned(bens) == set()


def test_a_planned_drop_is_ordered_from_the_reserve(table: Table) -> None:
    table.begin("crazykrieg")
    table.play("e2e4", "d7d5", "e4d5", "g8f6", "a2a3")
    table.play("f6d5")
    anns = sit_down(table, ANN)
    anns.send("b1c3")
    anns.press("pawn (1)")
    anns.click("e4")

    assert planned(anns) == {"e4"}


@pytest.mark.parametrize("variant", ["rbc"])
def test_while_waiting_nothing_is_planned_where_a_refused_order_ends_the_turn(
    table: Table, variant: str
) -> None:
    table.begin(variant)
    bens = sit_down(table, BEN)

    assert takeable(bens) == set()


def test_what_one_side_plans_leaves_the_other_sides_page_as_it_was(table: Table, bens: Browser) -> None:
    anns = sit_down(table, ANN)
    before = answer_of(anns)
    bens.click("e7", "e5")

    assert answer_of(anns) == before


def test_the_next_turn_is_ordered_by_clicks(bens: Browser) -> None:
    bens.press("Plan my next turn")
    bens.click("e7", "e5")

    assert KEPT in bens.press("Send to the umpire")


def test_it_hangs_on_what_the_umpire_will_say(bens: Browser) -> None:
    bens.press("Plan my next turn")
    bens.press("a capture on …")
    bens.click("d5")
    bens.click("e6", "d5") if board_of(bens)["e6"].startswith("your") else bens.click("e7", "d6")
    page = bens.press("Send to the umpire")

    assert "Saved for your next turn" in page
    assert "if capture d5: e7d6" in page


def test_who_is_told_that_a_pawn_can_capture_reads_that_it_has_to_be_tried(table: Table) -> None:
    due = "One of your pawns can capture, so you must try a pawn capture first."
    table.begin("classic")
    table.play("e2e4", "d7d5")
    page = sit_down(table, ANN)
    assert due not in page.open(page.at)

    assert due in page.press("Ask about captures")
    page.send("e4d5")

    assert due not in page.open(page.at)


@pytest.mark.parametrize(
    ("variant", "can", "cannot"),
    [
        ("wild16", ("pawn tries", "check by a knight", "a capture on …"), ()),
        ("assassin", ("a capture on …", "check on the row"), ("check by a knight", "pawn tries")),
        ("classic", ("check by a knight", "check on the large diagonal"), ("no pawn tries",)),
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


def test_what_it_hangs_on_is_joined_by_and(bens: Browser) -> None:
    bens.press("Plan my next turn")
    bens.press("a capture on …")
    bens.click("e4")
    bens.press("no check")
    bens.press("a check")
    bens.press("pawn tries")
    bens.click("d7", "e6")

    assert "if capture e4 and check and tries&gt;0: d7e6" in offered(bens)


def test_what_is_taken_off_again_is_not_waited_for(bens: Browser) -> None:
    bens.open(f"{bens.at}?list=capture,check:e7e5")
    bens.press("a check")

    assert "if capture: e7e5" in offered(bens)


def test_two_lines_of_a_double_check_may_be_said_together(bens: Browser) -> None:
    bens.open(f"{bens.at}?list=check rank:e7e5")
    bens.press("check by a knight")

    assert "if check rank and check knight: e7e5" in offered(bens)


def test_whatever_else_is_said_something_else_is_tried(bens: Browser) -> None:
    bens.press("Plan my next turn")
    bens.press("a capture")
    bens.click("d7", "e6")
    bens.press("else")
    bens.click("e7", "e5")
    bens.click("d7", "d5")
    page = bens.press("Send to the umpire")

    assert "if capture: d7e6; else e7e5, d7d5" in page
    assert KEPT.partition(",")[0] in page


def test_several_branches_keep_their_order_and_else_comes_last(bens: Browser) -> None:
    bens.open(f"{bens.at}?list=else:e7e5/check:d7d6/*capture:d7e6")
    bens.press("else")
    bens.press("no capture")
    bens.press("else")
    bens.click("a7", "a6")

    assert "if check: d7d6; if capture: d7e6; if no capture: e7e5; else a7a6" in offered(bens)


def test_a_move_and_what_follows_it_are_sent_as_one(table: Table) -> None:
    table.begin()
    anns = sit_down(table, ANN)
    anns.press("A list of tries")
    anns.click("e2", "e4")
    anns.press("next turn, if …")
    assert "Choose a condition, then your moves for it" in offered(anns)
    anns.press("a capture on …")
    anns.click("e4")
    anns.click("d2", "d3")
    anns.click("d2", "e3")
    page = anns.press("Send to the umpire")

    assert board_of(anns)["e4"] == "your pawn"
    assert "if capture e4: d2d3, d2e3" in page
    table.reply(BEN, "d7d5")
    assert "if capture e4: d2d3, d2e3" in table.says(ANN)


def test_a_man_goes_on_from_where_this_turns_move_takes_him(anns: Browser) -> None:
    anns.open(f"{anns.at}?list=e2e4/*capture d5:")
    anns.click("e4", "d5")

    assert "e2e4\nif capture d5: e4d5" in offered(anns)


def test_what_follows_is_not_sent_without_a_move_of_this_turn_or_without_a_condition(anns: Browser) -> None:
    for made_up in ("capture:e2e4", "e2e4/else:d2d4", "e2e4/capture on:d2d4"):
        anns.open(f"{anns.at}?list={made_up}")

        assert "Send what you've written" not in offered(anns)


@pytest.mark.parametrize(("tries", "turn"), [("e2e4", "Black is to move"), ("e2e5", "Your turn")])
def test_what_is_half_made_for_the_next_turn_stays_when_the_list_is_sent(
    anns: Browser, tries: str, turn: str
) -> None:
    page = anns.open(f"{anns.at}?list={tries}/*capture,check:")
    assert (
        "“if a capture and a check” has no move yet, so it stays here and isn't sent with the rest." in page
    )
    page = anns.press("Send to the umpire")

    assert turn in page
    assert "has no move yet" not in page
    assert re.search('aria-pressed="true"[^>]*>(next turn, )?if a capture and a check<', offered(anns))


def test_lists_after_any_may_be_followed_too(table: Table) -> None:
    table.begin(variant="classic")
    anns = sit_down(table, ANN)
    anns.open(f"{anns.at}?list=yes:e2d3/no:e2e4/capture e4:d2d3/else:g1f3")

    assert "any? yes: e2d3 / no: e2e4\nif capture e4: d2d3; else g1f3" in offered(anns)


@pytest.mark.parametrize("variant", ["rbc", "welbeck"])
def test_nothing_follows_where_this_umpire_keeps_nothing(table: Table, variant: str) -> None:
    table.begin(variant=variant)
    table.deploy()
    anns = sit_down(table, ANN)
    anns.open(f"{anns.at}?list=e2e4/capture:d2d4")

    assert ("if capture: d2d4" in offered(anns)) is (variant == "welbeck")


# ---------------------------------------------------------------- beside the game


def test_a_ghost_is_put_where_nothing_is_seen_and_taken_away_again(anns: Browser) -> None:
    anns.press("", ghost="Q")
    anns.click("d8")
    assert ghost_on(anns, "d8") == "queen"
    anns.click("e5")
    assert ghost_on(anns, "e5") == "queen"

    anns.click("d8")
    assert ghost_on(anns, "d8") == ""


def test_who_has_a_ghost_in_hand_may_take_up_a_man_instead(anns: Browser) -> None:
    anns.press("", ghost="Q")
    page = anns.click("d8")
    assert 'class="news answer"' in offered(anns), "a ghost is no refusal"
    assert "Choose the square again to remove the piece" in page

    assert "Choose a square for the piece on e2" in anns.click("e2")
    anns.click("e4")
    assert board_of(anns)["e4"] == "your pawn"


def test_ghosts_are_put_while_the_other_side_is_to_move_and_keep_what_is_made_up(bens: Browser) -> None:
    bens.open(f"{bens.at}?list=e7e5&ghost=N")
    bens.click("d4")

    assert ghost_on(bens, "d4") == "knight"
    assert 'name="orders" value="e7e5"' in offered(bens)


def test_a_note_is_written_in_its_own_place(anns: Browser) -> None:
    page = anns.press("Add note", note="the queen\nis on d8; e2e4")

    assert "Move 1: the queen is on d8; e2e4" in page
    assert board_of(anns)["e2"] == "your pawn"


# ---------------------------------------------------------------- where no piece of its kind goes


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
def test_a_square_that_the_pieces_pattern_never_reaches_is_stopped_at_the_board(
    table: Table, variant: str, played: tuple[str, ...], origin: str, target: str
) -> None:
    table.begin(variant)
    table.play(*played)
    anns = sit_down(table, ANN)
    anns.click(origin)
    page = anns.click(target)

    assert f"The piece on {origin} can't go to {target}." in page
    assert board_of(anns)[origin].startswith("your ")
    assert 'id="answer"' not in offered(anns)
    assert 'aria-selected="true"' in offered(anns), "it is still in hand"


def test_a_pawn_isnt_dropped_on_the_last_rank(table: Table) -> None:
    table.begin("crazykrieg")
    table.play("e2e4", "d7d5", "e4d5", "g8f6")
    anns = sit_down(table, ANN)
    anns.press("pawn (1)")
    page = anns.click("e8")

    assert "Choose a square for the pawn." in page
    assert 'id="answer"' not in offered(anns)


def takeable(page: Browser) -> set[str]:
    """The pieces that a click takes up."""
    return {square for square, seen in board_of(page).items() if seen.startswith("your ")} & {
        *re.findall(r"<button[^>]* name=([a-h][1-8])[ >]", offered(page)),
        *re.findall(r'<button[^>]* name="from" value="([a-h][1-8])"', offered(page)),
    }


def test_after_try_only_pawn_captures_are_offered_until_one_has_failed(table: Table) -> None:
    table.begin("classic")
    table.play("e2e4", "d7d5")
    anns = sit_down(table, ANN)
    assert {"g1", "e1", "e4"} <= takeable(anns)
    anns.press("Ask about captures")
    pawns = {f"{file}2" for file in "abcdfgh"} | {"e4"}
    assert takeable(anns) == pawns
    anns.click("e4")
    assert "The piece on e4 can't go to e5." in anns.click("e5")

    anns.click("f5")
    assert "attempted an illegal move" in offered(anns)
    assert "you must try a pawn capture first" not in offered(anns)
    assert takeable(anns) == pawns | {f"{file}1" for file in "abcdefgh"}
    anns.click("g1", "f3")
    assert board_of(anns)["f3"] == "your knight"


def test_after_no_no_pawn_capture_is_offered(table: Table) -> None:
    table.begin("classic")
    anns = sit_down(table, ANN)
    anns.press("Ask about captures")
    anns.click("e2")
    assert "The piece on e2 can't go to d3." in anns.click("d3")
    anns.click("e4")

    assert board_of(anns)["e4"] == "your pawn"


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
def test_no_dot_shows_a_pawn_capture_that_the_umpires_words_rule_out(
    table: Table, variant: str, before: tuple[str, ...]
) -> None:
    table.begin(variant)
    table.play(*before)
    anns = sit_down(table, ANN)
    page = offered(anns)
    can_capture = before == ("e2e4", "d7d5")
    sights = set(re.findall(r'name=h2 data-reach="([^"]*)"', page))
    anns.click("h2")

    assert sights == {"h3 h4 g3" if can_capture else "h3 h4"}
    assert bool(re.search(r">g3, unseen;[^<]* your piece could move here", offered(anns))) is can_capture


def test_a_pawn_capture_without_a_dot_may_still_be_planned_for_the_next_turn(anns: Browser) -> None:
    anns.open(f"{anns.at}?list=e2e4/*else:")
    anns.click("h2")

    assert "g3, unseen; your piece could move here" in offered(anns)


def test_a_list_for_try_begins_with_a_pawn_capture_and_goes_on_with_anything(table: Table) -> None:
    table.begin("classic")
    anns = sit_down(table, ANN)
    anns.open(f"{anns.at}?list=yes:")
    assert "g1" not in takeable(anns)
    anns.click("e2", "d3")
    anns.click("g1", "f3")

    assert "any? yes: e2d3, g1f3" in offered(anns)


def test_for_the_next_turn_a_piece_may_pass_ones_own_and_take_back_on_their_square(bens: Browser) -> None:
    bens.open(f"{bens.at}?list=")
    bens.click("f8", "b4")
    bens.press("a capture on …")
    bens.click("d5")
    bens.open(f"{bens.at}?list=capture d7:/else:f8b4")
    bens.click("b8", "d7")

    assert "if capture d7: b8d7; else f8b4" in offered(bens)


@pytest.mark.parametrize("squares", ["g8g6", "f8b5"])
def test_the_pattern_holds_for_the_next_turn_too(bens: Browser, squares: str) -> None:
    bens.open(f"{bens.at}?list=")
    bens.click(squares[:2])

    assert "can't go to" in bens.click(squares[2:])
