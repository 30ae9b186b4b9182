"""A house player at its table: challenged by letter, it is handed its seat's slips and answers them like anybody."""

from __future__ import annotations

import pytest
from sqlalchemy import select, update

from corr.rules.variants import UMPIRES
from corr.service.players import players
from corr.service.players.names import fold_lookalikes
from corr.store.tables import GameRow, OutboxRow, PlayerRow, SeatRow
from tests.support import rated_games
from tests.support.bot_game import challenge, newest, play, think, write
from tests.support.browser import Browser
from tests.support.table import BEN, EVE, Table, flat, text_of


@pytest.mark.parametrize("color", ["white", "black"])
@pytest.mark.parametrize("variant", UMPIRES)
def test_it_answers_every_turn_in_every_variant(table: Table, variant: str, color: str) -> None:
    challenge(table, "Pip", variant, color)
    think(table)

    play(table, variant, 6)

    with table.server.store.reading() as connection:
        ply, state = connection.execute(select(GameRow.ply, GameRow.state)).one()
    assert state == "over" or ply >= 11


def test_its_letters_go_to_nobody(table: Table) -> None:
    challenge(table, "Pip", "wild16")
    write(table, "e2e4")
    think(table)

    with table.server.store.reading() as connection:
        written = connection.execute(
            select(OutboxRow.id).join(SeatRow, SeatRow.id == OutboxRow.seat_id).where(SeatRow.house)
        )
        assert written.all() == []
    assert "Move 2. Your turn" in flat(text_of(newest(table)))


def test_its_button_leads_to_it_though_a_person_was_called_so_before(table: Table) -> None:
    players.add(table.server, "Ben", BEN, table.clock())
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).values(name="Pip", name_key=fold_lookalikes("Pip")))
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")

    browser.open("/lobby/")
    browser.press("Play Pip")
    table.work()

    assert "Wild 16 with Pip (bot)" in table.newest(EVE)["Subject"]


def test_its_button_leads_to_the_table(table: Table) -> None:
    browser = Browser(table.at_work())
    browser.sign_in(table, EVE, "Eve")
    browser.open("/lobby/")

    assert "Wild 16 · move 1" in browser.press("Play Pip")
    assert "Pip\u00a0(bot)</h1>" in browser.answer.get_data(as_text=True)


def test_while_no_worker_has_begun_the_game_its_player_alone_is_told_so(table: Table) -> None:
    eves, bens = Browser(table.app()), Browser(table.app())
    eves.sign_in(table, EVE, "Eve")
    bens.sign_in(table, BEN, "Ben")
    eves.open("/lobby/")
    assert "We're setting up the board" in eves.press("Play Pip")
    assert eves.answer.headers["Refresh"] == "1"
    assert "Your games" in bens.open(eves.at)
    table.work()

    assert "Wild 16 · move 1" in eves.open(eves.at)
    assert Browser(table.app()).client.get(eves.at).headers["Location"] == "/sign-in"


def test_a_game_that_is_refused_begins_nowhere(table: Table) -> None:
    browser = Browser(table.at_work())
    browser.sign_in(table, EVE, "Eve")
    browser.open("/lobby/")

    assert "Choose white, black or random" in browser.press("Play Pip", color="green")


def test_a_rated_game_against_a_program_rates_both_and_the_program_as_one(table: Table) -> None:
    challenge(table, "Pip", "wild16", "white rated")
    for text in ("e2e4\nresign", "resign resign"):
        write(table, text)

    assert sorted(round(rating.rating) for rating, *_ in rated_games.kept(table).values()) == [1259, 1741]
    assert len(rated_games.programs(table)) == 1


def test_a_draw_that_is_offered_beside_a_move_is_answered(table: Table) -> None:
    challenge(table, "Pip", "wild16")
    write(table, "e2e4\ndraw?")
    think(table)

    assert "Move 2. Your turn" in flat(text_of(newest(table)))
