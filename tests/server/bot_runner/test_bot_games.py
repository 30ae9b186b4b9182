"""Server bots in a game: challenged by email or page, they answer every turn."""

from __future__ import annotations

import pytest
from sqlalchemy import select, update

from corr.rules.variants import UMPIRES
from corr.service.players import players
from corr.service.players.names import fold_lookalikes
from corr.store.tables import GameRow, OutboxRow, PlayerRow, SeatRow
from tests.support import rated_games
from tests.support.bot_game import challenge, last_game_email, let_bots_think, play, write
from tests.support.browser import Browser
from tests.support.table import BEN, EVE, Table, text_of, unwrap


@pytest.mark.parametrize("color", ["white", "black"])
@pytest.mark.parametrize("variant", UMPIRES)
def test_a_bot_answers_every_turn_in_every_variant(table: Table, variant: str, color: str) -> None:
    challenge(table, "Pip", variant, color)
    let_bots_think(table)

    play(table, variant, 6)

    with table.server.store.reading() as connection:
        ply, state = connection.execute(select(GameRow.ply, GameRow.state)).one()
    assert state == "over" or ply >= 11


def test_a_bot_gets_no_emails(table: Table) -> None:
    challenge(table, "Pip", "wild16")
    write(table, "e2e4")
    let_bots_think(table)

    with table.server.store.reading() as connection:
        written = connection.execute(
            select(OutboxRow.id).join(SeatRow, SeatRow.id == OutboxRow.seat_id).where(SeatRow.house)
        )
        assert written.all() == []
    assert "Move 2. Your turn" in unwrap(text_of(last_game_email(table)))


def test_the_button_challenges_the_bot_even_if_a_person_had_its_name(table: Table) -> None:
    players.add(table.server, "Ben", BEN, table.clock())
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).values(name="Pip", name_key=fold_lookalikes("Pip")))
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")

    browser.open("/lobby/")
    browser.press("Play Pip")
    table.run_workers()

    assert "Wild 16 with Pip (bot)" in table.last_email(EVE)["Subject"]


def test_the_button_opens_the_game(table: Table) -> None:
    browser = Browser(table.app_with_workers())
    browser.sign_in(table, EVE, "Eve")
    browser.open("/lobby/")

    assert "Wild 16 · move 1" in browser.press("Play Pip")
    assert "Pip\u00a0(bot)</h1>" in browser.answer.get_data(as_text=True)


def test_until_a_worker_starts_the_game_only_its_player_sees_the_wait_page(table: Table) -> None:
    eve, ben = Browser(table.app()), Browser(table.app())
    eve.sign_in(table, EVE, "Eve")
    ben.sign_in(table, BEN, "Ben")
    eve.open("/lobby/")
    assert "We're setting up the board" in eve.press("Play Pip")
    assert eve.answer.headers["Refresh"] == "1"
    assert "Your games" in ben.open(eve.path)
    table.run_workers()

    assert "Wild 16 · move 1" in eve.open(eve.path)
    assert Browser(table.app()).client.get(eve.path).headers["Location"] == "/sign-in"


def test_a_bad_challenge_to_a_bot_is_refused(table: Table) -> None:
    browser = Browser(table.app_with_workers())
    browser.sign_in(table, EVE, "Eve")
    browser.open("/lobby/")

    assert "Choose white, black or random" in browser.press("Play Pip", color="green")


def test_a_rated_game_against_a_bot_rates_both_and_the_bot_as_a_bot(table: Table) -> None:
    challenge(table, "Pip", "wild16", "white rated")
    for text in ("e2e4\nresign", "resign resign"):
        write(table, text)

    assert sorted(round(rating.rating) for rating, *_ in rated_games.stored_ratings(table).values()) == [
        1259,
        1741,
    ]
    assert len(rated_games.players_rated_as_bots(table)) == 1


def test_a_bot_answers_a_move_with_a_draw_offer(table: Table) -> None:
    challenge(table, "Pip", "wild16")
    write(table, "e2e4\ndraw?")
    let_bots_think(table)

    assert "Move 2. Your turn" in unwrap(text_of(last_game_email(table)))
