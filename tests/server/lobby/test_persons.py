"""Nobody plays against themselves: not by another address of theirs, and not by another way to write the same one."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import func, select

from corr.service.players.addresses import mailbox_of
from corr.store.tables import GameRow
from tests.support.browser import Browser
from tests.support.table import EVE, FAY, Table

OTHER = "eve@work.example"
#: Other addresses at which Eve reads letters, and how she may come by them.
PLUS, GMAIL, DOTTED = "eve+chess@e.example", "eve.bell@gmail.com", "e.v.e.bell+x@googlemail.com"


def games(table: Table) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(GameRow)).scalar_one()


def add(table: Table, browser: Browser, address: str) -> None:
    """One more address, by the number that goes there."""
    browser.open("/settings/")
    browser.press("Add address", address=address)
    table.work()
    found = re.search(r'the six digits "(\d{6})"', table.says(address))
    assert found
    assert "now one of your addresses" in browser.press("Add the address", number=found[1])
    table.work()


@pytest.fixture
def eve(table: Table) -> Browser:
    """Eve, who has two addresses."""
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    add(table, browser, OTHER)
    return browser


def known(table: Table, address: str, name: str) -> Browser:
    browser = Browser(table.app())
    browser.sign_in(table, address, name)
    return browser


@pytest.mark.parametrize("whom", [EVE, OTHER, OTHER.upper(), PLUS, "eve+x+y@work.example", "Eve"])
def test_nobody_challenges_themselves_by_the_form(table: Table, eve: Browser, whom: str) -> None:
    eve.open("/lobby/")

    assert "You can't play yourself" in eve.press("Challenge", whom=whom)

    before = len(table.all_letters())
    table.work()
    assert len(table.all_letters()) == before


@pytest.mark.usefixtures("eve")
@pytest.mark.parametrize("whom", [OTHER, PLUS])
def test_nobody_challenges_themselves_by_letter(table: Table, whom: str) -> None:
    table.write(EVE, f"challenge {whom} wild16 3d")

    assert "You can't play yourself" in table.says(EVE)


def test_who_has_a_second_player_at_the_same_mailbox_takes_nothing_of_the_first(table: Table) -> None:
    """By the form, by a secret link, by letter; and neither challenges the other by name."""
    first, second = known(table, GMAIL, "Eve"), known(table, DOTTED, "Zoe")
    first.open("/lobby/")
    first.press("Offer to everyone")
    first.open("/lobby/")
    first.press("Create private link")
    second.open("/lobby/")
    assert "This is your own challenge" in second.press("Play")
    second.open(first.at)
    assert "This is your own challenge" in second.press("Play this game")
    assert "You can't play yourself" in second.press("Challenge", whom="Eve")
    table.work()

    assert games(table) == 0


def test_what_was_offered_to_an_address_before_it_was_ones_own_is_not_taken_up(table: Table) -> None:
    eve = known(table, EVE, "Eve")
    eve.open("/lobby/")
    eve.press("Challenge", whom=OTHER)
    table.work()
    invitation = table.newest(OTHER)
    table.reply(OTHER, "help")
    add(table, eve, OTHER)

    table.post(table.letter(OTHER, "accept", to=invitation))
    table.work()

    assert "This is your own challenge" in table.says(OTHER)
    assert games(table) == 0


def test_two_who_only_look_alike_play(table: Table) -> None:
    """A dot makes another address everywhere but at Gmail."""
    first, second = known(table, "e.bell@e.example", "Eve"), known(table, "ebell@e.example", "Fay")
    first.open("/lobby/")
    first.press("Challenge", whom="Fay")
    table.work()
    second.open("/games/")
    second.press("Accept")
    table.work()

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
def test_which_addresses_are_one_mailbox(one: str, other: str, same: bool) -> None:  # noqa: FBT001
    assert (mailbox_of(one) == mailbox_of(other)) is same
