"""Lobby pages: what they say about answered challenges, what forms keep, and where buttons lead."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.support.api_bots import first_game_code
from tests.support.browser import Browser, link_in
from tests.support.table import ANN, BEN, EVE, FAY, Table, text_of


def page_in_email(table: Table, player: str) -> str:
    """The page that a player's newest email links to."""
    found = re.search(r"https://play\.example(/\S+)", text_of(table.last_email(player)))
    assert found
    return found[1]


@pytest.fixture
def eve(table: Table) -> Browser:
    """The browser of a signed-in player."""
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    return browser


@pytest.fixture
def challenged(table: Table, eve: Browser) -> str:
    """The page of a challenge from Eve to Fay."""
    eve.press("Challenge", whom=FAY)
    table.run_workers()
    return page_in_email(table, FAY)


def test_a_challenge_that_was_answered_cannot_be_answered_on_its_page(table: Table, challenged: str) -> None:
    fays = Browser(table.app())
    fays.open(challenged)
    assert "Accept" not in fays.press("Decline")

    assert "You have declined this challenge" in fays.open(challenged)


def test_a_withdrawn_challenge_cannot_be_answered_on_its_page(
    table: Table, eve: Browser, challenged: str
) -> None:
    eve.open("/games/")
    eve.press("Withdraw")

    assert "Eve has withdrawn this challenge" in Browser(table.app()).open(challenged)


@pytest.mark.parametrize(
    ("color", "expected"),
    [("black", "You are White, and you move first."), ("white", "You are Black: Eve moves first.")],
)
@pytest.mark.parametrize("is_guest", [False, True])
def test_accepting_while_signed_out_leads_to_the_game_after_signing_in(
    table: Table,
    color: str,
    expected: str,
    is_guest: bool,  # noqa: FBT001
) -> None:
    Browser(table.app()).sign_in(table, FAY, "Fay")
    eve, fays = Browser(table.app_with_workers()), Browser(table.app_with_workers())
    eve.sign_in(table, EVE, "Eve")
    eve.press("Challenge", whom=FAY, color=color)
    if is_guest:
        fays.press("Play now")
    fays.open(page_in_email(table, FAY))
    accepted, asked = fays.press("Accept"), fays.press("Sign in to play here")
    fays.open(link_in(table.last_text(FAY)))
    fays.press("Sign in" if not is_guest else "Keep your games")
    eve.open("/games/")

    assert expected in accepted
    assert "Look in your mailbox" in asked
    assert FAY not in asked
    assert f'href="{fays.path}"' in eve.answer.get_data(as_text=True)


def test_signing_in_as_another_player_shows_not_one_of_your_games(table: Table) -> None:
    Browser(table.app()).sign_in(table, FAY, "Fay")
    eve, bens = Browser(table.app_with_workers()), Browser(table.app_with_workers())
    eve.sign_in(table, EVE, "Eve")
    eve.press("Challenge", whom=FAY)
    bens.open(page_in_email(table, FAY))
    bens.press("Accept")
    bens.sign_in(table, BEN, "Ben")
    page = bens.open(f"/games/{first_game_code(table)}")

    assert "Not one of your games" in page
    assert "You're signed in as Ben" in page
    assert page == bens.open("/games/zzzzz")


@pytest.mark.parametrize("is_swept", [False, True])
def test_an_expired_challenge_cannot_be_answered_on_its_page(
    table: Table,
    challenged: str,
    is_swept: bool,  # noqa: FBT001
) -> None:
    table.clock.advance(days=15)
    if is_swept:
        table.sweep()

    assert "has expired" in Browser(table.app()).open(challenged)


def test_never_again_explains_how_to_change_your_mind(table: Table, challenged: str) -> None:
    fays = Browser(table.app())
    fays.open(challenged)
    fays.press("Never email me again")

    assert "change your mind, write to umpire@play.example" in fays.open(challenged)


def test_a_refused_form_keeps_what_was_typed(table: Table, eve: Browser) -> None:
    eve.press("Challenge", whom="Nobody here", variant="rbc", clock="7d", ending="claim")
    page = eve.answer.get_data(as_text=True)

    assert 'value="Nobody here"' in page
    assert '<option value="rbc" selected>' in page
    assert '<option value="7d" selected>' in page
    assert '<option value="claim" selected>' in page
    assert "Nobody here" not in eve.open("/lobby/")


def make_open_offer(table: Table) -> str:
    table.write_to_site(FAY, "seek wild16", name="Fay")
    table.reply(FAY, "confirm")
    return "/lobby/"


def make_private_link(table: Table) -> str:
    fays = Browser(table.app())
    fays.sign_in(table, FAY, "Fay")
    fays.open("/lobby/")
    fays.press("Create private link")
    return fays.path


@pytest.mark.parametrize(
    ("make_offer", "button"),
    [
        (make_open_offer, "Play"),
        (make_private_link, "Play this game"),
        (lambda _table: "/lobby/", "Start the tutorial"),
    ],
    ids=["open offer", "private link", "tutorial"],
)
def test_starting_a_game_leads_to_its_page(
    table: Table, make_offer: Callable[[Table], str], button: str
) -> None:
    eves = Browser(table.app_with_workers())
    eves.sign_in(table, EVE, "Eve")
    eves.open(make_offer(table))

    assert "Wild 16 · " in eves.press(button)
    assert re.fullmatch("/games/[a-z0-9]{5}", eves.path)


@pytest.mark.parametrize(
    ("page", "button", "fields", "is_refused"),
    [
        ("/lobby/", "Offer to everyone", {}, False),
        ("/lobby/", "Challenge", {"whom": FAY}, False),
        ("/lobby/", "Challenge", {"whom": "nobody known"}, True),
        ("/settings/", "Save profile", {"name": "Evelyn"}, False),
        ("/settings/", "Save profile", {"name": "?"}, True),
        ("/settings/tokens/", "Create token", {"name": ""}, True),
    ],
)
def test_only_a_refusal_is_shown_as_one(
    eve: Browser, page: str, button: str, fields: dict[str, str], *, is_refused: bool
) -> None:
    eve.open(page)
    eve.press(button, **fields)

    said = re.search('<p class="news([^"]*)" role="status" id="said">', eve.answer.get_data(as_text=True))
    assert said
    assert (said[1] == " grave") == is_refused


def test_the_form_keeps_a_taken_name(table: Table, eve: Browser) -> None:
    fays = Browser(table.app())
    fays.sign_in(table, FAY, "Eve")

    assert 'value="Eve"' in fays.answer.get_data(as_text=True)


def test_the_sign_in_form_keeps_the_address(table: Table) -> None:
    browser = Browser(table.app())
    browser.open("/sign-in")
    assert f"Look in the mailbox of {FAY}" in browser.press("Email me a code", address=FAY)
    browser.press("Send another, or use a different address")

    assert f'value="{FAY}"' in browser.answer.get_data(as_text=True)


def test_only_its_maker_sees_a_private_link_on_its_page(table: Table, eve: Browser) -> None:
    eve.press("Create private link")
    link = eve.path
    assert f"https://play.example{link}" in eve.open(link)
    assert "your private link" in eve.open("/games/")
    fays = Browser(table.app())
    fays.sign_in(table, FAY, "Fay")

    assert "Play this game" in fays.open(link)
    assert "Withdraw" not in fays.open(link)


@pytest.mark.parametrize(
    ("button", "of", "at"),
    [
        ("Offer to everyone", "/lobby/", "/lobby/"),
        ("Offer to everyone", "/games/", "/games/"),
        ("Create private link", "", "/lobby/"),
    ],
)
def test_after_withdrawing_you_stay_on_the_page(eve: Browser, button: str, of: str, at: str) -> None:
    eve.press(button)
    eve.open(of or eve.path)

    assert "withdrawn" in eve.press("Withdraw")
    assert eve.path == at


@pytest.mark.parametrize("button", ["Start the tutorial", "Play"])
def test_no_notice_says_that_a_game_begins_beside_its_board(table: Table, eve: Browser, button: str) -> None:
    eve.press("Offer to everyone")
    fays = Browser(table.app_with_workers())
    fays.sign_in(table, FAY, "Fay")
    fays.open("/lobby/")

    assert "you are" in fays.press(button)
    assert 'id="said"' not in fays.answer.get_data(as_text=True)


def test_accepting_a_withdrawn_offer_stays_in_the_lobby(table: Table, eve: Browser) -> None:
    eve.press("Offer to everyone")
    fays = Browser(table.app())
    fays.sign_in(table, FAY, "Fay")
    fays.open("/lobby/")
    eve.open("/lobby/")
    eve.press("Withdraw")

    assert "is no longer open" in fays.press("Play")
    assert fays.path == "/lobby/"


def test_your_games_are_listed_with_turn_and_time_left(table: Table) -> None:
    table.begin()
    table.clock.advance(days=1, hours=2)
    anns, bens = Browser(table.app()), Browser(table.app())

    assert "Wild 16 · " in anns.sign_in(table, ANN)
    assert "ben White's move. 0 pawn tries. 1 day, 22 hours left You are White, move 1" in anns.open(
        "/games/"
    )
    bens.sign_in(table, BEN)
    assert "ann White's move. 0 pawn tries. 1 day, 22 hours left You are Black, move 1" in bens.open(
        "/games/"
    )


def test_an_unknown_action_on_an_emails_page_is_refused_politely(table: Table, challenged: str) -> None:
    browser = Browser(table.app())
    browser.open(challenged)
    found = re.search(r'name="csrf" value="([^"]+)"', browser.answer.get_data(as_text=True))
    assert found
    answer = browser.client.post(challenged, data={"csrf": found[1], "deed": "dance"})

    assert answer.status_code == 400
    assert "Please go back, reload the page and try again" in answer.get_data(as_text=True)
