"""What "games" tells: where each of one's own games stands, and nothing that the other side did unheard."""

from __future__ import annotations

import re

import pytest

from corr import limits
from corr.service.games import moderation
from corr.service.games.moderation import DecreeKind
from tests.support.table import ANN, BEN, EVE, Table


def games(table: Table, player: str) -> list[str]:
    """What stands behind the code of each game that is listed, by letter of a game and to the site alike."""
    table.reply(player, "games")
    in_a_game = told(table, player)
    table.write(player, "games")
    assert told(table, player) == in_a_game
    return in_a_game


def told(table: Table, player: str) -> list[str]:
    block = table.says(player).partition("Your games:\n")[2].partition("\n")[0]
    return [line.replace("| ", "").strip() for line in re.split(r"\| [2-9j-np-z]{5}: ", block)[1:]]


def test_whose_turn_it_is_and_until_when_is_told_to_both(table: Table) -> None:
    table.begin()

    assert games(table, ANN) == [
        "Wild 16 with ben, you are White: your turn, until Mon 23 Nov 2026, 12:00 UTC"
    ]
    assert games(table, BEN) == [
        "Wild 16 with ann, you are Black: ann's turn, until Mon 23 Nov 2026, 12:00 UTC"
    ]


def test_what_waits_for_oneself_comes_first(table: Table) -> None:
    table.begin()
    table.play("e2e4")
    table.challenge(variant="rbc")

    first, second = games(table, ANN)

    assert first == "Reconnaissance Blind Chess with ben, you are White: waiting for you to accept"
    assert second.startswith("Wild 16 with ben, you are White: ben's turn, until")


@pytest.mark.parametrize("text", ["games\ne2e4", "e2e4\ngames"])
def test_beside_a_move_it_is_told_how_the_game_stands_after_it(table: Table, text: str) -> None:
    table.begin()
    table.reply(ANN, text)

    assert told(table, ANN)[0].startswith("Wild 16 with ben, you are White: ben's turn, until")


def test_a_game_that_is_over_is_not_listed(table: Table) -> None:
    table.begin()
    table.reply(ANN, "resign resign")
    table.reply(ANN, "games")

    assert "You have no games at the moment." in table.says(ANN)


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (2, None),
        (3, 'And 1 more game. See "Your games" on the site for all of them.'),
        (4, 'And 2 more games. See "Your games" on the site for all of them.'),
    ],
)
def test_how_many_are_not_listed_is_told(
    table: Table, monkeypatch: pytest.MonkeyPatch, count: int, said: str | None
) -> None:
    monkeypatch.setattr(limits, "GAMES_LISTED", 2)
    for _ in range(count):
        table.challenge()

    assert len(games(table, ANN)) == 2
    assert (said or "") in table.says(ANN)
    assert ("And " in table.says(ANN)) is (said is not None)

    table.reply(ANN, "games")
    assert (said or "") in table.says(ANN)


def test_of_other_peoples_games_nothing_is_told(table: Table) -> None:
    table.begin()
    table.write(EVE, "games", name="Eve")

    assert "You have no games at the moment." in table.says(EVE)


def test_while_both_deploy_nobody_is_told_more_than_that(table: Table) -> None:
    table.begin("welbeck")
    assert games(table, ANN)[0].startswith("Welbeck with ben, you are White: you have to deploy, until")
    table.reply(BEN, "deploy home")
    assert games(table, BEN)[0].startswith("Welbeck with ann, you are Black: ann has to deploy, until")


def test_in_a_paused_game_the_time_stands_still(table: Table) -> None:
    table.begin()
    moderation.decree(
        table.server,
        "olga@o.example",
        1,
        "1",
        moderation.check_request(DecreeKind.PAUSE, "", "", "A storm."),
        table.clock(),
    )
    table.work()

    assert games(table, ANN) == ["Wild 16 with ben, you are White: your turn, paused"]


@pytest.mark.parametrize("unheard", ["e2e5", "help", "a1a8, h1h8", "note a knight on f6"])
def test_what_the_other_side_did_unheard_changes_nothing(table: Table, unheard: str) -> None:
    table.begin()
    before = games(table, BEN)
    table.reply(ANN, unheard)

    assert games(table, BEN) == before
