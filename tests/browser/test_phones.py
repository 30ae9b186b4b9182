"""The table on phones and laptops: the essentials are in sight, and the layout never jumps."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from typing import TYPE_CHECKING

import pytest

from corr.rules.variants import UMPIRES
from corr.text.lessons import tutorial
from corr.words.board import Pair, Side
from tests.browser.test_games import Seat, begin, cookie_of, fetch_news, seated
from tests.server.web.test_table import sit_down
from tests.support.browser import Browser
from tests.support.chromium import Windows, bounding_box, horizontal_overflow
from tests.support.every_page import BLACK, WHITE, SampleSite
from tests.support.public_server import PublicServer
from tests.support.table import ANN, BEN, Table

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

__all__ = ["seated"]

PHONE: ViewportSize = {"width": 390, "height": 844}
LAPTOP: ViewportSize = {"width": 1366, "height": 640}
#: Where nothing moves, whatever happens.
STEADY: tuple[ViewportSize, ...] = (
    PHONE,
    LAPTOP,
    {"width": 1280, "height": 800},
    {"width": 1920, "height": 1080},
)
SMALLER: tuple[ViewportSize, ...] = ({"width": 360, "height": 640}, {"width": 320, "height": 640})
#: A table with a long answer to White.
LONG_ANSWER = "table of wild16"
TABLES = (*(f"table of {variant}" for variant in UMPIRES), "reserves")
#: The news, the newest slip, the board, and the answer to the last order.
ESSENTIALS = ("#table > .news", ".slip", ".field", ".talk .answer")
_SEND = "/^(Send to the umpire|Deploy)$/"
_LOWEST = f"""
whole => Math.max(...[
  ...document.querySelectorAll('{", ".join(ESSENTIALS)}'),
  ...(whole ? [[...document.querySelectorAll('.orders button')].find(each => {_SEND}.test(each.textContent))] : []),
].map(each => each.getBoundingClientRect().bottom))
"""
#: How many pixels a slip's words reach below it.
_CUT_OFF = """
slip => [...slip.querySelectorAll('p')].at(-1).getBoundingClientRect().bottom - slip.getBoundingClientRect().bottom
"""
#: The mark at the start of an answer's line.
_MARK = "line => getComputedStyle(line, '::before').content"
SHIFTS = """
() => {
  window.shifts = [];
  new PerformanceObserver(list => window.shifts.push(...list.getEntries().map(each => each.value)))
    .observe({ type: 'layout-shift', buffered: true });
}
"""
_PAINTED = """
() => new Promise(done => new PerformanceObserver(() => done()).observe({ type: 'paint', buffered: true }))
"""
#: The heights of an opponent's name and of a bot's, measured in one go: news may change the page in between.
_NAME_A_BOT = """
() => {
  const name = document.querySelector('.match h1');
  const before = name.getBoundingClientRect().height;
  name.lastChild.textContent = 'Marlow\\u00a0(bot)';
  return [before, name.getBoundingClientRect().height];
}
"""
_BELOW_BOARD = "document.querySelector('.field').getBoundingClientRect().bottom"
#: A lesson with the words of another, perhaps the last one, which can't be skipped.
_TEACH = """
([task, isLast]) => {
  document.querySelector('.lesson > div p').textContent = task;
  if (isLast) document.querySelector('.lesson > button')?.remove();
}
"""
#: Buttons and links lower than a finger's width.
_SMALL = ".brand, .next button, .way button, .history h2 button, .head .small"
#: Those that a tap nearly 20 pixels above or below their middle misses.
_MISSED = """
all => all.filter(each => {
  each.scrollIntoView({ block: 'center' });
  const { left, top, width, height } = each.getBoundingClientRect();
  return [-19, 19].some(off =>
    document.elementFromPoint(left + width / 2, top + height / 2 + off).closest('a, button') !== each);
}).map(each => each.textContent)
"""
#: The positions of the board, the umpire's words and the controls.
_BOXES = """
JSON.stringify(['.field', '.slip', '.way', '.write', '.tools'].map(each => {
  const { top, left, width } = document.querySelector(each).getBoundingClientRect();
  return [top, left, width];
}))
"""
#: How much of an answer is out of sight in its box, so that it has to be scrolled.
_HIDDEN = "answer => answer.scrollHeight - answer.clientHeight"
#: Where the board, the words and what can be done begin.
_TOPS = """
['.field', '.slip', '.next', '.write'].map(each => document.querySelector(each).getBoundingClientRect().top)
"""
#: Where they stand in a lesson, without what is said where no bot runs.
_TOPS_IN_A_LESSON = """
() => {
  document.querySelector('.fine > .turn')?.parentElement.remove();
  return ['.field', '.slip', '.write'].map(each => document.querySelector(each).getBoundingClientRect().top);
}
"""


def size_name(size: ViewportSize) -> str:
    return str(size["width"])


@pytest.fixture(scope="module")
def phone(windows: Windows) -> Iterator[Page]:
    """One phone-sized window for all tests of this file."""
    with windows.open(waits_for_fonts=True) as opened:
        opened.set_viewport_size(PHONE)
        yield opened


def lowest(page: Page, *, with_send: bool = True) -> float:
    """The bottom edge of the lowest essential."""
    found: float = page.evaluate(_LOWEST, with_send)
    return found


@pytest.mark.parametrize("who", [WHITE, BLACK])
def test_the_essentials_are_in_sight_on_a_phone(
    sample_site: SampleSite, windows: Windows, phone: Page, who: str
) -> None:
    windows.change_user(phone, sample_site.cookies[who])
    reach = {}
    for place, made_up in product(TABLES, ("", "?list=")):
        phone.goto(sample_site.paths[place] + made_up)
        reach[place, made_up] = lowest(phone)
    below = {each: found for each, found in reach.items() if found > PHONE["height"]}

    assert {place for place, _ in below} <= {LONG_ANSWER}, below


@pytest.mark.parametrize("width", [320, 390, 905, 1366, 1920])
def test_no_word_of_the_umpire_is_cut_off(
    sample_site: SampleSite, windows: Windows, phone: Page, width: int
) -> None:
    windows.change_user(phone, sample_site.cookies[BLACK])
    phone.set_viewport_size({"width": width, "height": 768})
    cut = {}
    for place in TABLES:
        phone.goto(sample_site.paths[place])
        cut[place] = phone.locator(".slip").evaluate(_CUT_OFF)
    phone.set_viewport_size(PHONE)

    assert {place: height for place, height in cut.items() if height > 0} == {}


@pytest.mark.parametrize("place", [*TABLES, "deploying"])
def test_the_label_of_the_box_for_orders_is_not_cut_off(
    sample_site: SampleSite, windows: Windows, phone: Page, place: str
) -> None:
    windows.change_user(phone, sample_site.cookies[WHITE])
    phone.goto(sample_site.paths[place])

    assert phone.locator(".write label").evaluate("label => label.scrollWidth <= label.clientWidth")


def test_a_list_without_tries_is_no_empty_box(sample_site: SampleSite, windows: Windows, phone: Page) -> None:
    windows.change_user(phone, sample_site.cookies[BLACK])
    for made_up, is_shown in (("?list=", False), ("?list=d2d4", True)):
        phone.goto(sample_site.paths["lesson"] + made_up)

        assert phone.locator(".draft").is_visible() == is_shown


@pytest.mark.parametrize("place", ["table of wild16", "table of rbc", "finished rbc"])
def test_a_finger_hits_what_is_drawn_small(sample_site: SampleSite, windows: Windows, place: str) -> None:
    with windows.open(sample_site.cookies[WHITE], has_touch=True) as window:
        window.set_viewport_size(PHONE)
        window.goto(sample_site.paths[place])
        missed = window.locator(_SMALL).evaluate_all(_MISSED)

    assert missed == []


def test_the_label_of_ones_last_orders_stands_where_they_begin(
    sample_site: SampleSite, windows: Windows, phone: Page
) -> None:
    windows.change_user(phone, sample_site.cookies[WHITE])
    phone.goto(sample_site.paths["table of rbc"])
    label = phone.locator(".tried .label").first

    assert label.text_content() == "Your last turn"
    assert label.evaluate(_MARK) == "none"


def test_refusals_have_a_cross_and_moves_a_tick(
    sample_site: SampleSite, windows: Windows, phone: Page
) -> None:
    windows.change_user(phone, sample_site.cookies[WHITE])
    marks = {}
    for table, mark in (("table of wild16", ".no"), ("reserves", ".yes")):
        phone.goto(sample_site.paths[table])
        marks[mark] = phone.locator(f".talk .tried {mark}").first.evaluate(_MARK)

    assert marks == {".no": '"\u2715" / "refused:"', ".yes": '"\u2713" / "made:"'}


def test_no_try_or_condition_of_a_list_is_outside_the_window(
    sample_site: SampleSite, windows: Windows, phone: Page
) -> None:
    windows.change_user(phone, sample_site.cookies[WHITE])
    phone.goto(sample_site.paths["table of wild16"] + "?list=e2e4.d2d4.g1f3.b1c3/*capture e4:d2d3/else:g1f3")

    beyond = phone.locator(".chips button, .strip [aria-pressed=true]").evaluate_all(
        "(all, width) => all.filter(each => each.getBoundingClientRect().right > width).length",
        PHONE["width"],
    )
    assert beyond == 0


@pytest.mark.parametrize("place", ["reserves", "table of crazykrieg", "table of cincinnati"])
def test_the_tries_of_a_list_are_in_sight(
    sample_site: SampleSite, windows: Windows, phone: Page, place: str
) -> None:
    windows.change_user(phone, sample_site.cookies[WHITE])
    phone.goto(sample_site.paths[place] + "?list=h2h4.d2d4.g1f3")

    assert phone.locator(".chips li").count() == 3
    chips = bounding_box(phone.locator(".chips li").first)
    assert chips["y"] + chips["height"] <= PHONE["height"]


def test_prepared_set_ups_come_before_rare_choices(
    sample_site: SampleSite, windows: Windows, phone: Page
) -> None:
    windows.change_user(phone, sample_site.cookies[WHITE])
    phone.goto(sample_site.paths["deploying"])

    tops = [
        phone.locator(each).evaluate("each => each.getBoundingClientRect().top")
        for each in (".setups", ".tools")
    ]
    assert tops[0] < tops[1]


@pytest.mark.parametrize("query", ["", "?set=N.Ke1Qd1"])
def test_the_essentials_are_in_sight_while_deploying(
    sample_site: SampleSite, windows: Windows, phone: Page, query: str
) -> None:
    windows.change_user(phone, sample_site.cookies[WHITE])
    phone.goto(sample_site.paths["deploying"] + query)

    assert lowest(phone) <= PHONE["height"]


@pytest.mark.parametrize("size", STEADY, ids=size_name)
def test_nothing_moves_whatever_a_lesson_says(
    sample_site: SampleSite, windows: Windows, phone: Page, size: ViewportSize
) -> None:
    windows.change_user(phone, sample_site.cookies[BLACK])
    phone.set_viewport_size(size)
    phone.goto(sample_site.paths["lesson"])
    scripts = tutorial().scripts
    whole_game = scripts[-1]
    said = [
        *((each.lesson.page, each is whole_game) for each in scripts),
        *((each.page, True) for each in whole_game.comments),
        *((each.page, True) for each in whole_game.proposals),
        (" ".join(each.page for each in whole_game.comments), True),
    ]
    reach = {"as it is shown": phone.evaluate(_TOPS_IN_A_LESSON)}
    for text, is_last in said:
        phone.evaluate(_TEACH, [text, is_last])
        reach[text] = phone.evaluate(_TOPS_IN_A_LESSON)
    below = phone.evaluate(_BELOW_BOARD)
    phone.set_viewport_size(PHONE)

    assert below <= size["height"]
    assert {text: tops for text, tops in reach.items() if tops != reach["as it is shown"]} == {}


@pytest.mark.parametrize("size", STEADY, ids=size_name)
def test_nothing_moves_from_one_part_of_the_tutorial_to_the_next(
    table: Table, windows: Windows, size: ViewportSize
) -> None:
    eves = Browser(table.app_with_workers())
    eves.press("Learn the game")
    pages, cut = [eves.answer.data], {}
    for orders in ("e2e5", "e2e4", "h2h3", "a1a8", "a1a7, a1a6, a1a5", "e2e5"):
        eves.send(orders)
        pages.append(eves.answer.data)
    with at_size(windows, size, pages) as window:
        tops = []
        for number in range(len(pages)):
            window.goto("/games/now")
            if number:
                cut[number] = window.locator("#answer").evaluate(_HIDDEN)
            tops.append(window.evaluate(_TOPS_IN_A_LESSON))

    assert tops == [tops[0]] * len(pages)
    assert max(cut.values()) <= 0, cut


#: Orders of White's, each with how many pixels of its answer may need scrolling, by variant: a sense, a move, a long
#: list, an unclear line and a call for help.
LONG_ANSWERS = {
    "rbc": {"sense e7": 0, "e2e4": 0},
    "wild16": {
        "a1a8, a1a7, a1a6, a1a5, a1a4, a1a3, h1h8, h1h7, h1h6, h1h5, h1h4, b1b3": 0,
        "help": 0,
        "Nf3": 100,
        "h1h8, h1h7, h1h6, h1h5, h1h4, e2e4": 0,
    },
}


@pytest.mark.parametrize("variant", LONG_ANSWERS)
@pytest.mark.parametrize("size", STEADY, ids=size_name)
def test_nothing_moves_however_long_an_answer_is(
    table: Table, windows: Windows, size: ViewportSize, variant: str
) -> None:
    table.begin(variant)
    anns = sit_down(table, ANN)
    pages = [anns.answer.data]
    for orders in LONG_ANSWERS[variant]:
        anns.send(orders)
        pages.append(anns.answer.data)
    with at_size(windows, size, pages) as window:
        window.goto("/games/now")
        usual = window.evaluate(_TOPS)
        moved, cut = {}, {}
        for orders, most in LONG_ANSWERS[variant].items():
            window.goto("/games/now")
            if window.evaluate(_TOPS) != usual:
                moved[orders] = window.evaluate(_TOPS)
            if (hidden := window.locator("#answer").evaluate(_HIDDEN)) > most:
                cut[orders] = hidden

    assert (moved, cut) == ({}, {})


@contextmanager
def at_size(windows: Windows, size: ViewportSize, pages: list[bytes]) -> Iterator[Page]:
    """A window of this size, without scripts, in which the game shows one of these pages after another."""
    bodies = iter(pages)
    with windows.open(scripts=False, waits_for_fonts=True) as window:
        window.set_viewport_size(size)
        window.route("**/games/now", lambda route: route.fulfill(body=next(bodies), content_type="text/html"))
        yield window


def test_the_number_of_pawn_tries_leads_to_the_rule_about_it(
    sample_site: SampleSite, windows: Windows, phone: Page
) -> None:
    windows.change_user(phone, sample_site.cookies[WHITE])
    phone.goto(sample_site.paths["table of wild16"])
    phone.locator(".slip .words a").click()

    phone.wait_for_url("**/rules/wild16#pawn-tries")
    assert "how many captures" in phone.locator("#pawn-tries").inner_text()


def test_a_row_of_variants_fades_where_it_continues(
    sample_site: SampleSite, windows: Windows, phone: Page
) -> None:
    windows.change_user(phone, sample_site.cookies[WHITE])
    phone.goto("/games/")
    row = phone.locator(".strip")
    row.evaluate("each => each.scrollTo(10000, 0)")
    faded = bounding_box(row)
    last = bounding_box(row.locator("a").last)

    assert "gradient" in row.evaluate("each => getComputedStyle(each).maskImage")
    assert last["x"] + last["width"] <= faded["x"] + faded["width"] - 30
    assert horizontal_overflow(phone) == 0


@pytest.mark.parametrize("width", [320, 390, 1280, 1366])
def test_the_bot_label_is_beside_the_opponents_name(
    sample_site: SampleSite, windows: Windows, phone: Page, width: int
) -> None:
    windows.change_user(phone, sample_site.cookies[BLACK])
    phone.set_viewport_size({"width": width, "height": 844})
    phone.goto(sample_site.paths["table of wild16"])
    before, after = phone.evaluate(_NAME_A_BOT)
    phone.set_viewport_size(PHONE)

    assert before == after


def test_the_number_of_waiting_games_does_not_touch_the_next_word(
    sample_site: SampleSite, windows: Windows, phone: Page
) -> None:
    windows.change_user(phone, sample_site.cookies[WHITE])
    phone.goto("/lobby/")
    for number in ("1", "12"):
        badge = phone.locator("nav .count")
        badge.evaluate("(each, number) => { each.firstChild.data = number; }", number)
        word = bounding_box(phone.get_by_role("link", name="Lobby"))
        shown = bounding_box(badge)

        assert shown["x"] + shown["width"] <= word["x"] - 1


def test_a_list_is_sent_without_scrolling(sample_site: SampleSite, windows: Windows, phone: Page) -> None:
    windows.change_user(phone, sample_site.cookies[BLACK])
    phone.goto(
        sample_site.paths["table of wild16"] + "?list=capture e5,no check:d7e6.f7e6/*else:e7e5.d7d5.c7c5"
    )

    assert lowest(phone) <= PHONE["height"]


@pytest.mark.parametrize("size", SMALLER, ids=lambda size: str(size["width"]))
def test_on_a_smaller_phone_board_words_and_answer_are_in_sight(
    sample_site: SampleSite, windows: Windows, phone: Page, size: ViewportSize
) -> None:
    windows.change_user(phone, sample_site.cookies[WHITE])
    phone.set_viewport_size(size)
    reach = {}
    for place in TABLES:
        phone.goto(sample_site.paths[place])
        reach[place] = (lowest(phone, with_send=False) <= size["height"], horizontal_overflow(phone))
    phone.set_viewport_size(PHONE)

    assert {place for place, found in reach.items() if found != (True, 0)} <= {LONG_ANSWER, "table of rbc"}


def test_the_first_square_of_the_first_rank_is_dark(
    sample_site: SampleSite, windows: Windows, phone: Page
) -> None:
    windows.change_user(phone, sample_site.cookies[WHITE])
    phone.goto(sample_site.paths["table of wild16"])
    a1, h1, a8 = (
        phone.locator("td", has_text=f"{square},").evaluate("each => getComputedStyle(each).background")
        for square in ("a1", "h1", "a8")
    )

    assert len({a1, h1, a8}) == 3


@pytest.mark.parametrize("width", [390, 1280])
def test_the_layout_stays_from_turn_to_turn(seated: Callable[[str, str], Pair[Seat]], width: int) -> None:
    seats = seated("wild16", "by clicks")
    window = seats.white.window
    window.set_viewport_size({"width": width, "height": 844})
    for side in Side:
        seats[side].look()
    window.evaluate(SHIFTS)
    window.wait_for_load_state("networkidle")
    places = [window.evaluate(_BOXES)]
    for target in ("d3", "e4"):
        seats.white.order("e2", target)
        places.append(window.evaluate(_BOXES))
    fetch_news(seats.black.window)
    seats.black.order("a7", "a6")
    fetch_news(window)
    window.get_by_text("Your turn", exact=True).wait_for()
    places.append(window.evaluate(_BOXES))

    assert {*places} == {places[0]}
    assert window.evaluate("window.shifts") == []


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_nothing_moves_whatever_the_umpire_says(table: Table, windows: Windows, size: ViewportSize) -> None:
    table.begin("wild16")
    anns, bens = sit_down(table, ANN), sit_down(table, BEN)
    shown: list[bytes] = []
    places: dict[str, list[float]] = {}
    read = _BOXES.replace(", '.tools'", "").replace("[top, left, width]", "top")
    with windows.open(scripts=False, waits_for_fonts=True) as window:
        window.set_viewport_size(size)
        window.route("**/games/now", lambda route: route.fulfill(body=shown[-1], content_type="text/html"))
        for said in ("", "d2e3", "d2d4", "e7e6", "b1c3", "f8b4", "a2a3", "b4c3"):
            player = bens if said[1:2] in ("7", "8") or said == "b4c3" else anns
            if said:
                player.open(player.path)
                player.click(said[:2], said[2:])
            anns.open(anns.path)
            shown.append(anns.answer.data)
            window.goto("/games/now")
            places[said] = json.loads(window.evaluate(read))
        words = window.locator(".slip").inner_text()
        window.locator(".match .fine").last.evaluate(
            "each => { each.textContent = 'Black has lost 7 pieces and 7 pawns, you 7 pieces and 8 pawns.'; }"
        )
        places["many captures"] = json.loads(window.evaluate(read))
        button = window.get_by_role("button", name="Make the only pawn capture")

        assert button.count() == 1
        assert "Piece at c3 captured" in words
        assert "check" in words
        assert "Your knight on c3 was captured." in words
    moved = {
        said: tops
        for said, tops in places.items()
        if any(abs(top - usual) >= 1 for top, usual in zip(tops, places[""], strict=True))
    }
    assert moved == {}


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_nothing_moves_while_the_tutor_is_to_move(table: Table, windows: Windows, size: ViewportSize) -> None:
    eves = Browser(table.app_with_workers())
    eves.press("Learn the game")
    for _ in range(2):
        eves.press("Skip this part")
    eves.open(eves.path)
    shown, tops = [eves.answer.data], []
    eves.click("e2", "e4")
    shown.append(eves.answer.data)
    with windows.open(scripts=False, waits_for_fonts=True) as window:
        window.set_viewport_size(size)
        window.route("**/games/now", lambda route: route.fulfill(body=shown.pop(0), content_type="text/html"))
        for turn in ("Your turn", "Black is to move"):
            window.goto("/games/now")
            window.locator(".clock", has_text=turn).wait_for()
            tops.append(window.evaluate(_TOPS_IN_A_LESSON))

    assert tops[1] == pytest.approx(tops[0], abs=1)


def test_the_board_is_as_wide_as_the_words_above_it(
    sample_site: SampleSite, windows: Windows, phone: Page
) -> None:
    windows.change_user(phone, sample_site.cookies[WHITE])
    phone.goto(sample_site.paths["table of wild16"])
    right = "document.querySelector('{}').getBoundingClientRect().right"
    board, slip = (phone.evaluate(right.format(each)) for each in (".field", ".slip"))

    # The frame is drawn around it.
    assert board + 5 <= slip + 0.5


def test_the_table_is_painted_before_its_script_has_come(sample_site: SampleSite, windows: Windows) -> None:
    with windows.open(sample_site.cookies[WHITE]) as window:
        window.route("**/table.js", lambda route: None)
        window.goto(sample_site.paths["table of wild16"], wait_until="commit")
        window.locator(".board .wK").wait_for()

        window.evaluate(_PAINTED)

        assert window.locator(".board .own").count() == 0


#: Moves after which the log is longer than a phone's screen.
_MOVES = {
    "e2e4": "d7d5",
    "e4d5": "g8f6",
    "g1f3": "b8c6",
    "b1c3": "e7e6",
    "d2d4": "a7a6",
    "c1g5": "h7h6",
    "h2h3": "b7b6",
}
_ROWS = "all => all.map(each => each.getBoundingClientRect().top + scrollY)"


@pytest.fixture(scope="module")
def long_game(public_server: PublicServer) -> str:
    """The path of a game with a long log, in which it is White's move."""
    table, path = public_server.table, f"/games/{begin(public_server.table, 'wild16')}"
    browsers = [Browser(table.app_with_workers()) for _ in Side]
    for browser, player in zip(browsers, (ANN, BEN), strict=True):
        browser.sign_in_directly(table, player)
    for orders in _MOVES.items():
        for browser, order in zip(browsers, orders, strict=True):
            browser.open(path)
            browser.send(order)
    return path


@pytest.mark.parametrize(
    ("size", "query", "move", "wanted"),
    [
        (LAPTOP, "", 5, 200),
        (STEADY[2], "?log=whole", 3, 700),
        (PHONE, "", 5, 600),
        (PHONE, "?log=whole", 7, 300),
        (PHONE, "?log=whole", 3, 700),
    ],
)
def test_a_past_board_appears_under_the_finger_and_the_log_stays(
    public_server: PublicServer,
    windows: Windows,
    long_game: str,
    size: ViewportSize,
    query: str,
    move: int,
    wanted: int,
) -> None:
    with windows.open(cookie_of(public_server.table, ANN), waits_for_fonts=True) as window:
        window.set_viewport_size(size)
        window.goto(long_game + query)
        window.wait_for_load_state("networkidle")
        number = window.locator(".log button", has_text=f"Move {move}")
        number.evaluate("(each, y) => scrollBy(0, each.getBoundingClientRect().top - y)", wanted)
        row, rows = bounding_box(number), window.locator(".log > li").evaluate_all(_ROWS)
        assert abs(row["y"] - wanted) < 40
        window.mouse.click(row["x"] + 150, row["y"] + 5)
        window.locator("#now").wait_for()
        board, past = (bounding_box(window.locator(each)) for each in (".map", ".past"))

        assert bounding_box(number) == row
        assert window.locator(".log > li").evaluate_all(_ROWS) == rows
        assert board["y"] >= 0
        assert past["y"] + past["height"] <= size["height"]
        assert past["y"] >= 0
        assert size != PHONE or not board["y"] - 5 <= row["y"] <= past["y"] + past["height"]
        window.get_by_role("button", name="Back to now").click()
        window.locator("#now").wait_for(state="detached")
        assert bounding_box(number) == row


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_a_past_board_is_marked_and_nothing_offers_to_move_there(
    public_server: PublicServer, windows: Windows, long_game: str, size: ViewportSize
) -> None:
    with windows.open(cookie_of(public_server.table, ANN), waits_for_fonts=True) as window:
        window.set_viewport_size(size)
        window.goto(f"{long_game}?log=whole")
        tools, steps = bounding_box(window.locator(".tools")), bounding_box(window.locator("#earlier"))
        window.locator(".log button", has_text="Move 3").click()
        chosen = window.locator(".log [aria-current=true]")
        chosen.wait_for()

        assert chosen.locator("h3").inner_text().endswith("3")
        assert "move 3 of 8" in window.locator(".match").inner_text()
        assert window.get_by_role("button", name="Send to the umpire").count() == 0
        assert window.get_by_role("button", name="One move").count() == 0
        window.evaluate("scrollTo(0, 0)")
        assert bounding_box(window.locator(".tools")) == tools
        assert bounding_box(window.locator("#earlier")) == steps
        for step, number in (("after", "4"), ("before", "3")):
            window.get_by_role("button", name=f"Your board {step} this").click()
            window.locator(f"#how:has-text('move {number}')").wait_for()
            window.evaluate("scrollTo(0, 0)")
            assert bounding_box(window.locator("#earlier")) == steps
