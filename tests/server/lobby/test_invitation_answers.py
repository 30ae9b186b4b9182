"""A friend answers an invitation in plain words, or with a first move."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from corr.store.tables import ChallengeRow, GameRow
from tests.support.browser import link_in
from tests.support.table import ANN, BEN, EVE, FAY, Table, html_of, text_of, unwrap


@pytest.fixture
def invited(table: Table) -> Table:
    """Eve has invited Fay, who is new here."""
    table.write_to_site(EVE, f"challenge {FAY} wild16")
    table.reply(EVE, "confirm")
    return table


def state_of(table: Table) -> str:
    with table.server.store.reading() as connection:
        return connection.execute(select(ChallengeRow.state)).scalar_one()


def test_an_invitation_has_a_button_where_its_text_has_a_link(invited: Table) -> None:
    email = invited.last_email(FAY)
    link = link_in(text_of(email))

    assert "Open the challenge" not in text_of(email)
    assert link
    assert html_of(email).count(link) == 1
    assert f'{link}" style="display:inline-block' in html_of(email)


@pytest.mark.parametrize(
    "text", ["Yes, I'd love to!", "ok", "accept please", "Hi Eve,\n\nsure, let's play!\n\nFay", "I accept."]
)
def test_a_yes_starts_the_game(invited: Table, text: str) -> None:
    invited.reply(FAY, text)

    assert state_of(invited) == "accepted"
    assert any("wild 16 with eve" in str(email["Subject"]).lower() for email in invited.emails_to(FAY))


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Yes, I'd love to!", "Yes, I'd love to!"),
        ("ok", "ok"),
        ("Hi Eve,\n\nsure, let's play!", "Hi Eve, sure, let's play!"),
        ("No thanks", "No thanks"),
        ("accept", "accept"),
    ],
)
def test_the_answer_quotes_what_the_friend_wrote(invited: Table, text: str, quoted: str) -> None:
    invited.reply(FAY, text)

    emails = invited.emails_to(FAY)
    assert [each for each in map(text_of, emails) if f"You wrote:\n\n| {quoted}\n" in each]


def test_a_no_declines(invited: Table) -> None:
    invited.reply(FAY, "No thanks")

    assert state_of(invited) == "declined"


@pytest.mark.parametrize("text", ["Yes, but not before Monday", "Who is this?", "sure, if I get White"])
def test_an_unclear_answer_is_told_which_word_starts_the_game(invited: Table, text: str) -> None:
    invited.reply(FAY, text)

    assert state_of(invited) == "open"
    assert "accept" in invited.last_text(FAY)


def test_our_explanation_can_be_answered_with_accept(invited: Table) -> None:
    invited.reply(FAY, "Who is this?")
    invited.reply(FAY, "accept")

    assert state_of(invited) == "accepted"


def test_our_explanation_can_be_answered_in_plain_words(invited: Table) -> None:
    invited.reply(FAY, "Yes, but what is Kriegspiel?")
    invited.reply(FAY, "OK, let's play!")

    assert state_of(invited) == "accepted"


@pytest.mark.parametrize("text", ["Yes, I'd love to!", "No thanks"])
def test_plain_words_answer_no_offer_in_a_game(table: Table, text: str) -> None:
    code = table.challenge()
    asked = table.last_email(BEN)
    for player in (ANN, BEN):
        table.reply(player, "accept")
    for offer in ("draw?", "pause?"):
        table.reply(ANN, offer)
        table.reply(BEN, text, to=asked)
        table.reply(BEN, text)

    with table.server.store.reading() as connection:
        state = connection.execute(select(GameRow.state).where(GameRow.code == code)).scalar_one()
    assert state == "running"
    assert "asks for a pause" in table.last_text(BEN)


def test_a_yes_that_is_no_reply_accepts_nothing(invited: Table) -> None:
    invited.write_to_site(EVE, "yes")
    invited.write_to_site(FAY, "yes")

    assert state_of(invited) == "open"


# ---------------------------------------------------------------- the first move


def invite_friend(table: Table, terms: str) -> None:
    """Eve invites Fay, and confirms it."""
    table.write_to_site(EVE, f"challenge {FAY} {terms}")
    table.reply(EVE, "confirm")


def emails_to_fay(table: Table) -> str:
    return " ".join(unwrap(text_of(email)) for email in table.emails_to(FAY))


def moves_made(table: Table) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(GameRow.ply)).scalar_one()


@pytest.mark.parametrize("text", ["e2e4", "accept\ne2e4", "Hi Eve,\n\nsure!\n\ne2e5, e2e4\n\nFay"])
def test_a_first_move_as_white_accepts_and_is_made_once(table: Table, text: str) -> None:
    invite_friend(table, "wild16 black")
    table.reply(FAY, text)

    assert state_of(table) == "accepted"
    assert moves_made(table) == 1
    assert "You accepted, and the game has started." in emails_to_fay(table)
    assert "Your turn" in table.last_text(EVE)


def test_a_first_move_as_black_accepts_and_is_not_tried(table: Table) -> None:
    invite_friend(table, "wild16 white")
    table.reply(FAY, "e7e5")

    assert state_of(table) == "accepted"
    assert moves_made(table) == 0
    assert "I didn't try this" in emails_to_fay(table)


def test_a_set_up_is_a_first_order_too(table: Table) -> None:
    invite_friend(table, "welbeck")
    table.reply(FAY, "deploy home")

    assert state_of(table) == "accepted"
    assert "I've passed your first order to the umpire" in emails_to_fay(table)


@pytest.mark.parametrize(
    "text",
    [
        "Not now, sorry. I'd have played\n\ne2e4",
        "decline\ne2e4",
        "e2e4\nd2d4",
        "e2e9",
        "Only if I'm White\ne2e4",
        "pass",
        "Pass\n\nFay",
        "any?",
    ],
)
def test_a_move_with_anything_else_starts_no_game(table: Table, text: str) -> None:
    invite_friend(table, "wild16 black")
    table.reply(FAY, text)

    assert state_of(table) != "accepted"


def test_a_repeated_first_move_is_quoted_and_does_nothing(table: Table) -> None:
    invite_friend(table, "wild16 black")
    invitation = table.last_email(FAY)
    table.reply(FAY, "e2e4")
    table.reply(FAY, "e2e4", to=invitation)

    assert moves_made(table) == 1
    assert "You wrote:\n| e2e4\nThis challenge is no longer open." in table.last_text(FAY)


def test_a_first_move_in_a_forged_email_accepts_nothing(table: Table) -> None:
    invite_friend(table, "wild16 black")
    table.reply(FAY, "e2e4", sender="mallory@elsewhere.example")

    assert state_of(table) == "open"
