"""Players whose address is forgotten or who have several, and what strangers can't make us show."""

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


def ask_for_code(table: Table, address: str) -> Browser:
    browser = Browser(table.app())
    browser.open("/sign-in")
    browser.press("Email me a code", address=address)
    table.run_workers()
    return browser


def test_two_players_with_forgotten_addresses_are_not_merged(table: Table) -> None:
    for address, name in ((FAY, "Fay"), (GUS, "Gus")):
        ask_for_code(table, address)
        browser = Browser(table.app())
        browser.open(link_in(text_of(table.last_email(address))))
        browser.press("Never email me again")
        browser.press("Sign in")
        page = browser.press("Save name", name=name)

        assert "Please email the umpire first" in page
        assert f"You are {name}" not in page
    table.write_to_site(FAY, "seek wild16")
    table.reply(FAY, "confirm")
    assert [each.addresses for each in players.list_players(table.server)] == [(FAY,)]


def test_two_strangers_who_confirm_after_never_again_become_no_player(table: Table) -> None:
    for address in (EVE, FAY):
        table.write_to_site(address, "seek wild16")
        browser = Browser(table.app())
        browser.open(link_in(text_of(table.last_email(address))))
        browser.press("Never email me again")
        browser.press("It was me")

    assert players.list_players(table.server) == []


def test_a_deleted_player_may_sign_in_again(table: Table) -> None:
    signed_in(table, EVE, "Eve")
    delete_player(table.server, "Eve", table.clock())
    table.clock.advance(hours=2)

    assert "You are Eve" in signed_in(table, EVE, "Eve").open("/lobby/")


# ---------------------------------------------------------------- what we store


def test_a_stranger_whose_challenge_was_refused_is_not_stored(table: Table) -> None:
    table.write_to_site(EVE, f"challenge {FAY} wild16")
    table.reply(EVE, "confirm")
    for number in range(7):
        table.write_to_site(EVE, f"challenge f{number}@f.example wild16")

    with table.server.store.reading() as connection:
        stored = connection.execute(select(CorrespondentRow.address)).scalars().all()
    assert len(stored) == 6


def test_links_in_a_deleted_players_emails_stop_working(table: Table) -> None:
    eve = signed_in(table, EVE, "Eve")
    signed_in(table, FAY, "Fay")
    eve.press("Challenge", whom="Fay")
    table.run_workers()
    link = link_in(text_of(table.last_email(FAY)))
    delete_player(table.server, "Fay", table.clock())
    client = table.app().test_client()

    assert client.get(link).status_code == 404


def test_a_deleted_challengers_name_is_gone(table: Table) -> None:
    eve = signed_in(table, EVE, "Eve Zyx")
    eve.press("Challenge", whom=FAY)
    table.run_workers()
    page = Browser(table.app())
    link = link_in(text_of(table.last_email(FAY)))
    assert "Eve Zyx challenges you" in page.open(link)
    delete_player(table.server, "Eve Zyx", table.clock())

    assert "Somebody challenged you" in page.open(link)


def test_a_deleted_opponents_address_is_gone(table: Table) -> None:
    eve = signed_in(table, EVE, "Eve")
    signed_in(table, FAY, "Fay")
    eve.press("Challenge", whom=FAY)
    delete_player(table.server, "Fay", table.clock())

    assert FAY not in eve.open("/lobby/")
    with table.server.store.reading() as connection:
        assert connection.execute(select(ChallengeRow.whom, ChallengeRow.domain)).all() == [(None, None)]


def test_queued_emails_to_a_deleted_player_are_not_sent(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    eve = signed_in(table, EVE, "Eve")
    signed_in(table, FAY, "Fay")
    before = len(table.emails_to(FAY))
    eve.press("Challenge", whom="Fay")
    delete_player(table.server, "Fay", table.clock())
    table.run_workers()

    assert len(table.emails_to(FAY)) == before
    assert [each.message for each in caplog.records if each.exc_info] == []


def test_an_export_has_emails_to_the_site_and_challenges(table: Table) -> None:
    signed_in(table, FAY, "Fay")
    table.write_to_site(EVE, "challenge Fay wild16", name="Eve")
    table.reply(EVE, "confirm")
    stored = export(table.server, "Eve")

    assert any("challenge Fay wild16" in email for email in stored["letters"])
    assert [(each["whom"], each["state"]) for each in stored["challenges"]] == [("Fay", "open")]


# ---------------------------------------------------------------- several addresses


def test_a_player_answers_a_challenge_from_any_of_the_addresses(table: Table) -> None:
    eve = signed_in(table, EVE, "Eve")
    signed_in(table, FAY, "Fay")
    players.add(table.server, "Fay", GUS, table.clock())
    eve.press("Challenge", whom="Fay")
    table.run_workers()
    table.reply(FAY, "accept", sender=GUS)

    assert any(each["Subject"].startswith("[corr] Wild 16 with Eve") for each in table.emails_to(FAY))
    assert export(table.server, "Fay")["addresses"] == [FAY, GUS]


# ---------------------------------------------------------------- limits on answers


def test_an_auto_responder_without_headers_is_not_answered_for_ever(table: Table) -> None:
    table.write_to_site(EVE, "help")
    for _ in range(100):
        table.reply(EVE, "I am away until Monday")

    assert len(table.emails_to(EVE)) == 51


def test_emails_in_a_players_name_do_not_use_up_the_players_own_replies(table: Table) -> None:
    eve = signed_in(table, EVE, "Eve")
    signed_in(table, FAY, "Fay")
    eve.press("Challenge", whom="Fay")
    table.run_workers()
    invited = table.last_email(FAY)
    for _ in range(30):
        table.write_to_site(FAY, "help", vouched=False)
    table.reply(FAY, "accept", to=invited)

    assert any(each["Subject"].startswith("[corr] Wild 16 with Eve") for each in table.emails_to(FAY))


# ---------------------------------------------------------------- texts from strangers


@pytest.mark.parametrize("color", ["purple", "Visit https://evil.example", "BLACK", "x" * 5_000])
def test_a_colour_is_one_of_three(color: str) -> None:
    with pytest.raises(Refused):
        terms.make_terms("wild16", "3d", color)


def test_an_invalid_colour_is_never_shown(table: Table) -> None:
    eve = signed_in(table, EVE, "Eve")
    eve.press("Offer to everyone", color="Visit https://evil.example")

    assert "evil.example" not in Browser(table.app()).open("/lobby/")


def test_a_player_is_called_by_name_however_the_challenger_writes_it(table: Table) -> None:
    eve = signed_in(table, EVE, "Eve")
    signed_in(table, FAY, "Fay")
    eve.press("Challenge", whom="f-A y" + "!" * 80)

    with table.server.store.reading() as connection:
        assert connection.execute(select(ChallengeRow.whom)).scalars().all() == ["Fay"]


def test_a_half_refused_email_leaves_no_trace_of_its_refused_order(table: Table) -> None:
    table.write_to_site(EVE, "take 2jkmn\nhelp")
    table.reply(EVE, "confirm")

    assert players.list_players(table.server) == []
    with table.server.store.reading() as connection:
        assert set(connection.execute(select(SiteInboxRow.reading)).scalars()) == {"to be confirmed", "read"}
