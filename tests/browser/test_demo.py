"""`corr demo` in a real browser: played by clicks on its boards, and from its mailboxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.test_games import click_square
from tests.browser.test_phones import ESSENTIALS, LAPTOP, PHONE
from tests.support.chromium import Windows, bounding_box, open_path
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import FrameLocator, Locator, Page


_MARK_FRAMES = "([pages, email]) => { pages.contentWindow.mark = 'pages'; email.mark = 'email'; }"
_READ_MARKS = (
    "all => all.map(each => each.className === 'pages' ? each.contentWindow.mark : each.mark ?? null)"
)


def wait_for_own_turn(window: Page | FrameLocator) -> None:
    """Wait until the window's player is to move."""
    window.locator("#table[data-calls]").wait_for(state="attached")


def play(window: Page | FrameLocator, origin: str, target: str) -> str:
    """Move a piece by two clicks; return its square's label after the answer."""
    wait_for_own_turn(window)
    click_square(window, origin)
    window.locator("td[aria-selected]").wait_for()
    click_square(window, target)
    moved = window.locator(f"[data-square={target}]", has_text="your last move")
    moved.wait_for()
    return str(moved.text_content())


def test_the_demo_is_played_by_clicks_and_from_a_mailbox(demo_url: str, windows: Windows) -> None:
    demo = Windows(windows.chromium, demo_url)
    with demo.open() as mail:
        tables = []
        for name in ("Ann", "Ben"):
            open_path(mail, "/demo/")
            mail.locator(".filters").get_by_role("link", name=name).click()
            tables.append(str(mail.get_by_role("link", name="Open in a new window").get_attribute("href")))
        anns, bens = mail.context.new_page(), mail.context.new_page()
        for window, table in zip((anns, bens), tables, strict=True):
            open_path(window, table)
        assert play(anns, "e2", "e4") == "e4, your pawn; your last move"
        assert play(bens, "d7", "d5") == "d5, your pawn; your last move"
        assert play(anns, "e4", "d5").startswith("d5, your pawn; your last move")
        open_path(mail, "/demo/?who=ben")
        reply = mail.locator("#ben form.reply", has_text="Send twice").first
        reply.locator("textarea").fill("d8d5")
        reply.get_by_role("button", name="Send", exact=True).click()
        anns.locator("[data-square=d5]", has_text="captured here").wait_for()

        mail.set_viewport_size(PHONE)
        open_path(mail, "/demo/")
        anns_table = mail.frame_locator("#ann .pages")
        anns_table.locator(".talk .answer").wait_for()
        below = {each: lowest(anns_table.locator(each)) for each in ESSENTIALS[1:]}
        assert max(below.values()) <= PHONE["height"], below

        assert demo.problems == []


def test_a_link_in_an_email_opens_its_readers_page(demo_url: str, windows: Windows) -> None:
    demo = Windows(windows.chromium, demo_url)
    with demo.open() as window:
        open_path(window, "/sign-in")
        window.get_by_label("Your email address").fill("cleo@strangers.example")
        with window.expect_navigation():
            window.get_by_role("button", name="Email me a code").click()
        wait_until(lambda: has_email(window, "cleo"), "the letter is there")
        window.frame_locator("#cleo .letter iframe").get_by_role("link", name="/letters/").click()
        window.get_by_role("button", name="Sign in").click()
        window.get_by_role("heading", name="Lobby").wait_for()

        open_path(window, "/demo/")
        window.frame_locator("#ann .letter iframe").get_by_role("link", name="Open the game").click()
        window.get_by_role("grid").wait_for()

        window.set_viewport_size(PHONE)
        window.goto("/ann/games/")
        sign = window.locator(".me").last
        assert sign.evaluate("sign => sign.scrollWidth <= sign.clientWidth")
        assert demo.problems == []


def test_the_page_follows_a_move_on_the_board_in_its_frame(demo_url: str, windows: Windows) -> None:
    demo = Windows(windows.chromium, demo_url)
    with demo.open() as window:
        start_game(window)
        before = waiting_games(window)
        play(window.frame_locator(".pages"), "e2", "e4")
        moved = [before[0] - 1, before[1] + 1]
        wait_until(lambda: waiting_games(window) == moved, "the page counts the move")

        assert window.locator(".mailbox > .quiet", has_text="It's no longer Ann's turn.").count() > 0
        assert demo.problems == []


def test_a_new_email_keeps_a_typed_reply_and_the_frame(demo_url: str, windows: Windows) -> None:
    demo = Windows(windows.chromium, demo_url)
    with demo.open() as bens:
        start_game(bens)
        open_path(bens, "/demo/?who=ben")
        reply = bens.locator(f"#{bens.locator('article textarea').first.get_attribute('id')}")
        reply.press_sequentially("d7")
        bens.locator(".pages, .letter iframe").evaluate_all(_MARK_FRAMES)
        emails = bens.locator(".mailbox article")
        assert emails.count() == 1
        anns = bens.context.new_page()
        open_path(anns, "/demo/")
        play(anns.frame_locator(".pages"), "e2", "e4")
        emails.nth(1).wait_for()
        bens.keyboard.type("d5")

        assert reply.input_value() == "d7d5"
        assert bens.locator(".pages, .letter iframe").evaluate_all(_READ_MARKS) == ["pages", None, "email"]
        assert demo.problems == []


def test_without_scripts_a_reload_shows_a_move(demo_url: str, windows: Windows) -> None:
    demo = Windows(windows.chromium, demo_url)
    with demo.open(scripts=False) as window:
        start_game(window)
        before = waiting_games(window)
        window.locator("#ann form.reply textarea").last.fill("e2e4")
        with window.expect_navigation():  # going on too soon would take the form back
            window.locator("#ann article").get_by_role("button", name="Send", exact=True).click()
        moved = [before[0] - 1, before[1] + 1]
        wait_until(lambda: waiting_games_after_reload(window) == moved, "the page counts the move")


def waiting_games_after_reload(window: Page) -> list[int]:
    open_path(window, "/demo/?who=ann")
    return waiting_games(window)


def test_a_laptop_shows_the_whole_board_without_scrolling(demo_url: str, windows: Windows) -> None:
    demo = Windows(windows.chromium, demo_url)
    with demo.open() as window:
        window.set_viewport_size(LAPTOP)
        open_path(window, "/demo/")
        frame, files = (
            bounding_box(window.locator(".pages")),
            window.frame_locator(".pages").locator(".files"),
        )

        assert lowest(files) <= frame["y"] + frame["height"] <= LAPTOP["height"]
        assert window.evaluate("document.documentElement.scrollHeight") == LAPTOP["height"]


def test_the_page_opens_on_a_game_that_waits_for_its_player(demo_url: str, windows: Windows) -> None:
    demo = Windows(windows.chromium, demo_url)
    with demo.open() as window:
        start_game(window)
        start_game(window)
        game = window.frame_locator(".pages")
        play(game, "e2", "e4")
        moved = window.locator(".pages").get_attribute("src")
        open_path(window, "/demo/")
        wait_for_own_turn(game)

        assert window.locator(".pages").get_attribute("src") != moved


def test_game_buttons_and_clock_buttons_are_apart(demo_url: str, windows: Windows) -> None:
    demo = Windows(windows.chromium, demo_url)
    with demo.open() as window:
        open_path(window, "/demo/")
        window.locator("summary", has_text="Games and clock").click()
        button = window.get_by_role("button", name="Advance the clock")

        assert bounding_box(button)["y"] - lowest(window.get_by_role("button", name="New game")) >= 8


def test_the_buttons_for_games_and_the_clock_leave_the_board_as_it_is(
    demo_url: str, windows: Windows
) -> None:
    demo = Windows(windows.chromium, demo_url)
    with demo.open() as window:
        window.set_viewport_size(LAPTOP)
        open_path(window, "/demo/")
        board = window.frame_locator(".pages").locator(".field")
        before = bounding_box(board)
        window.locator("summary", has_text="Games and clock").click()
        button = window.get_by_role("button", name="Advance the clock")

        assert lowest(button) <= LAPTOP["height"]
        assert bounding_box(board) == before


def test_a_mailbox_says_who_gets_email_and_how_to_challenge_a_stranger(
    demo_url: str, windows: Windows
) -> None:
    demo = Windows(windows.chromium, demo_url)
    with demo.open() as window:
        open_path(window, "/demo/")

        said = window.locator(".mailbox > .quiet").first.inner_text()
        assert "Only the four people above get email." in said
        assert "Challenge Cleo by her address, cleo@strangers.example." in said


def test_the_front_page_of_the_demo_offers_a_game_first_and_both_sides_too(
    demo_url: str, windows: Windows
) -> None:
    demo = Windows(windows.chromium, demo_url)
    with demo.open() as window:
        open_path(window, "/")
        controls = window.locator(".hero .deeds > *")

        assert window.locator(".hero .main").inner_text() == "Play now"
        assert bounding_box(controls.last)["y"] < lowest(controls.first)
        window.get_by_role("link", name="play both sides").click()
        window.locator(".person").wait_for()


def start_game(window: Page) -> None:
    """Start a game of Ann against Ben, and open Ann's side of it."""
    open_path(window, "/demo/")
    window.locator("summary", has_text="Games and clock").click()
    window.get_by_role("button", name="New game").click()
    window.wait_for_url("**/demo/?who=ann*")


def waiting_games(window: Page) -> list[int]:
    """The numbers of waiting games beside the names of Ann and Ben."""
    pills = window.locator(".filters a")
    return [int("".join(filter(str.isdigit, pills.nth(each).inner_text())) or 0) for each in (0, 1)]


def has_email(window: Page, name: str) -> bool:
    """Whether someone's mailbox has an email."""
    open_path(window, f"/demo/?who={name}")
    return window.locator(f"#{name} .letter iframe").count() > 0


def lowest(shown: Locator) -> float:
    """The bottom edge of an element, also inside a frame."""
    box = bounding_box(shown)
    return box["y"] + box["height"]
