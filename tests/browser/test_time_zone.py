"""The browser's time zone is offered on "Your games", and used only if the player agrees."""

from __future__ import annotations

from tests.support.chromium import Windows
from tests.support.every_page import COOKIE, WHITE, SampleSite


def test_the_browsers_time_zone_is_offered_once_and_may_be_refused(
    sample_site: SampleSite, windows: Windows
) -> None:
    context = windows.chromium.new_context(base_url=windows.url, timezone_id="Europe/Paris")
    context.add_cookies([{"name": COOKIE, "value": sample_site.cookies[WHITE], "url": windows.url}])
    window = context.new_page()
    window.goto("/games/")
    assert window.get_by_text("Show times in Europe/Paris").is_visible()

    window.get_by_role("button", name="Keep UTC").click()
    window.goto("/games/")
    assert not window.get_by_text("Show times in").is_visible()
    context.close()
