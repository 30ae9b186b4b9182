"""All the ways in which two strangers start a game: by email, on pages, and by both."""

from __future__ import annotations

import re
from email.message import EmailMessage

import pytest

from tests.support.browser import Browser, link_in
from tests.support.table import ANN, BEN, DOMAIN, EVE, FAY, Table, text_of, unwrap


def has_begun(table: Table) -> bool:
    """True if both got the first email of the same game, one as White and one as Black."""
    emails = [first_of_game(table, player) for player in (EVE, FAY)]
    sides = {side for each in emails for side in ("White", "Black") if f"You are {side}" in text_of(each)}
    return len({each["Subject"][-7:] for each in emails}) == 1 and sides == {"White", "Black"}


def first_of_game(table: Table, player: str) -> EmailMessage:
    """The only email about a game that a player has got."""
    (email,) = (each for each in table.emails_to(player) if re.search(r"\(\w{5}\)$", each["Subject"]))
    return email


@pytest.fixture
def browsers(table: Table) -> tuple[Browser, Browser]:
    app = table.app()
    return Browser(app), Browser(app)


# ---------------------------------------------------------------- a challenge to an address


def test_a_challenge_by_email_is_accepted_by_email(table: Table) -> None:
    table.write_to_site(EVE, f"challenge {FAY} wild16 3d", name="Eve")
    assert table.emails_to(FAY) == []
    table.reply(EVE, "confirm")
    assert "Eve would like to play a game with you" in table.last_text(FAY)
    table.reply(FAY, "accept")

    assert has_begun(table)


def test_a_challenge_by_email_is_accepted_on_the_linked_page(
    table: Table, browsers: tuple[Browser, Browser]
) -> None:
    eves, fays = browsers
    table.write_to_site(EVE, f"challenge {FAY} rbc 5d black", name="Eve")
    eves.open(link_in(text_of(table.last_email(EVE))))
    assert "Challenge sent" in eves.press("It was me")
    table.run_workers()
    assert "You would play White" in fays.open(link_in(text_of(table.last_email(FAY))))
    assert "Starting your game" in fays.press("Accept", name="Fay")
    table.run_workers()

    assert has_begun(table)
    assert "Your turn" in fays.open(fays.path)
    assert "Chess with Fay. You are Black" in unwrap(text_of(first_of_game(table, EVE)))


def test_a_challenge_on_the_page_is_accepted_by_email(
    table: Table, browsers: tuple[Browser, Browser]
) -> None:
    eves, _ = browsers
    eves.sign_in(table, EVE, "Eve")
    assert "Challenge sent" in eves.press("Challenge", whom=FAY, variant="classic", clock="2d", color="white")
    table.run_workers()
    table.reply(FAY, "Accept", sender="Fay M <fay@f.example>")

    assert has_begun(table)
    assert 'Classic "Any?" with Fay M. You are White' in unwrap(text_of(first_of_game(table, EVE)))


# ---------------------------------------------------------------- a challenge to a name


def test_a_challenge_by_name_on_the_page(table: Table, browsers: tuple[Browser, Browser]) -> None:
    eves, fays = browsers
    eves.sign_in(table, EVE, "Eve")
    fays.sign_in(table, FAY, "Fay")
    eves.press("Challenge", whom="fay")
    table.run_workers()
    assert "Eve would like to play" in fays.open("/games/")
    fays.press("Accept")
    table.run_workers()

    assert has_begun(table)


def test_a_challenge_by_name_in_an_email(table: Table, browsers: tuple[Browser, Browser]) -> None:
    _, fays = browsers
    fays.sign_in(table, FAY, "Fay Wray")
    table.write_to_site(EVE, "challenge Fay Wray assassin", name="Eve")
    table.reply(EVE, "confirm")
    table.reply(FAY, "accept")

    assert "Assassin with Eve" in text_of(first_of_game(table, FAY))


# ---------------------------------------------------------------- a private link


def test_a_stranger_plays_by_a_private_link(table: Table, browsers: tuple[Browser, Browser]) -> None:
    eves, fays = browsers
    eves.sign_in(table, EVE, "Eve")
    assert "Your private link" in eves.press("Create private link", variant="welbeck")
    link = eves.path
    assert "Eve offers a game" in fays.open(link)
    fays.sign_in_by_email(table, FAY)
    fays.press("Save name", name="Fay")
    assert fays.path == link
    assert "The game has started" in fays.press("Play this game")
    table.run_workers()

    assert has_begun(table)


# ---------------------------------------------------------------- an open offer


def test_an_open_offer_on_the_pages(table: Table, browsers: tuple[Browser, Browser]) -> None:
    eves, fays = browsers
    eves.sign_in(table, EVE, "Eve")
    eves.press("Offer to everyone", color="white")
    fays.sign_in(table, FAY, "Fay")
    assert "You would play Black" in fays.open("/lobby/")
    fays.press("Play")
    table.run_workers()

    assert has_begun(table)
    assert "You are White" in text_of(first_of_game(table, EVE))


def test_an_open_offer_by_email(table: Table) -> None:
    table.write_to_site(EVE, "seek cincinnati 7d rated", name="Eve")
    table.reply(EVE, "confirm")
    table.write_to_site(FAY, "seeks", name="Fay")
    offered = table.last_text(FAY).replace(" | ", " ")
    found = re.search(r"(\w{5}): Cincinnati, rated, with 7 days for each move, by Eve", offered)
    assert found
    table.reply(FAY, f"take {found[1]}")

    assert has_begun(table)


# ---------------------------------------------------------------- a rematch, and commands from a game's email


def test_a_rematch_swaps_colours_and_starts_when_both_ask(table: Table) -> None:
    table.begin()
    table.reply(ANN, "resign resign")
    assert 'reply "again"' in table.last_text(BEN)
    table.reply(BEN, "again")
    assert "ben would like a rematch" in table.last_text(ANN)
    table.reply(BEN, "again")
    assert "You've already asked for a rematch" in table.last_text(BEN)
    table.reply(ANN, "again")

    assert "Wild 16 with ann. You are White. Move 1." in table.last_text(BEN)
    table.reply(BEN, "e2e4")
    assert "You are Black. Move 1. Your turn" in table.last_text(ANN)


def test_a_site_command_works_in_reply_to_a_games_email(table: Table) -> None:
    table.begin()
    table.reply(ANN, "challenge ben rbc")

    said = [unwrap(text_of(email)) for email in table.emails_to(ANN)[-2:]]
    assert any("This isn't about a single game. I've passed it on" in each for each in said)
    assert any("Challenge sent: Reconnaissance Blind Chess, casual" in each for each in said)
    assert "ann would like to play a game with you: Reconnaissance Blind Chess" in table.last_text(BEN)


def test_a_site_command_sent_twice_acts_once(table: Table) -> None:
    table.begin()
    raw = table.reply_email(ANN, "challenge ben rbc")
    for _ in range(2):
        table.deliver(raw)
        table.run_workers()

    assert len([each for each in table.emails_to(BEN) if "Blind Chess" in each["Subject"]]) == 1


def test_a_site_command_by_message_id_must_be_confirmed(table: Table) -> None:
    table.begin()
    to = table.last_email(ANN)["Reply-To"]
    table.deliver(
        table.reply_email(ANN, "challenge ben rbc").replace(to.encode(), f"umpire@{DOMAIN}".encode())
    )
    table.run_workers()

    assert "Blind Chess" not in "".join(map(str, table.emails_to(BEN)))
    table.reply(ANN, "confirm")
    assert "ann would like to play a game with you: Reconnaissance Blind Chess" in table.last_text(BEN)


def test_a_rematch_cannot_be_asked_for_during_the_game(table: Table) -> None:
    table.begin()
    table.reply(ANN, "again")

    assert "You can ask for a rematch when this game is over" in table.last_text(ANN)


# ---------------------------------------------------------------- without a variant


def test_a_bot_or_an_address_without_a_variant_means_wild_16(table: Table) -> None:
    for whom in ("Pip", "gus@g.example"):
        table.write_to_site(EVE, f"challenge {whom}", name="Eve")
        if "confirm" in table.last_text(EVE):
            table.reply(EVE, "confirm")

    assert "Wild 16" in table.last_text("gus@g.example")
    assert any("Pip (bot)" in email["Subject"] for email in table.emails_to(EVE))


def test_a_players_name_without_a_variant_is_asked_about(table: Table) -> None:
    Browser(table.app()).sign_in(table, FAY, "Fay")
    Browser(table.app()).sign_in(table, EVE, "Eve")
    table.write_to_site(EVE, "challenge Fay", name="Eve")

    assert 'Which variant? Write it after the name, as in "challenge Fay wild16".' in table.last_text(EVE)
    assert table.emails_to(FAY) == []
