"""Whole games of every variant at the table, in a real browser: by clicks, by keyboard alone, and without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from games import GAMES
from open_house import OpenHouse
from table import ANN, BEN, Table
from windows import Windows

from corr.desk import proposals, signing
from corr.words import SQUARES, Man, Pair, Side

if TYPE_CHECKING:
    from playwright.sync_api import Page

_ORDER = re.compile(
    r"(?P<any>any\?)|deploy (?P<set_up>\w+)|sense (?P<sensed>none|[a-h][1-8])"
    r"|(?P<man>[PNBRQ])@(?P<onto>[a-h][1-8])|(?P<move>[a-h][1-8][a-h][1-8])|(?P<word>pass)"
)
_MEN = {man.letter: str(man) for man in Man}


@dataclass
class Seat:
    """Somebody at their table in a window of the browser."""

    window: Page
    address: str
    choose: Callable[[Page, str], None]  # a square of the board
    press: Callable[[Page, str], None]  # a button by what stands on it

    def look(self) -> str:
        """What stands on the page now."""
        self.window.goto(self.address)
        return self.window.locator("#main").inner_text()

    def order(self, *squares: str, button: str = "") -> None:
        """Choose squares or press a button, and wait until the umpire has answered."""
        before = self.window.locator("#play [name=stamp]").get_attribute("value")
        for square in squares:
            self.choose(self.window, square)
        if button:
            self.press(self.window, button)
        self.window.locator(f'#play [name=stamp]:not([value="{before}"])').wait_for(state="attached")

    def play(self, letter: str) -> None:
        """Do on the page what somebody else has written in a letter."""
        asked, _, branches = letter.partition(" yes: ")
        for found in _ORDER.finditer(asked):
            self._play(found)
        if branches:
            yes, _, no = branches.partition(" / no: ")
            tried = self.window.locator("#answer").inner_text()
            self.play(yes if "Any?: Try" in tried else no)

    def _play(self, found: re.Match[str]) -> None:
        order = found.groupdict()
        match found.lastgroup:
            case "move":
                self.order(order["move"][:2], order["move"][2:])
            case "onto":
                self.press(self.window, f"{_MEN[order['man']]} (")
                self.window.locator("#how", has_text="Choose the square where").wait_for()
                self.order(order["onto"])
            case "set_up":
                self.press(self.window, order["set_up"])
                self.window.get_by_role("button", name="Deploy these men").wait_for()
                self.order(button="Deploy these men")
            case "sensed" if order["sensed"] != "none":
                self.order(order["sensed"])
            case _:
                self.order(button=found[0])


def by_click(window: Page, square: str) -> None:
    window.locator(f"[data-square={square}]").click()


def press_by_click(window: Page, name: str) -> None:
    _button(window, name).click()


def _button(window: Page, name: str) -> object:
    return window.get_by_role("button", name=name).first


def by_keys(window: Page, square: str) -> None:
    """Come to the board by Tab and to a square by the arrow keys alone."""
    window.locator(".grid [tabindex='0']").wait_for()
    tab_to(window, "document.activeElement.closest('.grid') !== null")
    names = window.locator(".grid button").evaluate_all("all => all.map(each => each.dataset.square)")
    now, wanted = (
        names.index(window.evaluate("document.activeElement.dataset.square")),
        names.index(square),
    )
    for key, steps in (("Down", wanted // 8 - now // 8), ("Right", wanted % 8 - now % 8)):
        opposite = {"Down": "Up", "Right": "Left"}[key]
        for _ in range(abs(steps)):
            window.keyboard.press(f"Arrow{key if steps > 0 else opposite}")
    assert window.evaluate("document.activeElement.dataset.square") == square
    window.keyboard.press("Enter")


def press_by_keys(window: Page, name: str) -> None:
    tab_to(window, f"document.activeElement.textContent.startsWith({name!r})")
    window.keyboard.press("Enter")


def tab_to(window: Page, wanted: str) -> None:
    """Press Tab until something holds of what has the focus."""
    for _ in range(60):
        if window.evaluate(wanted):
            return
        window.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes where {wanted}")


#: How somebody plays: with scripts or without, and how squares and buttons are chosen.
WAYS = {
    "by clicks": (True, by_click, press_by_click),
    "by keyboard": (True, by_keys, press_by_keys),
    "without scripts": (False, by_click, press_by_click),
}


def begin(table: Table, variant: str) -> str:
    """A game that is offered to both; its code."""
    return proposals.propose(table.house, Pair(ANN, BEN), variant, "3d", table.house.now())


def cookie_of(table: Table, player: str) -> str:
    """The cookie of somebody who was let in."""
    client = table.app().test_client()
    with client.session_transaction() as kept:
        kept["in"] = signing.let_in_by_house(table.house, player, table.house.now()).secret
    cookie = client.get_cookie("corr")
    assert cookie
    return cookie.value


@pytest.fixture
def seated(open_house: OpenHouse, windows: Windows) -> Iterator[Callable[[str, str], Pair[Seat]]]:
    """Both players at the table of a new game, which they have accepted."""
    with ExitStack() as stack:

        def sit(variant: str, way: str) -> Pair[Seat]:
            scripts, choose, press = WAYS[way]
            code = begin(open_house.table, variant)
            pages = [
                stack.enter_context(windows.of(cookie_of(open_house.table, player), scripts=scripts))
                for player in (ANN, BEN)
            ]
            seats = Pair(*(Seat(page, f"/games/{code}", choose, press) for page in pages))
            for side in Side:
                seats[side].look()
                seats[side].order(button="Accept")
            return seats

        yield sit


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("variant", GAMES)
def test_a_whole_game_is_played(seated: Callable[[str, str], Pair[Seat]], variant: str, way: str) -> None:
    seats = seated(variant, way)
    for number, letter in enumerate(GAMES[variant].letters):
        seat = seats[tuple(Side)[number % 2]]
        seat.look()
        seat.play(letter)

    for side in Side:
        assert GAMES[variant].end in seats[side].look()
        assert seats[side].window.locator(".grid .unseen").count() == 0


def test_a_man_is_dragged_to_its_square(seated: Callable[[str, str], Pair[Seat]]) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    anns.window.drag_and_drop("[data-square=e2]", "[data-square=e4]")
    anns.window.get_by_text("Black is to move").wait_for()

    assert anns.window.locator("[data-square=e4]").get_attribute("aria-label") == "e4, your pawn"


def test_a_man_that_is_in_hand_already_is_dragged_all_the_same(
    seated: Callable[[str, str], Pair[Seat]],
) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    by_click(anns.window, "g1")
    anns.window.locator("[aria-selected] [data-square=g1]").wait_for()
    anns.window.drag_and_drop("[data-square=g1]", "[data-square=f3]")
    anns.window.get_by_text("Black is to move").wait_for()

    assert anns.window.locator("[data-square=f3]").get_attribute("aria-label") == "f3, your knight"


def test_whoever_clicks_faster_than_the_umpire_answers_loses_no_click(
    seated: Callable[[str, str], Pair[Seat]],
) -> None:
    """The clicks of one moment: a man, another one instead, and where that one goes."""
    anns = seated("wild16", "by clicks").white
    anns.look()
    anns.window.evaluate(
        "for (const name of ['e2', 'd2', 'd4']) document.querySelector(`[data-square=${name}]`).click()"
    )
    anns.window.get_by_text("Black is to move").wait_for()

    assert anns.window.locator("[data-square=d4]").get_attribute("aria-label") == "d4, your pawn"


def test_a_button_that_is_pressed_twice_acts_once(seated: Callable[[str, str], Pair[Seat]]) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    anns.window.get_by_role("button", name="Offer a draw").click()
    anns.window.get_by_role("button", name="Yes, offer a draw").evaluate(
        "each => { each.click(); each.click(); }"
    )
    anns.window.get_by_text("Your offer of a draw stands").wait_for()

    assert anns.window.locator("#answer .wrote").count() == 1


def test_news_comes_by_itself_and_is_said_aloud(seated: Callable[[str, str], Pair[Seat]]) -> None:
    seats = seated("wild16", "by clicks")
    for side in Side:
        seats[side].look()
    seats.white.order("e2", "e4")
    seats.black.window.get_by_text("Your turn: move by").wait_for()

    assert "Black's move" in seats.black.window.locator("body > [role=status]").inner_text()


def test_what_is_being_written_survives_the_news(seated: Callable[[str, str], Pair[Seat]]) -> None:
    seats = seated("wild16", "by clicks")
    for side in Side:
        seats[side].look()
    seats.black.window.get_by_label("Write your orders").fill("e7e5")
    seats.black.window.keyboard.press("ArrowLeft")
    seats.white.order("e2", "e4")
    seats.black.window.get_by_text("Your turn: move by").wait_for()
    seats.black.window.keyboard.type("6, e7e")

    assert seats.black.window.get_by_label("Write your orders").input_value() == "e7e6, e7e5"


def test_a_man_in_hand_is_said_aloud_and_put_back_by_escape(seated: Callable[[str, str], Pair[Seat]]) -> None:
    anns = seated("wild16", "by keyboard").white
    anns.look()
    by_keys(anns.window, "g1")
    voice = anns.window.locator("body > [role=status]")
    voice.get_by_text("Choose where the man on g1 goes, or another man.").wait_for()
    assert anns.window.evaluate("document.activeElement.dataset.square") == "g1"
    anns.window.keyboard.press("Escape")
    voice.get_by_text("Choose a man of yours, then its square.").wait_for()

    assert anns.window.locator("[aria-selected]").count() == 0


def test_why_something_is_not_taken_is_said_and_what_was_written_stays(
    seated: Callable[[str, str], Pair[Seat]], windows: Windows
) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    anns.window.evaluate("document.querySelectorAll('[name=csrf]').forEach(each => each.value = 'old')")
    anns.window.get_by_label("Write your orders").fill("e2e4")
    anns.window.get_by_role("button", name="Send to the umpire").click()

    assert "was made before you signed in or out" in anns.window.get_by_role("alert").inner_text()
    assert anns.window.get_by_label("Write your orders").input_value() == "e2e4"
    assert [each[:3] for each in windows.troubles] == ["400"]
    windows.troubles.clear()


def test_each_square_is_a_button_that_says_what_stands_there(
    seated: Callable[[str, str], Pair[Seat]],
) -> None:
    anns = seated("wild16", "without scripts").white
    anns.look()
    named = (
        anns.window.get_by_role("gridcell")
        .get_by_role("button")
        .evaluate_all("all => all.map(each => each.getAttribute('aria-label').slice(0, 2))")
    )

    assert sorted(named) == sorted(SQUARES)


def test_a_page_that_cannot_reach_the_umpire_says_so(seated: Callable[[str, str], Pair[Seat]]) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    anns.window.route("**/games/*", lambda route: route.abort())
    for square in ("e2", "e4"):
        by_click(anns.window, square)

    assert "could not be reached" in anns.window.get_by_role("alert").inner_text()


def test_men_are_set_up_one_by_one_with_keys_alone(seated: Callable[[str, str], Pair[Seat]]) -> None:
    anns = seated("welbeck", "by keyboard").white
    anns.look()
    for man, squares in (
        ("king", "e1"),
        ("queen", "d1"),
        ("rook", "a1 h1"),
        ("bishop", "c1 f1"),
        ("knight", "b1 g1"),
        ("pawn", "a2 b2 c2 d2 e2 f2 g2 h2"),
    ):
        press_by_keys(anns.window, f"{man} (")
        for square in squares.split():
            by_keys(anns.window, square)
            anns.window.locator(f'[data-square={square}][aria-label="{square}, your {man}"]').wait_for()
    anns.order(button="Deploy these men")

    assert "Your set-up is sealed" in anns.window.locator("#answer").inner_text()
