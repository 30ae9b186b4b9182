"""From the front page to a game in a real browser: with and without scripts, by mouse and by keyboard."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import pytest

from tests.support.browser import link_in
from tests.support.chromium import Windows
from tests.support.public_server import PublicServer
from tests.support.table import text_of

if TYPE_CHECKING:
    from playwright.sync_api import Page


#: The label of the focused field.
FOCUSED = "(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()"


def type_into(window: Page, field: str, text: str) -> None:
    """Reach a field by Tab, fill it in and press Enter."""
    window.get_by_label(field).wait_for()
    for _ in range(40):
        window.keyboard.press("Tab")
        if window.evaluate(FOCUSED) == field:
            break
    else:
        raise AssertionError(f"Tab does not come to {field!r}")
    window.keyboard.type(text)
    window.keyboard.press("Enter")


def sign_in(server: PublicServer, window: Page, address: str, name: str) -> None:
    """Sign in with the emailed code and choose a name, all by keyboard."""
    window.goto("/sign-in")
    type_into(window, "Your email address", address)
    found = re.search(r'the six digits "(\d{6})"', server.wait_for(address, "the six digits"))
    assert found
    type_into(window, "Six digits", found[1])
    type_into(window, "Your name, as opponents will see it", name)
    window.get_by_text(f"You are {name}.").wait_for()


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_two_strangers_come_to_a_game(public_server: PublicServer, windows: Windows, scripts: bool) -> None:  # noqa: FBT001  # pytest names it
    way = "with" if scripts else "without"
    una, vic = f"una@{way}.example", f"vic@{way}.example"
    with (
        windows.open(scripts=scripts) as unas,
        windows.open(scripts=scripts, light="dark", width=320) as vics,
    ):
        sign_in(public_server, unas, una, f"Una {way}")
        unas.get_by_label("One player").fill(vic)
        unas.get_by_role("button", name="Challenge").click()
        public_server.wait_for(vic, "would like to play")
        vics.goto(link_in(text_of(public_server.table.last_email(vic))))
        vics.get_by_label("Your name").fill(f"Vic {way}")
        vics.get_by_role("button", name="Accept").click()
        vics.locator(".board").wait_for()
        public_server.wait_for(una, f"Vic {way}")
        unas.goto("/games/")

        assert unas.get_by_role("link", name=f"Vic {way}").is_visible()


def test_a_page_says_the_same_with_scripts_and_without(windows: Windows) -> None:
    said = []
    for scripts in (True, False):
        with windows.open(scripts=scripts) as window:
            window.goto("/lobby/")
            said.append(window.locator("body").inner_text())

    assert said[0] == said[1]


# ---------------------------------------------------------------- number of clicks to the first move


@dataclass
class Hand:
    """Clicks and drags in a window, and counts them."""

    window: Page
    clicks: int = 0
    drags: int = 0

    def click(self, role: Literal["button", "link"], name: str) -> None:
        self.window.get_by_role(role, name=name, exact=role == "button").click()
        self.clicks += 1

    def move(self) -> None:
        """Make White's first move."""
        self.window.drag_and_drop("[data-square=e2]", "[data-square=e4]")
        self.window.get_by_text("Black is to move").wait_for()
        self.drags += 1


VISITORS = ("stranger", "guest", "player")
#: Clicks from an invitation's page on. It signs in only strangers, because it may have been forwarded.
CLICKS_AFTER_INVITATION = {"stranger": 1, "guest": 3, "player": 3}


def arrive(server: PublicServer, window: Page, who: str, address: str) -> None:
    """Become a guest, or a player with an account who is signed out here; a stranger does nothing."""
    if who == "guest":
        window.goto("/")
        window.get_by_role("button", name="Play now").click()
        window.locator(".board").wait_for()
    elif who == "player":
        sign_in(server, window, address, address.replace("@", " ").partition(".")[0])
        window.get_by_role("button", name="Sign out", exact=True).click()
        window.get_by_role("link", name="Sign in by email").first.wait_for()


@pytest.mark.parametrize("who", VISITORS)
def test_one_click_and_one_drag_lead_from_the_front_page_to_the_first_move(
    public_server: PublicServer, windows: Windows, who: str
) -> None:
    with windows.open() as window:
        arrive(public_server, window, who, "player@first.example")
        hand = Hand(window)
        window.goto("/")
        hand.click("button", "Play now")
        hand.move()

        assert (hand.clicks, hand.drags) == (1, 1)


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_guest_who_has_resigned_begins_another_game_with_the_same_bot_by_one_click(
    windows: Windows,
    scripts: bool,  # noqa: FBT001  # pytest names it
) -> None:
    with windows.open(scripts=scripts) as window:
        hand = Hand(window)
        window.goto("/rules/cincinnati")
        hand.click("button", "Play Pip now")
        window.locator(".board").wait_for()
        first = window.url
        window.goto(f"{first}?sure=resign")
        window.get_by_role("button", name="Yes, I resign").click()
        hand.click("button", "Play another game")
        window.get_by_text("White is to move").or_(window.get_by_text("Your turn")).first.wait_for()

        assert hand.clicks == 2
        assert not window.url.startswith(first)
        assert "Cincinnati" in window.title()


@pytest.mark.parametrize("who", VISITORS)
def test_few_clicks_lead_from_an_invitation_to_the_first_move(
    public_server: PublicServer, windows: Windows, who: str
) -> None:
    address, hal = f"{who}@asked.example", f"hal@{who}.example"
    with windows.open() as window:
        arrive(public_server, window, who, address)
        public_server.table.write_to_site(hal, f"challenge {address} wild16 black", name=f"Hal {who}")
        public_server.table.reply(hal, "confirm")
        public_server.wait_for(address, "would like to play")
        hand = Hand(window)
        window.goto(link_in(text_of(public_server.table.last_email(address))))
        if who != "player":
            window.get_by_label("Your name").fill(f"New {who}")
        hand.click("button", "Accept")
        if who != "stranger":
            hand.click("button", "Sign in to play here")
            found = re.search(r'the six digits "(\d{6})"', public_server.wait_for(address, "the six digits"))
            assert found
            window.get_by_label("Six digits").fill(found[1])
            hand.click("button", "Sign in")
        hand.move()

        assert hand.clicks <= CLICKS_AFTER_INVITATION[who]
        assert hand.drags == 1
