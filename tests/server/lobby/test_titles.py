"""Names that nobody gets: those by which somebody would speak for the umpire, for a side or for the house."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from corr.doctor import database as doctor
from corr.service.players import players
from corr.service.players.house_bots import HOUSE_BOTS, HouseBot
from corr.service.players.names import clean_name, fold_lookalikes, is_reserved, nearest_name
from corr.store.tables import PlayerRow
from corr.words.errors import Refused
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, EVE, FAY, Table

TITLES = """
Umpire; UMPIRE; The Umpire; Chief Umpire; TheUmpire; Umpire's; umpire-bot; Umpire 2; Umpire1; 1 Umpire; Arbiter; Referee
admin; Admin 7; SiteAdmin; Administrator; postmaster; Mailer-Daemon; hostmaster; root; support; The operator; no-reply
corr; Corr team; The House; Kriegspiel; Nobody; Somebody
White; The White; White's; White side; White player; White 2; Black; your opponent; You
Ann resigns; Ann resigned; Annresigns; White's move; White wins; Black has resigned; Ann is mated; Checkmate
"""
#: As somebody writes them who hopes that nobody looks closely.
LIKE_TITLES = """
Ump1re; Urnpire; U m p i r e; um-pire; Adm1n; vVhite; Wh1te; B1ack; 8lack; Postrnaster; C0rr; Ann res1gns
"""
#: What people are called.
PEOPLE = """
Ann; Rook64; O'Hara; Jean-Luc; Иван; Ann White; Jack Black; Snow White; White Knight; Whitehead; Blackburn; Badminton
Andrea Corr; Corrado; Greg House; Jae Won; Theresa May; George Will; Isabel; Allan; Judge Dredd; Gary Player; A player
A player 2; Mallory 15; Vampire; Kriegspieler; Newsome; Willis; Hasan
"""


def listed(names: str) -> list[str]:
    return [name.strip() for line in names.strip().splitlines() for name in line.split(";")]


@pytest.mark.parametrize("name", listed(TITLES) + listed(LIKE_TITLES))
def test_a_name_by_which_somebody_would_speak_for_the_house_is_not_given_out(name: str) -> None:
    assert is_reserved(name)
    with pytest.raises(Refused, match=r"mistaken for the umpire|look like an order"):
        clean_name(name)
    assert nearest_name(name) == "A player"


@pytest.mark.parametrize("name", listed(PEOPLE))
def test_what_people_are_called_is_given_out(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize("program", HOUSE_BOTS)
def test_nobody_gets_the_name_of_a_house_player(program: HouseBot) -> None:
    with pytest.raises(Refused):
        clean_name(program.name)
    with pytest.raises(Refused):
        clean_name(program.shown)


def test_nobody_gets_it_by_whichever_way(table: Table) -> None:
    """By the form where a name is chosen, by a letter, by an address, by the settings, by the operator."""
    page = Browser(table.app())
    assert "mistaken for the umpire" in page.sign_in(table, EVE, "Umpire")
    page.press("Save name", name="Eve")
    page.open("/settings/")
    assert "mistaken for the umpire" in page.press("Save profile", name="Wh1te")
    table.write(FAY, "seek wild16 3d", name="Administrator")
    table.reply(FAY, "confirm")
    table.challenge("Umpire <ann@a.example>", "admin@b.example")
    with pytest.raises(Refused, match="mistaken for the umpire"):
        players.add(table.server, "Referee", BEN, table.clock())

    assert {each.name for each in players.list_players(table.server)} == {
        "Eve",
        "A player",
        "A player 2",
        "A player 3",
    }


def test_who_had_such_a_name_before_keeps_it_and_the_operator_is_told(table: Table) -> None:
    page = Browser(table.app())
    page.sign_in(table, ANN, "Ann")
    (finding,) = doctor.check_player_names(table.server)
    assert "no player's name" in finding.says
    with table.server.store.writing() as connection:
        connection.execute(
            update(PlayerRow).values(name="The Umpire", name_key=fold_lookalikes("The Umpire"))
        )

    page.open("/settings/")
    page.press("Save profile", name="The Umpire")

    assert [each.name for each in players.list_players(table.server)] == ["The Umpire"]
    (finding,) = doctor.check_player_names(table.server)
    assert 'wouldn\'t allow today: "The Umpire"' in finding.says
