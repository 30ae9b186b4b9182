"""The command "games" lists your own games, and reveals nothing your opponent did in private."""

from __future__ import annotations

import re

import pytest

from corr import limits
from corr.service.games.moderation import DecreeKind
from tests.server.service.test_moderation import decree
from tests.support.table import ANN, BEN, EVE, Table


def games(table: Table, player: str) -> list[str]:
    """The listed games without their codes; asked in a game and at the site, the answer is the same."""
    table.reply(player, "games")
    in_a_game = listed(table, player)
    table.write_to_site(player, "games")
    assert listed(table, player) == in_a_game
    return in_a_game


def listed(table: Table, player: str) -> list[str]:
    block = table.last_text(player).partition("Your games:\n")[2].partition("\n")[0]
    return [line.replace("| ", "").strip() for line in re.split(r"\| [2-9j-np-z]{5}: ", block)[1:]]


def test_both_players_see_whose_turn_it_is_and_its_deadline(table: Table) -> None:
    table.begin()

    assert games(table, ANN) == [
        "Wild 16 with ben, you are White: your turn, until Mon 23 Nov 2026, 12:00 UTC"
    ]
    assert games(table, BEN) == [
        "Wild 16 with ann, you are Black: ann's turn, until Mon 23 Nov 2026, 12:00 UTC"
    ]


def test_games_that_wait_for_you_come_first(table: Table) -> None:
    table.begin()
    table.play("e2e4")
    table.challenge(variant="rbc")

    first, second = games(table, ANN)

    assert first == "Reconnaissance Blind Chess with ben, you are White: waiting for you to accept"
    assert second.startswith("Wild 16 with ben, you are White: ben's turn, until")


@pytest.mark.parametrize("text", ["games\ne2e4", "e2e4\ngames"])
def test_with_a_move_the_list_shows_the_game_after_it(table: Table, text: str) -> None:
    table.begin()
    table.reply(ANN, text)

    assert listed(table, ANN)[0].startswith("Wild 16 with ben, you are White: ben's turn, until")


def test_a_game_that_is_over_is_not_listed(table: Table) -> None:
    table.begin()
    table.reply(ANN, "resign resign")
    table.reply(ANN, "games")

    assert "You have no games at the moment." in table.last_text(ANN)


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (2, None),
        (3, 'And 1 more game. See "Your games" on the site for all of them.'),
        (4, 'And 2 more games. See "Your games" on the site for all of them.'),
    ],
)
def test_a_long_list_says_how_many_games_are_left_out(
    table: Table, monkeypatch: pytest.MonkeyPatch, count: int, said: str | None
) -> None:
    monkeypatch.setattr(limits, "GAMES_LISTED", 2)
    for _ in range(count):
        table.challenge()

    assert len(games(table, ANN)) == 2
    assert (said or "") in table.last_text(ANN)
    assert ("And " in table.last_text(ANN)) is (said is not None)

    table.reply(ANN, "games")
    assert (said or "") in table.last_text(ANN)


def test_other_peoples_games_are_not_listed(table: Table) -> None:
    table.begin()
    table.write_to_site(EVE, "games", name="Eve")

    assert "You have no games at the moment." in table.last_text(EVE)


def test_during_deployment_the_list_says_only_who_has_to_deploy(table: Table) -> None:
    table.begin("welbeck")
    assert games(table, ANN)[0].startswith("Welbeck with ben, you are White: you have to deploy, until")
    table.reply(BEN, "deploy home")
    assert games(table, BEN)[0].startswith("Welbeck with ann, you are Black: ann has to deploy, until")


def test_a_paused_game_is_listed_as_paused(table: Table) -> None:
    table.begin()
    decree(table, DecreeKind.PAUSE)

    assert games(table, ANN) == ["Wild 16 with ben, you are White: your turn, paused"]


@pytest.mark.parametrize("private_order", ["e2e5", "help", "a1a8, h1h8", "note a knight on f6"])
def test_what_the_opponent_did_in_private_changes_nothing(table: Table, private_order: str) -> None:
    table.begin()
    before = games(table, BEN)
    table.reply(ANN, private_order)

    assert games(table, BEN) == before
