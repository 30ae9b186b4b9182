"""Table preferences: each player switches their own marks on the board and the order of the log."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corr.service.players.switches import PAGE_SWITCHES
from tests.server.web.test_table import answer_of, rows_of_log, sit_down
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, Table
from tests.support.twin_servers import make_twins

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
    """A player's browser at the table, with the switches for marks unfolded."""
    page = sit_down(table, player)
    page.press("Marks on the board")
    return page


@pytest.fixture
def ben(begun: Table) -> Browser:
    return at_marks(begun, BEN)


def html_of(page: Browser) -> str:
    return page.answer.get_data(as_text=True)


def switched(page: Browser) -> dict[str, bool]:
    """The switches on a page: text, and whether it is on."""
    found = re.findall(r'role="switch" aria-checked="(\w+)">.*?<span>([^<]+)</span>', html_of(page))
    return {text: state == "true" for state, text in found}


def ticked(page: Browser) -> set[str]:
    """The ticked boxes of the settings."""
    return set(re.findall(r'name="on" value="(\w+)" checked', html_of(page)))


def reached(page: Browser) -> set[str]:
    """The squares that the selected piece can reach, according to the page."""
    return set(re.findall(r">([a-h][1-8]), [^<]*your piece could move here", html_of(page)))


def test_a_mark_is_switched_off_and_on_in_drawing_and_text(ben: Browser) -> None:
    assert ">d5, unseen; your last move; captured here<" in html_of(ben)
    assert '<circle class="ring' in html_of(ben)
    ben.press(CAPTURE)
    assert "captured here" not in html_of(ben)
    assert '<circle class="ring' not in html_of(ben)
    assert switched(ben)[CAPTURE] is False
    ben.press(CAPTURE)

    assert "captured here" in html_of(ben)
    assert switched(ben)[CAPTURE] is True


def test_the_switches_stay_unfolded_until_folded(ben: Browser) -> None:
    ben.press(LAST)
    ben.click("b8")
    assert switched(ben)[LAST] is False
    ben.press("Marks on the board")

    assert switched(ben) == {}


def test_a_switch_holds_at_every_table_and_in_the_settings(begun: Table, ben: Browser) -> None:
    ben.press(LAST)
    begun.begin_by_email()
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
def test_the_table_has_only_the_switches_of_its_variant(table: Table, variant: str, texts: set[str]) -> None:
    table.begin(variant)

    assert {*switched(at_marks(table, ANN))} == texts


def test_the_settings_have_all_switches(ben: Browser) -> None:
    ben.open("/settings/")

    assert html_of(ben).count('type="checkbox"') == len(PAGE_SWITCHES)
    assert ticked(ben) == {each.value for each in PAGE_SWITCHES} - {"oldest"}


def test_recalled_pieces_disappear_once_switched_off(table: Table) -> None:
    table.begin("rbc")
    table.play("sense e7\nd2d4", "sense e2\nd7d5")
    ann = at_marks(table, ANN)
    assert "e7, Black" in html_of(ann)
    ann.press(RECALLED)

    assert ">e7, unseen<" in html_of(ann)
    assert "1 move ago" not in html_of(ann)


def test_the_order_of_the_log_holds_on_every_page(begun: Table, ben: Browser) -> None:
    newest_first = rows_of_log(ben)
    ben.press("oldest first")
    assert rows_of_log(ben) == newest_first[::-1] != newest_first
    ben.open(ben.path)
    assert rows_of_log(ben) == newest_first[::-1]
    assert rows_of_log(sit_down(begun, BEN)) == newest_first[::-1]
    ben.press("newest first")

    assert rows_of_log(ben) == newest_first


def test_the_whole_log_stays_whole_when_reversed(table: Table) -> None:
    table.begin()
    table.play(*(f"{file}{step}" for file in "abcdefgh" for step in (f"2{file}3", f"7{file}6")))
    ann = sit_down(table, ANN)
    ann.open(f"{ann.path}?log=whole")
    whole = rows_of_log(ann)
    ann.press("oldest first")

    assert rows_of_log(ann) == whole[::-1]


# ---------------------------------------------------------------- reach of the selected piece


def test_the_reach_of_a_piece_is_shown_unless_switched_off(begun: Table, ben: Browser) -> None:
    ben.press(REACH)
    ben.click("b8")
    assert reached(ben) == set()
    ben.press(REACH)
    ben.click("b8")
    assert reached(ben) == {"a6", "c6", "d7"}
    assert "The piece on b8 can reach a6, c6 and d7." in ben.open(f"{ben.path}?from=b8")
    ben.click("d8")
    assert reached(ben) == {"d7", "d6", "d5", "d4", "d3", "d2", "d1"}
    ben.click("h7")

    assert reached(ben) == {"h6", "h5"}


def test_a_drop_reaches_every_square_without_an_own_piece(table: Table) -> None:
    table.begin("crazykrieg")
    table.play("e2e4", "d7d5", "e4d5", "g8f6")
    ann = at_marks(table, ANN)
    ann.press("pawn (1)")

    assert {"e4", "e3", "a7", "h3"} <= reached(ann)
    assert not {"a1", "e8", "d5", "d2"} & reached(ann)


def test_twins_show_the_same_reach(table: Table, tmp_path: Path) -> None:
    table.begin()
    table.play("e2e4", "e7e5")
    ann = at_marks(table, ANN)
    ann.send("d2d4")
    twins = make_twins(table, tmp_path / "twins", ann)
    for twin, order in ((twins.one, "g8f6"), (twins.other, "b8c6")):
        twin.table.reply(BEN, order)
    for origin in ("f1", "d1", "d4", "b1", "e1"):
        one, other = twins.answers(f"{ann.path}?from={origin}")
        assert one == other
        assert b"your piece could move here" in one
    twins.close()


# ---------------------------------------------------------------- other people


def test_one_sides_switches_do_not_change_the_other_sides_page(begun: Table, ben: Browser) -> None:
    ann = sit_down(begun, ANN)
    before = answer_of(ann)
    for text in (CAPTURE, LAST, REACH, "oldest first"):
        ben.press(text)

    assert answer_of(ann) == before


def test_an_unknown_switch_is_refused(ben: Browser) -> None:
    sent = {"csrf": ben.csrf, "switch": "everything off"}
    answer = ben.client.post(f"{ben.path}/switch", data=sent, follow_redirects=True)
    assert "one of the choices" in answer.get_data(as_text=True)

    assert switched(ben)[LAST] is True


def test_a_stranger_is_asked_to_sign_in(begun: Table, ben: Browser) -> None:
    stranger = Browser(begun.app())
    stranger.open("/sign-in")
    answer = stranger.client.post(f"{ben.path}/switch", data={"csrf": stranger.csrf, "switch": "last off"})

    assert answer.headers["Location"] == "/sign-in"
