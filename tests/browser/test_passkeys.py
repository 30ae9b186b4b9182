"""An operator's passkey in a real Chromium with a virtual authenticator."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from corr.service.lobby import game_starts
from corr.service.players import players
from corr.service.server import wall_clock
from corr.words.board import Pair
from tests.support.browser import Browser
from tests.support.chromium import Windows, axe_violations, horizontal_overflow, html_errors
from tests.support.database_servers import HOST, answers, free_port
from tests.support.procfile import Process, read_procfile
from tests.support.public_server import PublicServer
from tests.support.table import Table
from tests.support.waiting import TIMEOUT, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

OLGA = "olga@localhost.example"
#: How many milliseconds to wait on a busy machine.


@pytest.fixture(scope="module")
def site(public_server: PublicServer, windows: Windows) -> Iterator[Windows]:
    """The same server under a hostname that allows passkeys, with Olga as an operator."""
    port = free_port()
    url = f"http://localhost:{port}"
    changes = {"CORR_WEB_LISTEN": f"{HOST}:{port}", "CORR_WEB_URL": url, "CORR_OPERATORS": OLGA}
    web = Process(
        "operators",
        read_procfile()["web"],
        public_server.settings | changes,
        public_server.logs / "operators.log",
    )
    players.add(public_server.table.server, "Olga", OLGA, wall_clock())
    web.start()
    wait_until(lambda: answers(port), "the operators' pages are shown")
    yield Windows(windows.chromium, url, windows.problems)
    web.stop()


def cookie_of(table: Table) -> str:
    """The cookie of the operator, who has just signed in."""
    browser = Browser(table.app())
    browser.sign_in_directly(table, OLGA, wall_clock())
    cookie = browser.client.get_cookie("corr")
    assert cookie
    return cookie.value


def give_authenticator(page: Page, *, knows: bool = True) -> None:
    """Add a virtual device that answers at once; `knows` says whether it verifies its user."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": knows,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def begin_passkey(page: Page, name: str) -> None:
    """Open the page that creates a passkey."""
    page.get_by_label("Name of the new passkey").fill(name)
    page.get_by_role("button", name="Add passkey").click()
    page.get_by_role("heading", name="New passkey").wait_for()


@pytest.mark.parametrize("width", [320, 1280])
def test_a_passkey_is_set_up_and_used_for_a_decision(
    public_server: PublicServer, site: Windows, tmp_path: Path, width: int
) -> None:
    table, names = public_server.table, (f"one@w{width}.example", f"other@w{width}.example")
    code = game_starts.propose(table.server, Pair(*names), "wild16", "3d", wall_clock())
    with site.open(cookie_of(table), width=width) as page:
        page.set_default_timeout(TIMEOUT * 1000)
        page.goto("/settings/")
        give_authenticator(page)
        begin_passkey(page, f"of width {width}")
        (tmp_path / "new.html").write_text(page.content())
        assert (axe_violations(page), horizontal_overflow(page)) == ([], 0)
        page.get_by_role("button", name="Create the passkey").click()
        page.get_by_text("Passkey added.").wait_for()
        assert axe_violations(page) == []

        page.goto(f"/admin/games/{code}")
        page.get_by_label("Result").select_option("void")
        page.get_by_label("Reason (both players will read it)").fill("It was proposed twice.")
        page.get_by_role("button", name="End the game").click()
        page.get_by_role("heading", name="Confirm with your passkey").wait_for()
        (tmp_path / "shown.html").write_text(page.content())
        assert (axe_violations(page), horizontal_overflow(page)) == ([], 0)
        page.get_by_role("button", name="Use your passkey").click()
        page.get_by_text("A worker will do this").wait_for()

        page.goto("/settings/")
        page.get_by_role("button", name="Remove passkey").click()
        page.get_by_role("button", name="Use your passkey").click()
        page.get_by_text(f"Passkey “of width {width}” removed.").wait_for()
    assert html_errors(tmp_path) == []


def test_a_device_that_does_not_verify_its_user_sets_up_no_passkey(
    public_server: PublicServer, site: Windows
) -> None:
    with site.open(cookie_of(public_server.table)) as page:
        page.set_default_timeout(TIMEOUT * 1000)
        page.goto("/settings/")
        give_authenticator(page, knows=False)
        begin_passkey(page, "nobody's")
        button = page.get_by_role("button", name="Create the passkey")
        button.click()
        page.get_by_text("Your browser didn't use a passkey.").wait_for()

        assert button.is_enabled()
        page.goto("/settings/")
        assert page.get_by_role("button", name="Remove passkey").count() == 0


def test_without_scripts_the_page_says_that_passkeys_need_them(
    public_server: PublicServer, site: Windows
) -> None:
    with site.open(cookie_of(public_server.table), scripts=False) as page:
        page.set_default_timeout(TIMEOUT * 1000)
        page.goto("/settings/")
        begin_passkey(page, "nobody's")

        assert page.get_by_text("This needs JavaScript").is_visible()
        assert page.get_by_role("button", name="Create the passkey").is_disabled()
