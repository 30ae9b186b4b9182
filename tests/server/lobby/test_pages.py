"""What the pages tell beside the deed itself: what became of a challenge, what was typed, where a link leads."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.support.api_bots import code_of
from tests.support.browser import Browser, link_in
from tests.support.table import ANN, BEN, EVE, FAY, Table, text_of


def page_of(table: Table, player: str) -> str:
    """The page that a player's newest letter names."""
    found = re.search(r"https://play\.example(/\S+)", text_of(table.newest(player)))
    assert found
    return found[1]


@pytest.fixture
def eve(table: Table) -> Browser:
    """The browser of a player who is let in."""
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    return browser


@pytest.fixture
def challenged(table: Table, eve: Browser) -> str:
    """The page of a letter that brings a challenge of hers."""
    eve.press("Challenge", whom=FAY)
    table.work()
    return page_of(table, FAY)


def test_a_challenge_that_was_answered_cannot_be_answered_on_its_page(table: Table, challenged: str) -> None:
    fays = Browser(table.app())
    fays.open(challenged)
    assert "Accept" not in fays.press("Decline")

    assert "You have declined this challenge" in fays.open(challenged)


def test_nor_can_one_that_was_taken_back(table: Table, eve: Browser, challenged: str) -> None:
    eve.open("/games/")
    eve.press("Withdraw")

    assert "Eve has withdrawn this challenge" in Browser(table.app()).open(challenged)


@pytest.mark.parametrize(
    ("color", "told"),
    [("black", "You are White, and you move first."), ("white", "You are Black: Eve moves first.")],
)
@pytest.mark.parametrize("is_guest", [False, True])
def test_a_player_who_accepts_without_being_signed_in_comes_to_the_game_by_signing_in(
    table: Table,
    color: str,
    told: str,
    is_guest: bool,  # noqa: FBT001
) -> None:
    Browser(table.app()).sign_in(table, FAY, "Fay")
    eve, fays = Browser(table.at_work()), Browser(table.at_work())
    eve.sign_in(table, EVE, "Eve")
    eve.press("Challenge", whom=FAY, color=color)
    if is_guest:
        fays.press("Play now")
    fays.open(page_of(table, FAY))
    accepted, asked = fays.press("Accept"), fays.press("Sign in to play here")
    fays.open(link_in(table.says(FAY)))
    fays.press("Sign in" if not is_guest else "Keep your games")
    eve.open("/games/")

    assert told in accepted
    assert "Look in your mailbox" in asked
    assert FAY not in asked
    assert f'href="{fays.at}"' in eve.answer.get_data(as_text=True)


def test_whoever_signs_in_there_as_somebody_else_is_told_so_as_for_any_other_game(table: Table) -> None:
    Browser(table.app()).sign_in(table, FAY, "Fay")
    eve, bens = Browser(table.at_work()), Browser(table.at_work())
    eve.sign_in(table, EVE, "Eve")
    eve.press("Challenge", whom=FAY)
    bens.open(page_of(table, FAY))
    bens.press("Accept")
    bens.sign_in(table, BEN, "Ben")
    page = bens.open(f"/games/{code_of(table)}")

    assert "Not one of your games" in page
    assert "You're signed in as Ben" in page
    assert page == bens.open("/games/zzzzz")


@pytest.mark.parametrize("is_swept", [False, True])
def test_nor_one_that_has_ended(table: Table, challenged: str, is_swept: bool) -> None:  # noqa: FBT001
    table.clock.pass_by(days=15)
    if is_swept:
        table.sweep()

    assert "has expired" in Browser(table.app()).open(challenged)


def test_whoever_wants_no_letters_is_told_how_to_change_their_mind(table: Table, challenged: str) -> None:
    fays = Browser(table.app())
    fays.open(challenged)
    fays.press("Never email me again")

    assert "change your mind, write to umpire@play.example" in fays.open(challenged)


def test_what_was_typed_stands_there_once_more_when_it_is_refused(table: Table, eve: Browser) -> None:
    eve.press("Challenge", whom="Nobody here", variant="rbc", clock="7d", ending="claim")
    page = eve.answer.get_data(as_text=True)

    assert 'value="Nobody here"' in page
    assert '<option value="rbc" selected>' in page
    assert '<option value="7d" selected>' in page
    assert '<option value="claim" selected>' in page
    assert "Nobody here" not in eve.open("/lobby/")


def offered_to_all(table: Table) -> str:
    table.write(FAY, "seek wild16", name="Fay")
    table.reply(FAY, "confirm")
    return "/lobby/"


def offered_by_a_link(table: Table) -> str:
    fays = Browser(table.app())
    fays.sign_in(table, FAY, "Fay")
    fays.open("/lobby/")
    fays.press("Create private link")
    return fays.at


@pytest.mark.parametrize(
    ("way", "button"),
    [
        (offered_to_all, "Play"),
        (offered_by_a_link, "Play this game"),
        (lambda _table: "/lobby/", "Start the tutorial"),
    ],
    ids=["to all", "by a link", "the tutorial"],
)
def test_whoever_takes_a_game_up_is_led_to_its_table(
    table: Table, way: Callable[[Table], str], button: str
) -> None:
    eves = Browser(table.at_work())
    eves.sign_in(table, EVE, "Eve")
    eves.open(way(table))

    assert "Wild 16 · " in eves.press(button)
    assert re.fullmatch("/games/[a-z0-9]{5}", eves.at)


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


def test_a_name_that_is_taken_stands_there_once_more(table: Table, eve: Browser) -> None:
    fays = Browser(table.app())
    fays.sign_in(table, FAY, "Eve")

    assert 'value="Eve"' in fays.answer.get_data(as_text=True)


def test_an_address_that_was_asked_for_is_told_and_asked_for_once_more(table: Table) -> None:
    browser = Browser(table.app())
    browser.open("/sign-in")
    assert f"Look in the mailbox of {FAY}" in browser.press("Email me a code", address=FAY)
    browser.press("Send another, or use a different address")

    assert f'value="{FAY}"' in browser.answer.get_data(as_text=True)


def test_a_secret_link_stands_on_its_page_for_its_maker_alone(table: Table, eve: Browser) -> None:
    eve.press("Create private link")
    link = eve.at
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
def test_what_is_taken_back_leaves_one_where_it_stood(eve: Browser, button: str, of: str, at: str) -> None:
    eve.press(button)
    eve.open(of or eve.at)

    assert "withdrawn" in eve.press("Withdraw")
    assert eve.at == at


@pytest.mark.parametrize("button", ["Start the tutorial", "Play"])
def test_that_a_game_begins_is_not_said_beside_its_board(table: Table, eve: Browser, button: str) -> None:
    eve.press("Offer to everyone")
    fays = Browser(table.at_work())
    fays.sign_in(table, FAY, "Fay")
    fays.open("/lobby/")

    assert "you are" in fays.press(button)
    assert 'id="said"' not in fays.answer.get_data(as_text=True)


def test_who_comes_too_late_for_an_offer_in_the_lobby_stays_there(table: Table, eve: Browser) -> None:
    eve.press("Offer to everyone")
    fays = Browser(table.app())
    fays.sign_in(table, FAY, "Fay")
    fays.open("/lobby/")
    eve.open("/lobby/")
    eve.press("Withdraw")

    assert "is no longer open" in fays.press("Play")
    assert fays.at == "/lobby/"


def test_ones_games_are_listed_with_whose_turn_it_is_and_the_time_that_is_left(table: Table) -> None:
    table.begin()
    table.clock.pass_by(days=1, hours=2)
    anns, bens = Browser(table.app()), Browser(table.app())

    assert "Wild 16 · " in anns.sign_in(table, ANN)
    assert "ben White's move. 0 pawn tries. 1 day, 22 hours left You are White, move 1" in anns.open(
        "/games/"
    )
    bens.sign_in(table, BEN)
    assert "ann White's move. 0 pawn tries. 1 day, 22 hours left You are Black, move 1" in bens.open(
        "/games/"
    )


def test_a_deed_that_a_letters_page_does_not_know_is_refused_in_plain_words(
    table: Table, challenged: str
) -> None:
    browser = Browser(table.app())
    browser.open(challenged)
    found = re.search(r'name="csrf" value="([^"]+)"', browser.answer.get_data(as_text=True))
    assert found
    answer = browser.client.post(challenged, data={"csrf": found[1], "deed": "dance"})

    assert answer.status_code == 400
    assert "Please go back, reload the page and try again" in answer.get_data(as_text=True)
