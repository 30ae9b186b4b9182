"""Sounds and notices in a real browser: only if switched on, and they reveal nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from corr.words.board import Pair, Side
from tests.browser.test_games import Seat, fetch_news, is_for_news, seated
from tests.support.chromium import CHROMIUM, Windows, run_chromium
from tests.support.public_server import PublicServer
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page, Playwright

__all__ = ["seated"]

Seated = Callable[[str, str], Pair[Seat]]
#: Records Chromium's notices when it shows them.
_WRITE_DOWN = """
window.notices = [];
window.Notification = class extends Notification {
  constructor(...told) {
    super(...told);
    this.addEventListener("show", () => window.notices.push(`${this.title}${this.body}`));
  }
};
"""


@pytest.fixture(scope="module")
def windows(playwright: Playwright, public_server: PublicServer) -> Iterator[Windows]:
    """The full Chromium: the headless shell shows no notices, and all its windows have the focus."""
    with run_chromium(playwright, CHROMIUM, public_server.url) as made:
        yield made


def sounds_of(window: Page) -> list[str]:
    """What Chromium reports of its sounds: each tone, and when it can be heard."""
    heard: list[str] = []
    wire = window.context.new_cdp_session(window)
    wire.on("WebAudio.audioNodeCreated", lambda made: heard.append(made["node"]["nodeType"]))
    wire.on("WebAudio.contextChanged", lambda now: heard.append(now["context"]["contextState"]))
    wire.send("WebAudio.enable")
    return heard


def look_away(window: Page) -> None:
    """Move the focus to another window."""
    wire = window.context.new_cdp_session(window)
    wire.send("Emulation.setFocusEmulationEnabled", {"enabled": False})
    window.context.new_page().bring_to_front()
    wait_until(lambda: not window.evaluate("document.hasFocus()"), "the focus is elsewhere")


def move(seats: Pair[Seat]) -> None:
    """White moves, and Black's page gets the news."""
    seats.white.order("e2", "e4")
    fetch_news(seats.black.window)
    seats.black.window.locator("#table[data-calls]").wait_for(state="attached")


def switch_on(window: Page, kind: str) -> None:
    window.locator("#calls summary").click()
    window.locator(f"#{kind}").click()
    window.locator(f"#{kind}[aria-pressed=true]").wait_for()


def at_table(seats: Pair[Seat]) -> Page:
    """Open both tables; return Black's window, which may show notices and records them."""
    bens = seats.black.window
    bens.context.grant_permissions(["notifications"])
    bens.add_init_script(_WRITE_DOWN)
    for side in Side:
        seats[side].look()
    return bens


def test_there_are_no_sounds_or_notices_unless_switched_on(seated: Seated) -> None:
    seats = seated("wild16", "by clicks")
    bens = at_table(seats)
    heard = sounds_of(bens)
    bens.locator("#main").click()
    look_away(bens)
    move(seats)

    assert (heard, bens.evaluate("notices")) == ([], [])


def test_a_sound_plays_at_ones_turn_and_when_switched_on(seated: Seated) -> None:
    seats = seated("wild16", "by clicks")
    bens = at_table(seats)
    heard = sounds_of(bens)
    switch_on(bens, "sound")
    assert heard.count("Oscillator") == 2
    move(seats)

    assert heard.count("Oscillator") == 4
    assert heard.count("running") == 2


def test_own_moves_refusals_captures_and_checks_sound_once_sound_is_on(seated: Seated) -> None:
    seats = seated("wild16", "by clicks")
    seats.white.look()
    heard = sounds_of(seats.white.window)
    switch_on(seats.white.window, "sound")
    for order, tones in (("d2e3", 2), ("e2e4", 1), ("f1b5", 3)):
        before = heard.count("Oscillator")
        seats.white.order(order[:2], order[2:])
        wait_until(
            lambda before=before, tones=tones: heard.count("Oscillator") == before + tones,
            f"{order} is heard",
        )
        if order == "e2e4":
            answer(seats, "d7", "d5")


def test_the_opponents_refused_tries_make_no_sound(seated: Seated) -> None:
    seats = seated("classic", "by clicks")
    for side in Side:
        seats[side].look()
    heard = sounds_of(seats.black.window)
    switch_on(seats.black.window, "sound")
    seats.white.order("e2", "d3")
    fetch_news(seats.black.window)
    seats.black.window.get_by_text("White attempted an illegal move").first.wait_for()

    assert heard.count("Oscillator") == 2, "as when it was switched on"


def answer(seats: Pair[Seat], *squares: str) -> None:
    """Black moves, and White's page gets the news."""
    seats.black.look()
    seats.black.order(*squares)
    fetch_news(seats.white.window)
    seats.white.window.locator("#table[data-calls]").wait_for(state="attached")


def test_a_notice_in_the_background_says_only_that_it_is_your_turn(
    seated: Seated,
) -> None:
    seats = seated("wild16", "by clicks")
    bens = at_table(seats)
    switch_on(bens, "notice")
    wait_until(lambda: len(bens.evaluate("notices")) == 1, "a notice is shown")
    look_away(bens)
    asked: list[str] = []
    bens.on("request", lambda request: asked.append(request.url))
    move(seats)
    wait_until(lambda: len(bens.evaluate("notices")) == 2, "a notice is shown")

    assert bens.evaluate("notices")[1] == "Your turn: Wild 16 with ann"
    own = (urlsplit(bens.url).path, "/static/")
    assert [url for url in asked if not urlsplit(url).path.startswith(own)] == []


def test_there_is_no_notice_while_the_table_is_in_front(seated: Seated) -> None:
    seats = seated("wild16", "by clicks")
    bens = at_table(seats)
    switch_on(bens, "notice")
    wait_until(lambda: len(bens.evaluate("notices")) == 1, "a notice is shown")
    move(seats)

    assert len(bens.evaluate("notices")) == 1


def test_the_switch_stays_off_if_the_browser_shows_no_notices(seated: Seated) -> None:
    bens = seated("wild16", "by clicks").black
    bens.look()
    bens.window.locator("#calls summary").click()
    bens.window.locator("#notice").click()
    bens.window.get_by_text("Your browser doesn't allow this.").wait_for()

    assert bens.window.locator("#notice").get_attribute("aria-pressed") == "false"


def test_a_page_untouched_for_an_hour_gets_news_within_five_seconds(seated: Seated) -> None:
    seats = seated("wild16", "by clicks")
    bens = seats.black.window
    seats.white.look()
    bens.route("**/news", lambda route: route.abort())  # with a stream of news a page needn't ask
    bens.clock.install()
    seats.black.look()
    bens.clock.fast_forward("01:00:00")
    for _ in range(3):
        with bens.expect_response(lambda answer: is_for_news(answer.request)):
            bens.clock.run_for(5_000)
    seats.white.order("e2", "e4")
    bens.clock.run_for(5_000)
    bens.locator("#table[data-calls]").wait_for(state="attached")
