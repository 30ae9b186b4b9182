"""The demo as it is shipped, in a real browser: played by clicks on its boards, and from its mailboxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.test_games import by_click
from tests.support.windows import Windows, come_to

if TYPE_CHECKING:
    from playwright.sync_api import Page


def be_called(window: Page) -> None:
    """Wait until it is the turn of who looks at this window."""
    window.locator("#table[data-calls]").wait_for(state="attached")


def play(window: Page, origin: str, target: str) -> str:
    """Move a man by two clicks; what is said of his square once the umpire has answered."""
    be_called(window)
    by_click(window, origin)
    window.locator("td[aria-selected]").wait_for()
    by_click(window, target)
    moved = window.locator(f"[data-square={target}][aria-label*='your last move']")
    moved.wait_for()
    return str(moved.get_attribute("aria-label"))


def test_the_demo_is_played_by_clicks_and_from_a_mailbox(demo_url: str, windows: Windows) -> None:
    demo = Windows(windows.chromium, demo_url)
    with demo.of() as mail:
        come_to(mail, "/demo/")
        tables = [str(mail.locator(f"#{name} h2 a").get_attribute("href")) for name in ("ann", "ben")]
        anns, bens = mail.context.new_page(), mail.context.new_page()
        for window, table in zip((anns, bens), tables, strict=True):
            come_to(window, table)
        assert play(anns, "e2", "e4") == "e4, your pawn; your last move"
        assert play(bens, "d7", "d5") == "d5, your pawn; your last move"
        assert play(anns, "e4", "d5").startswith("d5, your pawn; your last move")
        come_to(mail, "/demo/")
        reply = mail.locator("#ben form.reply", has_text="Send twice").first
        reply.locator("textarea").fill("d8d5")
        reply.get_by_role("button", name="Send", exact=True).click()
        anns.locator("[data-square=d5][aria-label*='captured here']").wait_for()

        assert demo.troubles == []
