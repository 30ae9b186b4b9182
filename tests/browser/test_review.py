"""A finished game is walked through by keys in a real browser, without a page being loaded."""

from __future__ import annotations

from tests.support.stage import Stage
from tests.support.windows import Windows


def test_arrows_home_and_end_go_through_a_game_and_no_page_is_loaded(stage: Stage, windows: Windows) -> None:
    with windows.of() as window:
        window.goto(stage.places["finished crazykrieg"] + "?at=2")
        window.evaluate("window.isTheSame = true")
        for key, step in (
            ("ArrowRight", 3),
            ("ArrowLeft", 2),
            ("ArrowLeft", 1),
            ("Home", 0),
            ("ArrowRight", 1),
        ):
            window.keyboard.press(key)
            window.locator(f'.moves a[aria-current="step"][href$="at={step}"]').wait_for()
            assert window.url.endswith(f"at={step}")
        window.keyboard.press("t")
        window.locator('.ranks span:first-child:has-text("1")').first.wait_for()
        window.keyboard.press("End")
        window.locator("span#next").wait_for()
        window.get_by_role("button", name="Play").click()
        window.locator('.moves a[aria-current="step"][href$="at=0"]').wait_for()

        assert window.evaluate("window.isTheSame")
