"""Whole games of every variant in a real browser: by clicks, by keyboard alone, and without scripts."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select
from werkzeug.serving import make_server

from corr.service.games import lifecycle
from corr.service.games.game_session import open_session
from corr.service.lobby import game_starts
from corr.store.tables import GameRow
from corr.web import create_app
from corr.words.board import SQUARES, Pair, PieceKind, Side
from tests.support.browser import Browser
from tests.support.chromium import Windows, bounding_box, wait_for_fonts
from tests.support.database_servers import HOST
from tests.support.public_server import PublicServer
from tests.support.sample_games import GAMES
from tests.support.table import ANN, BEN, Table, make_table
from tests.support.waiting import join

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Request, Route

_ORDER = re.compile(
    r"(?P<any>any\?)|deploy (?P<set_up>\w+)|sense (?P<sensed>none|[a-h][1-8])"
    r"|(?P<man>[PNBRQ])@(?P<onto>[a-h][1-8])|(?P<move>[a-h][1-8][a-h][1-8])|(?P<word>pass)"
)
_MEN = {man.letter: str(man) for man in PieceKind}
_BUTTONS = {"any?": "Ask about captures", "sense none": "Skip sensing", "pass": "Pass"}


@dataclass
class Seat:
    """A player's table in a window."""

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
        answered = f'#table:not([data-waits]) #play [name=stamp]:not([value="{before}"])'
        self.window.locator(answered).wait_for(state="attached")

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
                self.window.locator("#how", has_text="Choose a square for the").wait_for()
                self.order(order["onto"])
            case "set_up":
                self.press(self.window, order["set_up"])
                self.window.get_by_role("button", name="Deploy").wait_for()
                self.order(button="Deploy")
            case "sensed" if order["sensed"] != "none":
                self.order(order["sensed"])
            case _:
                self.order(button=_BUTTONS[found[0]])


def click_square(window: Page, square: str) -> None:
    square_of(window, square).click()


def square_of(window: Page, square: str) -> Locator:
    """A square of the board by its name, with or without scripts."""
    squares = window.locator(".board :is(button, td:not(:has(button)))")
    return squares.filter(has_text=re.compile(f"^{square},"))


def press_by_click(window: Page, name: str) -> None:
    unfold(window, name)
    _button(window, name).click()


def unfold(window: Page, name: str) -> None:
    """Open the section that holds a button."""
    button = window.get_by_role("button", name=name, include_hidden=True)
    folded = window.locator("details:not([open])").filter(has=button)
    if folded.count():
        folded.first.locator("summary").click()


def _button(window: Page, name: str) -> Locator:
    return window.get_by_role("button", name=name).first


def select_square_by_keys(window: Page, square: str) -> None:
    """Reach the board by Tab and a square by arrow keys."""
    window.locator(".board [tabindex='0']").wait_for()
    tab_to(window, "document.activeElement.closest('.board') !== null")
    names = window.locator("[data-square]").evaluate_all("all => all.map(each => each.dataset.square)")
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
    """Press Tab until the focused element fulfils a condition."""
    for _ in range(60):
        if window.evaluate(wanted):
            return
        window.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes where {wanted}")


#: How a player plays: with scripts or not, and how squares and buttons are chosen.
WAYS = {
    "by clicks": (True, click_square, press_by_click),
    "by keyboard": (True, select_square_by_keys, press_by_keys),
    "without scripts": (False, click_square, press_by_click),
}


def propose(table: Table, variant: str) -> str:
    """Offer a game to both; return its code."""
    return game_starts.propose(table.server, Pair(ANN, BEN), variant, "3d", table.server.now())


def begin(table: Table, variant: str) -> str:
    """Begin a game that nobody has opened yet; return its code."""
    code = propose(table, variant)
    with table.server.store.writing() as connection:
        game_id = connection.execute(select(GameRow.id).where(GameRow.code == code)).scalar_one()
        session = open_session(connection, game_id, table.server.now())
        for side in Side:
            session.state = session.state.accept(side)
        lifecycle.begin(session)
        session.close()
    return code


def cookie_of(table: Table, player: str) -> str:
    """The cookie of a signed-in player."""
    browser = Browser(table.app())
    browser.sign_in_directly(table, player)
    cookie = browser.client.get_cookie("corr")
    assert cookie
    return cookie.value


def seats_at(code: str, way: str, pages: Sequence[Page]) -> Pair[Seat]:
    """Both players of a game at their tables."""
    _, choose, press = WAYS[way]
    return Pair(*(Seat(page, f"/games/{code}", choose, press) for page in pages))


def open_both_windows(stack: ExitStack, server: PublicServer, windows: Windows, way: str) -> list[Page]:
    scripts, _, _ = WAYS[way]
    cookies = [cookie_of(server.table, player) for player in (ANN, BEN)]
    return [stack.enter_context(windows.open(cookie, scripts=scripts)) for cookie in cookies]


@pytest.fixture
def seated(public_server: PublicServer, windows: Windows) -> Iterator[Callable[[str, str], Pair[Seat]]]:
    """Both players of a new game, each in their own window."""
    with ExitStack() as stack:
        yield lambda variant, way: seats_at(
            begin(public_server.table, variant), way, open_both_windows(stack, public_server, windows, way)
        )


@pytest.fixture(scope="module")
def windows_for(public_server: PublicServer, windows: Windows) -> Iterator[Callable[[str], list[Page]]]:
    """Two windows that stay open for all games played in one way."""
    with ExitStack() as stack:
        yield cache(partial(open_both_windows, stack, public_server, windows))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("variant", GAMES)
def test_a_whole_game_is_played(
    public_server: PublicServer, windows_for: Callable[[str], list[Page]], variant: str, way: str
) -> None:
    seats = seats_at(propose(public_server.table, variant), way, windows_for(way))
    for side in Side:
        seats[side].look()
        seats[side].order(button="Accept")
    for number, letter in enumerate(GAMES[variant].letters):
        seat = seats[tuple(Side)[number % 2]]
        seat.look()
        seat.play(letter)

    for side in Side:
        assert GAMES[variant].end in seats[side].look()
        assert seats[side].window.locator(".board .f").count() == 0


#: Resolves when the page has processed an answer about news.
_ASKED_FOR_NEWS = """() => new Promise((done) => {
  const fetched = window.fetch;
  window.fetch = async (url, options) => {
    const answer = await fetched(url, options);
    if (options?.headers?.["If-None-Match"]) {
      window.fetch = fetched;
      answer.clone().text().then(() => setTimeout(done));
    }
    return answer;
  };
  window.dispatchEvent(new Event("online"));
})"""


def fetch_news(window: Page) -> None:
    """Let the page fetch news now, and wait until it has shown it."""
    window.evaluate(_ASKED_FOR_NEWS)


#: From now on the page's long timers never fire.
_NO_PATIENCE = """
  const timer = window.setTimeout;
  window.setTimeout = (deed, wait, ...more) => wait >= 4000 ? 0 : timer(deed, wait, ...more);
"""


class HeldAnswers:
    """Holds back the answers to a window until `go`."""

    def __init__(self, window: Page, kept: Callable[[Request], bool] = lambda _: True) -> None:
        self._kept, self._is_over = kept, False
        self._routes: list[Route] = []
        window.route("**/games/*", self._hold)

    def _hold(self, route: Route) -> None:
        if self._kept(route.request) and not self._is_over:
            self._routes.append(route)
        else:
            route.continue_()

    def go(self) -> None:
        """Let what has been held come, and all that follows."""
        self._is_over = True
        for route in self._routes:
            route.continue_()


def is_for_news(request: Request) -> bool:
    return "if-none-match" in request.headers


def test_news_that_comes_while_a_page_sends_is_fetched_right_after(
    seated: Callable[[str, str], Pair[Seat]],
) -> None:
    anns = seated("wild16", "by clicks").white
    anns.window.add_init_script(_NO_PATIENCE)
    anns.look()
    fetch_news(anns.window)
    held = HeldAnswers(anns.window, lambda request: not is_for_news(request))
    with anns.window.expect_request(lambda request: "e2=" in request.url):
        click_square(anns.window, "e2")
    anns.window.evaluate("window.dispatchEvent(new Event('online'))")

    with anns.window.expect_request(is_for_news):
        held.go()


def announcement(seat: Seat) -> Locator:
    """The live region that screen readers announce."""
    return seat.window.locator("body > [role=status]")


def seen_on(seat: Seat, square: str) -> str | None:
    said = square_of(seat.window, square).text_content()
    return said and said.partition(";")[0]


@pytest.mark.parametrize("chosen", ["set-up", "question"])
def test_news_keeps_what_is_being_chosen(seated: Callable[[str, str], Pair[Seat]], chosen: str) -> None:
    anns = seated("welbeck", "by clicks").white
    anns.look()
    name, then = {"set-up": ("home", "Deploy"), "question": ("Resign", "Yes, I resign")}[chosen]
    press_by_click(anns.window, name)
    anns.window.get_by_role("button", name=then).wait_for()
    for _ in range(2):
        fetch_news(anns.window)

    assert anns.window.get_by_role("button", name=then).is_visible()


@pytest.mark.parametrize("way", ["by clicks", "without scripts"])
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1366, 640)])
def test_the_confirmation_question_is_in_sight(
    seated: Callable[[str, str], Pair[Seat]], way: str, width: int, height: int
) -> None:
    anns = seated("wild16", way).white
    anns.window.set_viewport_size({"width": width, "height": height})
    anns.look()
    button = anns.window.get_by_role("button", name="Resign")
    unfold(anns.window, "Resign")
    button.evaluate("each => window.scrollBy(0, each.getBoundingClientRect().bottom - innerHeight + 2)")
    button.click()
    sure = anns.window.get_by_role("button", name="Yes, I resign")
    sure.wait_for()

    box = bounding_box(sure)
    assert 0 <= box["y"] <= height - box["height"]


def test_news_is_announced_and_a_piece_stays_in_hand(
    seated: Callable[[str, str], Pair[Seat]],
) -> None:
    seats = seated("wild16", "by clicks")
    for side in Side:
        seats[side].look()
    click_square(seats.white.window, "e2")
    seats.white.window.locator("[aria-selected]").wait_for()
    press_by_click(seats.black.window, "Resign")
    seats.black.order(button="Yes, I resign")
    fetch_news(seats.white.window)

    seats.white.window.get_by_role("alert").get_by_text("Black resigns").wait_for()
    assert seats.white.window.locator("[aria-selected] [data-square=e2]").is_visible()


def test_a_late_answer_does_not_bring_back_an_old_board(
    seated: Callable[[str, str], Pair[Seat]],
) -> None:
    seats = seated("wild16", "by clicks")
    anns = seats.white
    anns.look()
    seats.black.look()
    press_by_click(seats.black.window, "Offer a draw")
    seats.black.order(button="Yes, offer a draw")
    late = HeldAnswers(anns.window, is_for_news)
    with anns.window.expect_request(is_for_news):
        anns.window.evaluate("window.dispatchEvent(new Event('online'))")
    anns.order("e2", "e4")
    with anns.window.expect_response(lambda answer: is_for_news(answer.request)):
        late.go()
    fetch_news(anns.window)

    assert seen_on(anns, "e4") == "e4, your pawn"


def test_a_button_pressed_while_a_page_loads_works(seated: Callable[[str, str], Pair[Seat]]) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    late = HeldAnswers(anns.window)
    click_square(anns.window, "e2")
    anns.window.locator("[data-square=e4]").hover()
    anns.window.mouse.down()
    with anns.window.expect_response("**/games/*e2=*"):
        late.go()
    anns.window.mouse.up()
    anns.window.get_by_text("Black is to move").wait_for()

    assert seen_on(anns, "e4") == "e4, your pawn"


def test_buttons_pressed_before_the_answer_wait_their_turn(
    seated: Callable[[str, str], Pair[Seat]],
) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    late = HeldAnswers(anns.window)
    click_square(anns.window, "e2")
    press_by_click(anns.window, "Resign")
    late.go()
    anns.window.get_by_role("button", name="Yes, I resign").wait_for()

    question = anns.window.locator("#sure")
    assert question.evaluate("each => each === document.activeElement")
    announcement(anns).get_by_text("Resign this game?").wait_for()


def test_a_second_click_on_a_piece_being_picked_up_does_not_put_it_down(
    seated: Callable[[str, str], Pair[Seat]],
) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    late = HeldAnswers(anns.window)
    for _ in range(2):
        click_square(anns.window, "e2")
    late.go()
    anns.window.locator("[aria-selected] [data-square=e2]").wait_for()
    anns.order("e4")

    assert seen_on(anns, "e4") == "e4, your pawn"


def test_no_piece_can_be_dragged_while_a_sense_is_due(seated: Callable[[str, str], Pair[Seat]]) -> None:
    anns = seated("rbc", "by clicks").white
    anns.look()
    anns.window.drag_and_drop("[data-square=e2]", "[data-square=e4]")
    fetch_news(anns.window)

    assert "Choose the square to sense" in anns.window.locator("#how").inner_text()
    assert anns.window.locator("#answer .wrote", has_text="sense").count() == 0


@pytest.mark.parametrize("way", ["by keyboard", "by clicks"])
def test_a_square_chosen_before_the_piece_is_in_hand_waits_for_it(
    seated: Callable[[str, str], Pair[Seat]], way: str
) -> None:
    anns = seated("welbeck", way).white
    anns.look()
    late = HeldAnswers(anns.window)
    anns.press(anns.window, "king (")
    anns.choose(anns.window, "e1")
    late.go()

    anns.window.get_by_text("e1, your king", exact=True).wait_for()


def test_a_piece_is_dragged_from_the_tray_to_its_square_in_a_set_up(
    seated: Callable[[str, str], Pair[Seat]],
) -> None:
    anns = seated("welbeck", "by clicks").white
    anns.look()
    anns.window.drag_and_drop(".tray button:has-text('king')", "[data-square=e1]")

    anns.window.get_by_text("e1, your king", exact=True).wait_for()


def test_escape_puts_down_only_a_piece_in_hand(seated: Callable[[str, str], Pair[Seat]]) -> None:
    anns = seated("welbeck", "by keyboard").white
    anns.look()
    press_by_keys(anns.window, "king (")
    select_square_by_keys(anns.window, "e1")
    anns.window.get_by_text("e1, your king", exact=True).wait_for()
    anns.window.keyboard.press("Escape")
    fetch_news(anns.window)

    assert seen_on(anns, "e1") == "e1, your king"


def test_text_typed_while_an_order_could_not_be_sent_stays(
    seated: Callable[[str, str], Pair[Seat]],
) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    box = anns.window.get_by_label("Write your orders")
    box.fill("a2a3")
    anns.window.route("**/games/*", lambda route: (box.fill("a2a4"), route.abort()))
    press_by_click(anns.window, "Send to the umpire")
    anns.window.get_by_role("alert").wait_for()
    assert box.input_value() == "a2a4"

    anns.window.unroute("**/games/*")
    fetch_news(anns.window)
    anns.window.get_by_role("alert").wait_for(state="detached")


@pytest.mark.parametrize("before", ["could not be sent", "was sent once before"])
def test_text_in_the_box_stays_when_news_comes(seated: Callable[[str, str], Pair[Seat]], before: str) -> None:
    seats = seated("wild16", "by clicks")
    for side in Side:
        seats[side].look()
    box = seats.white.window.get_by_label("Write your orders")
    box.fill("e2e5")
    if before == "could not be sent":
        seats.white.window.route("**/games/*", lambda route: route.abort())
        press_by_click(seats.white.window, "Send to the umpire")
        seats.white.window.get_by_role("alert").wait_for()
        seats.white.window.unroute("**/games/*")
    else:
        seats.white.order(button="Send to the umpire")
        box.fill("e2e5")
    press_by_click(seats.black.window, "Offer a draw")
    seats.black.order(button="Yes, offer a draw")
    fetch_news(seats.white.window)
    seats.white.window.get_by_role("button", name="Accept the draw").wait_for()

    assert box.input_value() == "e2e5"


def test_an_unclear_line_stays_to_be_corrected(seated: Callable[[str, str], Pair[Seat]]) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    box = anns.window.get_by_label("Write your orders")
    box.fill("Nf3")
    press_by_click(anns.window, "Send to the umpire")
    anns.window.locator("#unclear").wait_for()
    assert box.input_value() == "Nf3"

    box.fill("e2e4")
    anns.order(button="Send to the umpire")
    assert anns.window.get_by_label("Write your orders").input_value() == ""


def test_a_suggestion_is_sent_instead_of_an_unclear_line(seated: Callable[[str, str], Pair[Seat]]) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    anns.window.get_by_label("Write your orders").fill("Nf3")
    press_by_click(anns.window, "Send to the umpire")
    anns.window.locator("#unclear").wait_for()

    anns.order(button="g1f3")
    assert anns.window.get_by_label("Write your orders").input_value() == ""


def play_whites_first_move(seated: Callable[[str, str], Pair[Seat]]) -> Pair[Seat]:
    """Both players of a game in which both hear refusals; Black is to move."""
    seats = seated("cincinnati", "by clicks")
    for side in Side:
        seats[side].look()
    seats.white.order("e2", "e4")
    seats.black.look()
    return seats


def test_public_refusals_are_announced(
    seated: Callable[[str, str], Pair[Seat]],
) -> None:
    seats = play_whites_first_move(seated)
    seats.black.order("e7", "d6")
    fetch_news(seats.white.window)

    announcement(seats.white).get_by_text("the umpire also said").wait_for()


def test_the_same_news_does_not_interrupt_an_announcement(
    seated: Callable[[str, str], Pair[Seat]],
) -> None:
    seats = play_whites_first_move(seated)
    held = HeldAnswers(seats.white.window, is_for_news)
    seats.black.order("e7", "d6")
    for _ in range(2):
        seats.white.window.evaluate("window.dispatchEvent(new Event('online'))")
    held.go()
    announcement(seats.white).get_by_text("the umpire also said").wait_for()
    fetch_news(seats.white.window)

    assert "the umpire also said" in announcement(seats.white).inner_text()


def test_the_log_from_the_start_shows_news_too(seated: Callable[[str, str], Pair[Seat]]) -> None:
    seats = seated("wild16", "by clicks")
    for side in Side:
        seats[side].look()
    seats.black.window.goto(f"{seats.black.address}?log=whole")
    seats.white.order("e2", "e4")
    fetch_news(seats.black.window)

    seats.black.window.get_by_text("Your turn", exact=True).wait_for()


def test_the_whole_log_stays_beside_a_wide_board(seated: Callable[[str, str], Pair[Seat]]) -> None:
    seats = seated("wild16", "by clicks")
    window = seats.white.window
    window.set_viewport_size({"width": 1366, "height": 640})
    for side in Side:
        seats[side].look()
    window.wait_for_load_state("networkidle")
    for file in "abcde":
        seats.white.order(f"{file}2", f"{file}3")
        fetch_news(seats.black.window)
        seats.black.order(f"{file}7", f"{file}6")
        fetch_news(window)

    assert window.locator(".log h3").all_text_contents()[-2:] == ["Move 1", "Before the first move"]


def test_the_board_stays_in_place_when_a_try_is_refused(seated: Callable[[str, str], Pair[Seat]]) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    wait_for_fonts(anns.window)
    board = anns.window.locator(".board")
    before = bounding_box(board)
    anns.order("e2", "d3")

    assert anns.window.locator("#answer").is_visible()
    assert bounding_box(board) == before


def test_a_piece_is_dragged_to_its_square(seated: Callable[[str, str], Pair[Seat]]) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    anns.window.drag_and_drop("[data-square=e2]", "[data-square=e4]")
    anns.window.get_by_text("Black is to move").wait_for()

    assert seen_on(anns, "e4") == "e4, your pawn"


def test_a_piece_in_hand_can_be_dragged(
    seated: Callable[[str, str], Pair[Seat]],
) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    click_square(anns.window, "g1")
    anns.window.locator("[aria-selected] [data-square=g1]").wait_for()
    anns.window.drag_and_drop("[data-square=g1]", "[data-square=f3]")
    anns.window.get_by_text("Black is to move").wait_for()

    assert seen_on(anns, "f3") == "f3, your knight"


def test_clicks_faster_than_the_answers_are_not_lost(
    seated: Callable[[str, str], Pair[Seat]],
) -> None:
    """Three clicks at once: a piece, another piece, and its target."""
    anns = seated("wild16", "by clicks").white
    anns.look()
    anns.window.evaluate(
        "for (const name of ['e2', 'd2', 'd4']) document.querySelector(`[data-square=${name}]`).click()"
    )
    anns.window.get_by_text("Black is to move").wait_for()

    assert seen_on(anns, "d4") == "d4, your pawn"


def test_a_button_pressed_twice_acts_once(seated: Callable[[str, str], Pair[Seat]]) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    press_by_click(anns.window, "Offer a draw")
    anns.window.get_by_role("button", name="Yes, offer a draw").evaluate(
        "each => { each.click(); each.click(); }"
    )
    anns.window.get_by_text("You've offered a draw").first.wait_for()

    assert anns.window.locator("#answer .wrote").count() == 1


def test_a_button_pressed_before_the_answer_is_not_pressed_again_after_it(
    seated: Callable[[str, str], Pair[Seat]],
) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    sent: list[str] = []
    anns.window.on("request", lambda request: sent.append(request.method))
    click_square(anns.window, "e2")
    anns.window.locator("[aria-selected] [data-square=e2]").wait_for()
    anns.window.evaluate(
        """() => {
            document.querySelector("[data-square=e4]").click();
            document.getElementById("orders").value = "d2d4";
            document.querySelector(".write button").click();
        }"""
    )
    anns.window.get_by_text("Black is to move").wait_for()
    anns.window.wait_for_load_state("networkidle")

    assert sent.count("POST") == 1
    assert anns.window.get_by_label("Write your orders").input_value() == "d2d4"


def test_news_comes_by_itself_and_is_announced(seated: Callable[[str, str], Pair[Seat]]) -> None:
    seats = seated("wild16", "by clicks")
    for side in Side:
        seats[side].look()
    seats.white.order("e2", "e4")
    seats.black.window.get_by_text("Your turn", exact=True).wait_for()

    announcement(seats.black).get_by_text("Black's move").wait_for()


def test_text_being_written_survives_news(seated: Callable[[str, str], Pair[Seat]]) -> None:
    seats = seated("wild16", "by clicks")
    for side in Side:
        seats[side].look()
    seats.black.window.get_by_label("Write your orders").fill("e7e5")
    seats.black.window.keyboard.press("ArrowLeft")
    seats.white.order("e2", "e4")
    seats.black.window.get_by_text("Your turn", exact=True).wait_for()
    seats.black.window.keyboard.type("6, e7e")

    assert seats.black.window.get_by_label("Write your orders").input_value() == "e7e6, e7e5"


def test_a_piece_in_hand_is_announced_and_escape_puts_it_back(
    seated: Callable[[str, str], Pair[Seat]],
) -> None:
    anns = seated("wild16", "by keyboard").white
    anns.look()
    select_square_by_keys(anns.window, "g1")
    voice = announcement(anns)
    voice.get_by_text("Choose a square for the piece on g1, or choose another piece.").wait_for()
    assert anns.window.evaluate("document.activeElement.dataset.square") == "g1"
    anns.window.keyboard.press("Escape")
    voice.get_by_text("Choose a piece, then a square.").wait_for()

    assert anns.window.locator("[aria-selected]").count() == 0


def test_an_error_is_shown_and_the_text_stays(
    seated: Callable[[str, str], Pair[Seat]], windows: Windows
) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    anns.window.evaluate("document.querySelectorAll('[name=csrf]').forEach(each => each.value = 'old')")
    anns.window.get_by_label("Write your orders").fill("e2e4")
    anns.window.get_by_role("button", name="Send to the umpire").click()

    assert "signed in or out since you opened this page" in anns.window.get_by_role("alert").inner_text()
    assert anns.window.get_by_label("Write your orders").input_value() == "e2e4"
    assert [each[:3] for each in windows.problems] == ["400"]
    windows.problems.clear()


def test_each_square_is_a_button_that_names_its_piece(
    seated: Callable[[str, str], Pair[Seat]],
) -> None:
    anns = seated("wild16", "without scripts").white
    anns.look()
    named = (
        anns.window.get_by_role("gridcell")
        .get_by_role("button")
        .evaluate_all("all => all.map(each => each.textContent.slice(0, 2))")
    )

    assert sorted(named) == sorted(SQUARES)


def test_a_page_that_cannot_reach_the_umpire_says_so(seated: Callable[[str, str], Pair[Seat]]) -> None:
    anns = seated("wild16", "by clicks").white
    anns.look()
    anns.window.route("**/games/*", lambda route: route.abort())
    for square in ("e2", "e4"):
        click_square(anns.window, square)

    assert "couldn't reach the server" in anns.window.get_by_role("alert").inner_text()


def test_pieces_are_set_up_by_keyboard_alone(seated: Callable[[str, str], Pair[Seat]]) -> None:
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
            select_square_by_keys(anns.window, square)
            anns.window.locator(f"[data-square={square}]", has_text=f"{square}, your {man}").wait_for()
    anns.order(button="Deploy")

    assert "Your set-up is sealed" in anns.window.locator("#answer").inner_text()


def test_the_time_left_counts_down_on_an_open_page(
    seated: Callable[[str, str], Pair[Seat]],
) -> None:
    anns = seated("wild16", "by clicks").white
    anns.window.clock.install()
    anns.look()
    left = anns.window.locator(".clock time")
    assert left.inner_text() == "2 d 23 h"

    anns.window.clock.fast_forward("49:20:00")
    assert left.inner_text().startswith("22 h ")


@pytest.fixture
def busy_table(tmp_path: Path) -> Iterator[tuple[Table, str]]:
    """A game on a server whose workers run when a test says so, and the URL of its pages."""
    table = make_table(tmp_path)
    table.begin()
    server = make_server(HOST, 0, create_app(table.server, lambda _work: None), threaded=True)
    pages = threading.Thread(target=server.serve_forever)
    pages.start()
    yield table, f"http://{HOST}:{server.port}"
    server.shutdown()
    join(pages)
    server.server_close()
    table.server.store.close()


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_page_that_left_before_the_answer_shows_it_once_it_comes(
    busy_table: tuple[Table, str],
    windows: Windows,
    scripts: bool,  # noqa: FBT001  # pytest names it
) -> None:
    table, url = busy_table
    code = str(table.last_email(ANN)["Subject"])[-6:-1]
    with Windows(windows.chromium, url, windows.problems).open(
        cookie_of(table, ANN), scripts=scripts
    ) as window:
        window.goto(f"/games/{code}")
        loads: list[str] = []
        click_square(window, "e2")
        click_square(window, "e4")
        window.get_by_text("The umpire is reading your orders.").first.wait_for()
        window.on("load", lambda page: loads.append(page.url))
        table.run_workers()
        window.get_by_text("Your move has been made.").first.wait_for()

        assert bool(loads) is not scripts


def test_an_answer_is_shown_even_if_the_next_piece_is_in_hand(
    busy_table: tuple[Table, str], windows: Windows
) -> None:
    table, url = busy_table
    code = str(table.last_email(ANN)["Subject"])[-6:-1]
    with Windows(windows.chromium, url, windows.problems).open(cookie_of(table, ANN), scripts=True) as window:
        window.goto(f"/games/{code}")
        window.get_by_label("Write your orders").fill("Nf3")
        press_by_click(window, "Send to the umpire")
        window.get_by_text("The umpire is reading your orders.").first.wait_for()
        click_square(window, "e2")
        window.locator("[aria-selected] [data-square=e2]").wait_for()
        table.run_workers()
        window.locator("#unclear").wait_for()

        assert window.locator("#waits").count() == 0
        assert window.get_by_label("Write your orders").input_value() == "Nf3"
