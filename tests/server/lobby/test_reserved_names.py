"""Reserved names: nobody can be called like the umpire, a side, an admin or a house bot."""

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

RESERVED = """
Umpire; UMPIRE; The Umpire; Chief Umpire; TheUmpire; Umpire's; umpire-bot; Umpire 2; Umpire1; 1 Umpire; Arbiter; Referee
admin; Admin 7; SiteAdmin; Administrator; postmaster; Mailer-Daemon; hostmaster; root; support; The operator; no-reply
corr; Corr team; The House; Kriegspiel; Nobody; Somebody
White; The White; White's; White side; White player; White 2; Black; your opponent; You
Ann resigns; Ann resigned; Annresigns; White's move; White wins; Black has resigned; Ann is mated; Checkmate
"""
#: Lookalike spellings of reserved names.
LOOKALIKES = """
Ump1re; Urnpire; U m p i r e; um-pire; Adm1n; vVhite; Wh1te; B1ack; 8lack; Postrnaster; C0rr; Ann res1gns
"""
#: Real names, which must stay allowed.
PEOPLE = """
Ann; Rook64; O'Hara; Jean-Luc; Иван; Ann White; Jack Black; Snow White; White Knight; Whitehead; Blackburn; Badminton
Andrea Corr; Corrado; Greg House; Jae Won; Theresa May; George Will; Isabel; Allan; Judge Dredd; Gary Player; A player
A player 2; Mallory 15; Vampire; Kriegspieler; Newsome; Willis; Hasan
"""


def split_names(names: str) -> list[str]:
    return [name.strip() for line in names.strip().splitlines() for name in line.split(";")]


@pytest.mark.parametrize("name", split_names(RESERVED) + split_names(LOOKALIKES))
def test_a_reserved_name_is_refused(name: str) -> None:
    assert is_reserved(name)
    with pytest.raises(Refused, match=r"mistaken for the umpire|look like an order"):
        clean_name(name)
    assert nearest_name(name) == "A player"


@pytest.mark.parametrize("name", split_names(PEOPLE))
def test_a_real_name_is_allowed(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize("bot", HOUSE_BOTS)
def test_the_name_of_a_house_bot_is_refused(bot: HouseBot) -> None:
    with pytest.raises(Refused):
        clean_name(bot.name)
    with pytest.raises(Refused):
        clean_name(bot.shown)


def test_a_reserved_name_is_refused_wherever_it_is_entered(table: Table) -> None:
    """On the sign-in form, in the settings, in an email, in a challenge and by an operator."""
    page = Browser(table.app())
    assert "mistaken for the umpire" in page.sign_in(table, EVE, "Umpire")
    page.press("Save name", name="Eve")
    page.open("/settings/")
    assert "mistaken for the umpire" in page.press("Save profile", name="Wh1te")
    table.write_to_site(FAY, "seek wild16 3d", name="Administrator")
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


def test_a_player_keeps_a_newly_reserved_name_and_the_doctor_reports_it(table: Table) -> None:
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
