"""What stands on the board, and how the log runs, is switched beside it or in the settings, by its player alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corr.service.players.switches import PAGE_SWITCHES
from tests.server.web.test_table import answer_of, rows_of_log, sit_down
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, Table
from tests.support.twin_servers import parted

CAPTURE, LAST, REACH = (
    "Announced captures",
    "Your last move",
    "Where a piece could move",
)
CHECK = "Checks: your king, and where the check may come from"
TRIES, RECALLED = "Possible pawn tries", "What you saw earlier, and how long ago"
SENSED, OLDEST = "What you sensed this turn", "Log from oldest to newest"


@pytest.fixture
def begun(table: Table) -> Table:
    table.begin()
    table.play("e2e4", "d7d5", "e4d5")
    return table


def at_marks(table: Table, player: str) -> Browser:
    """A player's browser at the table, where the switches of the marks are unfolded."""
    page = sit_down(table, player)
    page.press("Marks on the board")
    return page


@pytest.fixture
def bens(begun: Table) -> Browser:
    return at_marks(begun, BEN)


def html_of(page: Browser) -> str:
    return page.answer.get_data(as_text=True)


def switched(page: Browser) -> dict[str, bool]:
    """The switches on a page, and which are on."""
    found = re.findall(r'role="switch" aria-checked="(\w+)">.*?<span>([^<]+)</span>', html_of(page))
    return {text: state == "true" for state, text in found}


def ticked(page: Browser) -> set[str]:
    """Which boxes of the settings are ticked."""
    return set(re.findall(r'name="on" value="(\w+)" checked', html_of(page)))


def reached(page: Browser) -> set[str]:
    """The squares that are said to be in reach of the man in hand."""
    return set(re.findall(r">([a-h][1-8]), [^<]*your piece could move here", html_of(page)))


def test_a_mark_is_taken_off_the_board_and_out_of_its_words_and_put_back(bens: Browser) -> None:
    assert ">d5, unseen; your last move; captured here<" in html_of(bens)
    assert '<circle class="ring' in html_of(bens)
    bens.press(CAPTURE)
    assert "captured here" not in html_of(bens)
    assert '<circle class="ring' not in html_of(bens)
    assert switched(bens)[CAPTURE] is False
    bens.press(CAPTURE)

    assert "captured here" in html_of(bens)
    assert switched(bens)[CAPTURE] is True


def test_the_switches_stay_unfolded_until_they_are_folded(bens: Browser) -> None:
    bens.press(LAST)
    bens.click("b8")
    assert switched(bens)[LAST] is False
    bens.press("Marks on the board")

    assert switched(bens) == {}


def test_what_is_switched_holds_at_every_table_and_stands_in_the_settings(
    begun: Table, bens: Browser
) -> None:
    bens.press(LAST)
    begun.begin_anew()
    begun.play("e2e4", "e7e5")
    another = at_marks(begun, BEN)
    assert switched(another)[LAST] is False
    assert "your last move" not in html_of(another)
    another.open("/settings/")
    assert ticked(another) == {each.value for each in PAGE_SWITCHES} - {"last", "oldest"}
    assert "Appearance saved" in another.press("Save appearance", on=[*ticked(another), "last"])

    assert switched(at_marks(begun, BEN))[LAST] is True


@pytest.mark.parametrize(
    ("variant", "texts"),
    {
        "wild16": {LAST, CAPTURE, CHECK, TRIES, REACH},
        "cincinnati": {LAST, CAPTURE, CHECK, TRIES, REACH},
        "rbc": {LAST, CAPTURE, SENSED, RECALLED, REACH},
    }.items(),
)
def test_beside_the_board_stands_what_its_variant_has(table: Table, variant: str, texts: set[str]) -> None:
    table.begin(variant)

    assert {*switched(at_marks(table, ANN))} == texts


def test_in_the_settings_stands_all_that_any_has(bens: Browser) -> None:
    bens.open("/settings/")

    assert html_of(bens).count('type="checkbox"') == len(PAGE_SWITCHES)
    assert ticked(bens) == {each.value for each in PAGE_SWITCHES} - {"oldest"}


def test_what_was_seen_earlier_is_fog_once_that_is_switched_off(table: Table) -> None:
    table.begin("rbc")
    table.play("sense e7\nd2d4", "sense e2\nd7d5")
    anns = at_marks(table, ANN)
    assert "e7, Black" in html_of(anns)
    anns.press(RECALLED)

    assert ">e7, unseen<" in html_of(anns)
    assert "1 move ago" not in html_of(anns)


def test_the_log_runs_as_its_player_likes_wherever_it_is_read(begun: Table, bens: Browser) -> None:
    newest_first = rows_of_log(bens)
    bens.press("oldest first")
    assert rows_of_log(bens) == newest_first[::-1] != newest_first
    bens.open(bens.at)
    assert rows_of_log(bens) == newest_first[::-1]
    assert rows_of_log(sit_down(begun, BEN)) == newest_first[::-1]
    bens.press("newest first")

    assert rows_of_log(bens) == newest_first


def test_the_whole_log_stays_whole_when_it_is_turned_round(table: Table) -> None:
    table.begin()
    table.play(*(f"{file}{step}" for file in "abcdefgh" for step in (f"2{file}3", f"7{file}6")))
    anns = sit_down(table, ANN)
    anns.open(f"{anns.at}?log=whole")
    whole = rows_of_log(anns)
    anns.press("oldest first")

    assert rows_of_log(anns) == whole[::-1]


# ---------------------------------------------------------------- a man in hand


def test_a_man_in_hand_shows_where_he_could_go_unless_his_player_does_not_want_it(
    begun: Table, bens: Browser
) -> None:
    bens.press(REACH)
    bens.click("b8")
    assert reached(bens) == set()
    bens.press(REACH)
    bens.click("b8")
    assert reached(bens) == {"a6", "c6", "d7"}
    assert "The piece on b8 can reach a6, c6 and d7." in bens.open(f"{bens.at}?from=b8")
    bens.click("d8")
    assert reached(bens) == {"d7", "d6", "d5", "d4", "d3", "d2", "d1"}
    bens.click("h7")

    assert reached(bens) == {"h6", "h5"}


def test_a_man_that_is_dropped_reaches_every_square_without_a_man_of_ones_own(table: Table) -> None:
    table.begin("crazykrieg")
    table.play("e2e4", "d7d5", "e4d5", "g8f6")
    anns = at_marks(table, ANN)
    anns.press("pawn (1)")

    assert {"e4", "e3", "a7", "h3"} <= reached(anns)
    assert not {"a1", "e8", "d5", "d2"} & reached(anns)


def test_two_truths_that_look_alike_show_the_same_reach(table: Table, tmp_path: Path) -> None:
    table.begin()
    table.play("e2e4", "e7e5")
    anns = at_marks(table, ANN)
    anns.send("d2d4")
    twins = parted(table, tmp_path / "twins", anns)
    for twin, order in ((twins.one, "g8f6"), (twins.other, "b8c6")):
        twin.table.reply(BEN, order)
    for origin in ("f1", "d1", "d4", "b1", "e1"):
        one, other = twins.answers(f"{anns.at}?from={origin}")
        assert one == other
        assert b"your piece could move here" in one
    twins.close()


# ---------------------------------------------------------------- nobody else


def test_what_one_side_switches_leaves_the_other_sides_page_as_it_was(begun: Table, bens: Browser) -> None:
    anns = sit_down(begun, ANN)
    before = answer_of(anns)
    for text in (CAPTURE, LAST, REACH, "oldest first"):
        bens.press(text)

    assert answer_of(anns) == before


def test_there_is_no_other_switch_to_press(bens: Browser) -> None:
    sent = {"csrf": bens.csrf, "switch": "everything off"}
    answer = bens.client.post(f"{bens.at}/switch", data=sent, follow_redirects=True)
    assert "one of the choices" in answer.get_data(as_text=True)

    assert switched(bens)[LAST] is True


def test_who_is_not_let_in_is_asked_to_sign_in(begun: Table, bens: Browser) -> None:
    stranger = Browser(begun.app())
    stranger.open("/sign-in")
    answer = stranger.client.post(f"{bens.at}/switch", data={"csrf": stranger.csrf, "switch": "last off"})

    assert answer.headers["Location"] == "/sign-in"
