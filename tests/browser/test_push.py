"""Web push in a real Chromium: everything but the browser maker's servers, which tests can't reach."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from corr.service.players import push_subscriptions
from tests.support.chromium import (
    CHROMIUM,
    SIZES,
    ColorScheme,
    Windows,
    axe_violations,
    horizontal_overflow,
    html_errors,
    run_chromium,
    set_view,
)
from tests.support.every_page import SampleSite
from tests.support.public_server import PublicServer
from tests.support.push_device import (
    KEY,
    PendingPush,
    decrypt_on_device,
    endpoint,
    pending_test_pushes,
    public_and_secret,
)
from tests.support.table import ANN
from tests.support.waiting import comes_true, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page, Playwright

#: What the maker's servers would answer: an endpoint and keys.
_NAMED = """
([endpoint, p256dh, auth]) => {
  const named = { endpoint, toJSON: () => ({ endpoint, keys: { p256dh, auth } }), unsubscribe: async () => {
    localStorage.removeItem("named");
    return true;
  } };
  const known = () => localStorage.getItem("named") ? named : null;
  PushManager.prototype.getSubscription = async () => known();
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    localStorage.setItem("named", JSON.stringify([userVisibleOnly, applicationServerKey]));
    return named;
  };
}
"""
#: A scripted click may not open a window, so we record which one would be opened or focused.
_CLICKED = """
async (tag) => {
  const went = [];
  Clients.prototype.openWindow = async (url) => went.push(`opened ${url}`);
  WindowClient.prototype.focus = async function () { went.push(`came to the front ${this.url}`); };
  const [notification] = await registration.getNotifications({ tag });
  const click = new NotificationEvent("notificationclick", { notification });
  let done;
  click.waitUntil = (promise) => { done = promise; };
  dispatchEvent(click);
  await done;
  return went;
}
"""
LIGHTS: tuple[ColorScheme, ...] = ("light", "dark")
#: How often we deliver a push, and how many seconds we wait each time.
_AGAIN, _A_WHILE = 8, 15
_SHOWN = """
async () => (await (await navigator.serviceWorker.ready).getNotifications())
  .map(({ title, body, tag }) => ({ title, body, tag }))
"""


@pytest.fixture(scope="module")
def windows(playwright: Playwright, public_server: PublicServer) -> Iterator[Windows]:
    """The full Chromium: the headless shell shows no notices."""
    with run_chromium(playwright, CHROMIUM, public_server.url) as made:
        yield made


@pytest.fixture
def anns(sample_site: SampleSite, windows: Windows) -> Iterator[Page]:
    """The settings of a player whose browser may show notices."""
    with windows.open(sample_site.sign_in(ANN)) as page:
        page.context.grant_permissions(["notifications"])
        page.add_init_script(f"({_NAMED})({[endpoint(), *public_and_secret()]!r})")
        page.goto("/settings/")
        yield page
        removing = page.get_by_role("button", name="Remove").filter(visible=True)
        while left := removing.count():
            removing.first.click()
            wait_until(lambda left=left: removing.count() < left, "a device is removed")


def switch_on_device(page: Page) -> None:
    page.get_by_role("button", name="Notify this device").click()
    page.get_by_text("We'll notify this device").wait_for()


def asked(public_server: PublicServer) -> PendingPush:
    """The only pending test push."""
    (call,) = pending_test_pushes(public_server.table.server)
    return call


def deliver(page: Page, plain: bytes) -> CDPSession:
    """Deliver a push to the service worker as the maker's servers would.

    A push that comes while the worker wakes may be lost, so we deliver it again; the tag is the same.
    """
    wire = page.context.new_cdp_session(page)
    found: list[dict[str, Any]] = []
    wire.on("ServiceWorker.workerRegistrationUpdated", lambda told: found.extend(told["registrations"]))
    wire.send("ServiceWorker.enable")
    wait_until(lambda: page.evaluate("1") and bool(found), "the service worker is known")
    (*_, alive) = (each for each in found if not each["isDeleted"])
    this = {"origin": page.evaluate("location.origin"), "registrationId": alive["registrationId"]}
    before = page.evaluate(_SHOWN)
    for _ in range(_AGAIN):
        wire.send("ServiceWorker.deliverPushMessage", this | {"data": plain.decode()})
        if comes_true(lambda: page.evaluate(_SHOWN) != before, _A_WHILE):
            break
    return wire


def shown(page: Page, most: int = 1) -> list[dict[str, str]]:
    """The notices shown on the device."""
    wait_until(lambda: len(page.evaluate(_SHOWN)) == most, "a notice is shown")
    found: list[dict[str, str]] = page.evaluate(_SHOWN)
    return found


def test_a_device_is_added_and_shows_its_test(anns: Page, public_server: PublicServer) -> None:
    switch_on_device(anns)
    assert anns.evaluate("localStorage.named") == anns.evaluate(
        "JSON.stringify([true, document.getElementById('device').dataset.key])"
    )
    anns.get_by_role("button", name="Send a test").click()
    anns.get_by_text("is on its way. If it doesn't arrive within a minute").wait_for()
    deliver(anns, decrypt_on_device(asked(public_server).push, KEY))

    assert shown(anns) == [
        {"title": "Test notification", "body": "We'll notify this device when it's your turn.", "tag": "test"}
    ]


def test_a_notice_names_game_variant_and_time_and_a_later_one_replaces_it(anns: Page) -> None:
    switch_on_device(anns)
    for until in ("Tue 24 Nov 2026, 21:00 UTC", "Wed 25 Nov 2026, 21:00 UTC"):
        deliver(anns, push_subscriptions.word_turn("abcde", "Wild 16", until).as_json)
    deliver(anns, push_subscriptions.word_turn("bcdef", "Classic", "").as_json)

    assert shown(anns, 2) == [
        {
            "title": "Your turn: Wild 16",
            "body": "Game abcde, until Wed 25 Nov 2026, 21:00 UTC",
            "tag": "abcde",
        },
        {"title": "Your turn: Classic", "body": "Game bcdef", "tag": "bcdef"},
    ]


def test_a_click_on_a_notice_opens_the_page_of_its_game(anns: Page, sample_site: SampleSite) -> None:
    switch_on_device(anns)
    at = sample_site.paths["table of wild16"]
    deliver(anns, push_subscriptions.word_turn(at.rpartition("/")[2], "Wild 16", "").as_json)
    shown(anns)
    (worker,) = anns.context.service_workers

    assert worker.evaluate(_CLICKED, at.rpartition("/")[2]) == [
        f"opened {anns.evaluate('location.origin')}{at}"
    ]
    assert anns.evaluate(_SHOWN) == []


def test_a_click_brings_the_page_of_its_game_to_the_front_where_it_is_open(
    anns: Page, sample_site: SampleSite
) -> None:
    switch_on_device(anns)
    at = sample_site.paths["table of wild16"]
    anns.goto(f"{at}?from=e2")
    deliver(anns, push_subscriptions.word_turn(at.rpartition("/")[2], "Wild 16", "").as_json)
    shown(anns)
    (worker,) = anns.context.service_workers

    assert worker.evaluate(_CLICKED, at.rpartition("/")[2]) == [f"came to the front {anns.url}"]
    anns.goto("/settings/")


def test_this_device_is_recognised_among_others_and_removed(anns: Page) -> None:
    switch_on_device(anns)
    anns.get_by_text(": this device").wait_for()
    assert not anns.get_by_role("button", name="Notify this device").is_visible()
    anns.get_by_role("button", name="Remove").last.click()
    anns.get_by_text("We'll no longer notify").wait_for()

    assert anns.evaluate("localStorage.named ?? null") is None
    anns.get_by_role("button", name="Notify this device").wait_for()


def test_the_device_settings_are_accessible_at_all_sizes(anns: Page, tmp_path: Path) -> None:
    switch_on_device(anns)
    anns.get_by_text(": this device").wait_for()
    (tmp_path / "settings.html").write_text(anns.content())
    for width, light in product(SIZES, LIGHTS):
        set_view(anns, light, width)

        assert (axe_violations(anns), horizontal_overflow(anns)) == ([], 0), (width, light)
    assert html_errors(tmp_path) == []


def test_no_service_worker_runs_before_it_is_needed(anns: Page) -> None:
    assert anns.evaluate("navigator.serviceWorker.getRegistrations().then((found) => found.length)") == 0
    switch_on_device(anns)

    assert anns.evaluate("navigator.serviceWorker.getRegistrations().then((found) => found.length)") == 1


def test_the_page_says_if_the_browser_allows_no_notices(sample_site: SampleSite, windows: Windows) -> None:
    with windows.open(sample_site.sign_in(ANN)) as page:
        page.goto("/settings/")
        button = page.get_by_role("button", name="Notify this device")
        button.click()
        page.get_by_text("Your browser didn't allow notifications").wait_for()

        assert button.is_enabled()


def test_the_pages_can_be_installed(anns: Page) -> None:
    wire = anns.context.new_cdp_session(anns)
    found = wire.send("Page.getAppManifest")
    trouble = wire.send("Page.getInstallabilityErrors")

    assert found["url"].endswith("/manifest.webmanifest")
    assert found["errors"] == []
    # Test windows are incognito, where nothing can be installed.
    assert [each["errorId"] for each in trouble["installabilityErrors"]] in ([], ["in-incognito"])
