"""An invited friend answers in their own words, and there is a game."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from corr.store.tables import ChallengeRow, GameRow
from tests.support.table import ANN, BEN, EVE, FAY, Table


@pytest.fixture
def invited(table: Table) -> Table:
    """Eve has invited Fay, whom nobody here knows."""
    table.write(EVE, f"challenge {FAY} wild16")
    table.reply(EVE, "confirm")
    return table


def state_of(table: Table) -> str:
    with table.server.store.reading() as connection:
        return connection.execute(select(ChallengeRow.state)).scalar_one()


@pytest.mark.parametrize(
    "text", ["Yes, I'd love to!", "ok", "accept please", "Hi Eve,\n\nsure, let's play!\n\nFay", "I accept."]
)
def test_a_friend_who_says_yes_has_a_game(invited: Table, text: str) -> None:
    invited.reply(FAY, text)

    assert state_of(invited) == "accepted"
    assert any("wild 16 with eve" in str(letter["Subject"]).lower() for letter in invited.letters(FAY))


def test_a_friend_who_says_no_thanks_has_none(invited: Table) -> None:
    invited.reply(FAY, "No thanks")

    assert state_of(invited) == "declined"


@pytest.mark.parametrize("text", ["Yes, but not before Monday", "Who is this?", "sure, if I get White"])
def test_a_friend_who_says_more_is_told_which_word_begins_the_game(invited: Table, text: str) -> None:
    invited.reply(FAY, text)

    assert state_of(invited) == "open"
    assert "accept" in invited.says(FAY)


@pytest.mark.parametrize(("text", "stage"), [("Sure, let's play!", "running"), ("No thanks", "over")])
def test_a_game_that_is_offered_is_accepted_or_declined_in_plain_words(
    table: Table, text: str, stage: str
) -> None:
    code = table.challenge()
    table.reply(ANN, "accept")
    table.reply(BEN, text)

    with table.server.store.reading() as connection:
        assert connection.execute(select(GameRow.state).where(GameRow.code == code)).scalar_one() == stage


def test_yes_to_an_old_invitation_answers_nothing_in_a_running_game(table: Table) -> None:
    code = table.challenge()
    asked = table.newest(BEN)
    for player in (ANN, BEN):
        table.reply(player, "accept")
    table.reply(ANN, "draw?")
    table.reply(BEN, "Yes, I'd love to!", to=asked)

    with table.server.store.reading() as connection:
        assert connection.execute(select(GameRow.state).where(GameRow.code == code)).scalar_one() == "running"


def test_yes_confirms_what_we_asked_about(table: Table) -> None:
    table.write(EVE, "seek wild16")
    table.reply(EVE, "Yes, that was me")

    assert state_of(table) == "open"


def test_yes_from_elsewhere_accepts_nothing(invited: Table) -> None:
    invited.write(EVE, "yes")
    invited.write(FAY, "yes")

    assert state_of(invited) == "open"
