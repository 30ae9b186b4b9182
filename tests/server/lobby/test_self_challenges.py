"""Nobody can play against themselves, neither by a second address nor by another spelling of one."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from corr.service.players.addresses import mailbox_of
from corr.store.tables import GameRow
from tests.support.browser import Browser
from tests.support.sign_in_codes import code_in
from tests.support.table import EVE, FAY, Table

OTHER = "eve@work.example"
# Other spellings of addresses at which Eve reads email.
PLUS, GMAIL, DOTTED = "eve+chess@e.example", "eve.bell@gmail.com", "e.v.e.bell+x@googlemail.com"


def games(table: Table) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(GameRow)).scalar_one()


def add_address(table: Table, browser: Browser, address: str) -> None:
    """Add an address with the code that we send there."""
    browser.open("/settings/")
    browser.press("Add address", address=address)
    table.run_workers()
    assert "now one of your addresses" in browser.press(
        "Add the address", number=code_in(table.last_text(address))
    )
    table.run_workers()


@pytest.fixture
def eve(table: Table) -> Browser:
    """Eve, who has two addresses."""
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    add_address(table, browser, OTHER)
    return browser


def sign_in(table: Table, address: str, name: str) -> Browser:
    browser = Browser(table.app())
    browser.sign_in(table, address, name)
    return browser


@pytest.mark.parametrize("whom", [EVE, OTHER, OTHER.upper(), PLUS, "eve+x+y@work.example", "Eve"])
def test_you_cannot_challenge_yourself_on_the_page(table: Table, eve: Browser, whom: str) -> None:
    eve.open("/lobby/")

    assert "You can't play yourself" in eve.press("Challenge", whom=whom)

    before = len(table.all_emails())
    table.run_workers()
    assert len(table.all_emails()) == before


@pytest.mark.usefixtures("eve")
@pytest.mark.parametrize("whom", [OTHER, PLUS])
def test_you_cannot_challenge_yourself_by_email(table: Table, whom: str) -> None:
    table.write_to_site(EVE, f"challenge {whom} wild16 3d")

    assert "You can't play yourself" in table.last_text(EVE)


def test_two_players_at_one_mailbox_cannot_play_each_other(table: Table) -> None:
    """Not by an open offer, a private link or a challenge by name."""
    first, second = sign_in(table, GMAIL, "Eve"), sign_in(table, DOTTED, "Zoe")
    first.open("/lobby/")
    first.press("Offer to everyone")
    first.open("/lobby/")
    first.press("Create private link")
    second.open("/lobby/")
    assert "This is your own challenge" in second.press("Play")
    second.open(first.path)
    assert "This is your own challenge" in second.press("Play this game")
    assert "You can't play yourself" in second.press("Challenge", whom="Eve")
    table.run_workers()

    assert games(table) == 0


def test_a_challenge_to_an_address_you_add_later_cannot_be_accepted(table: Table) -> None:
    eve = sign_in(table, EVE, "Eve")
    eve.open("/lobby/")
    eve.press("Challenge", whom=OTHER)
    table.run_workers()
    invitation = table.last_email(OTHER)
    table.reply(OTHER, "help")
    add_address(table, eve, OTHER)

    table.deliver(table.reply_email(OTHER, "accept", to=invitation))
    table.run_workers()

    assert "This is your own challenge" in table.last_text(OTHER)
    assert games(table) == 0


def test_similar_addresses_of_two_people_may_play(table: Table) -> None:
    """Only Gmail ignores dots in an address."""
    first, second = sign_in(table, "e.bell@e.example", "Eve"), sign_in(table, "ebell@e.example", "Fay")
    first.open("/lobby/")
    first.press("Challenge", whom="Fay")
    table.run_workers()
    second.open("/games/")
    second.press("Accept")
    table.run_workers()

    assert games(table) == 1


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (EVE, "EVE@E.example", True),
        (EVE, PLUS, True),
        (GMAIL, DOTTED, True),
        (EVE, FAY, False),
        ("e.ve@e.example", EVE, False),
        ("+eve@e.example", "+fay@e.example", False),
        ("eve@work.example", EVE, False),
    ],
)
def test_spellings_of_one_mailbox(one: str, other: str, same: bool) -> None:  # noqa: FBT001
    assert (mailbox_of(one) == mailbox_of(other)) is same
