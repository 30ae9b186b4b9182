"""People whose address is not kept, or is one of several: nobody becomes another, and nobody is written to in vain."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from corr.service.admin.maintenance import delete_player
from corr.service.lobby import terms
from corr.service.players import players
from corr.service.players.own_data_rows import export
from corr.store.tables import ChallengeRow, CorrespondentRow, SiteInboxRow
from corr.words.errors import Refused
from tests.support.browser import Browser, link_in
from tests.support.table import EVE, FAY, Table, text_of

GUS = "gus@g.example"


def signed_in(table: Table, address: str, name: str) -> Browser:
    browser = Browser(table.app())
    browser.sign_in(table, address, name)
    return browser


# ---------------------------------------------------------------- without an address


def asks_for_a_letter(table: Table, address: str) -> Browser:
    browser = Browser(table.app())
    browser.open("/sign-in")
    browser.press("Email me a code", address=address)
    table.work()
    return browser


def test_two_whose_addresses_are_forgotten_do_not_become_one_player(table: Table) -> None:
    for address, name in ((FAY, "Fay"), (GUS, "Gus")):
        asks_for_a_letter(table, address)
        browser = Browser(table.app())
        browser.open(link_in(text_of(table.newest(address))))
        browser.press("Never email me again")
        browser.press("Sign in")
        page = browser.press("Save name", name=name)

        assert "Please email the umpire first" in page
        assert f"You are {name}" not in page
    table.write(FAY, "seek wild16")
    table.reply(FAY, "confirm")
    assert [each.addresses for each in players.list_players(table.server)] == [(FAY,)]


def test_nor_do_two_who_confirm_what_they_wrote(table: Table) -> None:
    for address in (EVE, FAY):
        table.write(address, "seek wild16")
        browser = Browser(table.app())
        browser.open(link_in(text_of(table.newest(address))))
        browser.press("Never email me again")
        browser.press("It was me")

    assert players.list_players(table.server) == []


def test_a_forgotten_player_may_come_back_by_the_pages(table: Table) -> None:
    signed_in(table, EVE, "Eve")
    delete_player(table.server, "Eve", table.clock())
    table.clock.pass_by(hours=2)

    assert "You are Eve" in signed_in(table, EVE, "Eve").open("/lobby/")


# ---------------------------------------------------------------- what is kept of whom


def test_of_a_stranger_whose_challenge_was_refused_nothing_is_kept(table: Table) -> None:
    table.write(EVE, f"challenge {FAY} wild16")
    table.reply(EVE, "confirm")
    for number in range(7):
        table.write(EVE, f"challenge f{number}@f.example wild16")

    with table.server.store.reading() as connection:
        kept = connection.execute(select(CorrespondentRow.address)).scalars().all()
    assert len(kept) == 6


def test_the_pages_of_a_forgotten_players_letters_are_gone(table: Table) -> None:
    eve = signed_in(table, EVE, "Eve")
    signed_in(table, FAY, "Fay")
    eve.press("Challenge", whom="Fay")
    table.work()
    link = link_in(text_of(table.newest(FAY)))
    delete_player(table.server, "Fay", table.clock())
    client = table.app().test_client()

    assert client.get(link).status_code == 404


def test_nothing_says_any_more_who_a_forgotten_challenger_was(table: Table) -> None:
    eve = signed_in(table, EVE, "Eve Zyx")
    eve.press("Challenge", whom=FAY)
    table.work()
    page = Browser(table.app())
    link = link_in(text_of(table.newest(FAY)))
    assert "Eve Zyx challenges you" in page.open(link)
    delete_player(table.server, "Eve Zyx", table.clock())

    assert "Somebody challenged you" in page.open(link)


def test_nothing_says_any_more_who_was_challenged(table: Table) -> None:
    eve = signed_in(table, EVE, "Eve")
    signed_in(table, FAY, "Fay")
    eve.press("Challenge", whom=FAY)
    delete_player(table.server, "Fay", table.clock())

    assert FAY not in eve.open("/lobby/")
    with table.server.store.reading() as connection:
        assert connection.execute(select(ChallengeRow.whom, ChallengeRow.domain)).all() == [(None, None)]


def test_a_letter_that_waits_for_a_forgotten_player_is_given_up_at_once(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    eve = signed_in(table, EVE, "Eve")
    signed_in(table, FAY, "Fay")
    before = len(table.letters(FAY))
    eve.press("Challenge", whom="Fay")
    delete_player(table.server, "Fay", table.clock())
    table.work()

    assert len(table.letters(FAY)) == before
    assert [each.message for each in caplog.records if each.exc_info] == []


def test_an_export_has_the_letters_to_the_site_and_the_challenges(table: Table) -> None:
    signed_in(table, FAY, "Fay")
    table.write(EVE, "challenge Fay wild16", name="Eve")
    table.reply(EVE, "confirm")
    kept = export(table.server, "Eve")

    assert any("challenge Fay wild16" in letter for letter in kept["letters"])
    assert [(each["whom"], each["state"]) for each in kept["challenges"]] == [("Fay", "open")]


# ---------------------------------------------------------------- several addresses


def test_a_player_answers_a_challenge_from_any_of_the_addresses(table: Table) -> None:
    eve = signed_in(table, EVE, "Eve")
    signed_in(table, FAY, "Fay")
    players.add(table.server, "Fay", GUS, table.clock())
    eve.press("Challenge", whom="Fay")
    table.work()
    table.reply(FAY, "accept", sender=GUS)

    assert any(each["Subject"].startswith("[corr] Wild 16 with Eve") for each in table.letters(FAY))
    assert export(table.server, "Fay")["addresses"] == [FAY, GUS]


# ---------------------------------------------------------------- how often


def test_a_program_that_answers_our_answers_is_not_answered_for_ever(table: Table) -> None:
    """One that does not say that it is a program."""
    table.write(EVE, "help")
    for _ in range(100):
        table.reply(EVE, "I am away until Monday")

    assert len(table.letters(EVE)) == 51


def test_what_anybody_sends_in_a_players_name_does_not_use_up_what_the_player_may_reply(table: Table) -> None:
    eve = signed_in(table, EVE, "Eve")
    signed_in(table, FAY, "Fay")
    eve.press("Challenge", whom="Fay")
    table.work()
    invited = table.newest(FAY)
    for _ in range(30):
        table.write(FAY, "help", vouched=False)
    table.reply(FAY, "accept", to=invited)

    assert any(each["Subject"].startswith("[corr] Wild 16 with Eve") for each in table.letters(FAY))


# ---------------------------------------------------------------- words of strangers


@pytest.mark.parametrize("color", ["purple", "Visit https://evil.example", "BLACK", "x" * 5_000])
def test_a_colour_is_one_of_three(color: str) -> None:
    with pytest.raises(Refused):
        terms.make_terms("wild16", "3d", color)


def test_what_a_form_says_of_the_colour_is_shown_to_nobody(table: Table) -> None:
    eve = signed_in(table, EVE, "Eve")
    eve.press("Offer to everyone", color="Visit https://evil.example")

    assert "evil.example" not in Browser(table.app()).open("/lobby/")


def test_a_player_is_called_by_name_however_the_challenger_writes_it(table: Table) -> None:
    eve = signed_in(table, EVE, "Eve")
    signed_in(table, FAY, "Fay")
    eve.press("Challenge", whom="f-A y" + "!" * 80)

    with table.server.store.reading() as connection:
        assert connection.execute(select(ChallengeRow.whom)).scalars().all() == ["Fay"]


def test_a_letter_that_is_read_in_part_leaves_nothing_of_what_was_refused(table: Table) -> None:
    table.write(EVE, "take 2jkmn\nhelp")
    table.reply(EVE, "confirm")

    assert players.list_players(table.server) == []
    with table.server.store.reading() as connection:
        assert set(connection.execute(select(SiteInboxRow.reading)).scalars()) == {"to be confirmed", "read"}
