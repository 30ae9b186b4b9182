"""A reply to the list of your games can hold orders for several of them."""

from __future__ import annotations

import pytest

from tests.support.table import ANN, AUTHSERV_ID, BEN, EVE, FAY, Table, text_of
from tests.support.two_games import TwoGames

FORGED = f"Authentication-Results: {AUTHSERV_ID}; dmarc=fail header.from=a.example"


@pytest.fixture
def games(table: Table) -> TwoGames:
    return TwoGames(table)


def test_each_game_is_answered_in_its_own_thread(table: Table, games: TwoGames) -> None:
    table.reply(FAY, "e2e4")
    before = games.count(ANN)
    table.write_to_site(ANN, "games")

    table.reply(ANN, f"{games.classic}: e2e4\n{games.wild.upper()}: d7d5\n\nThank you, umpire.")

    assert games.count(ANN) == before + 3  # the list, and an answer in each game
    assert "| e2e4\nYour move has been made." in games.last_text(ANN, games.classic)
    assert "| d7d5\nYour move has been made." in games.last_text(ANN, games.wild)
    assert (
        games.last_email(ANN, games.classic)["References"] != games.last_email(ANN, games.wild)["References"]
    )
    assert "You are Black. Move 1. Your turn" in games.last_text(BEN, games.classic)
    assert "You are White. Move 2. Your turn" in games.last_text(FAY, games.wild)


UNCLEAR = {
    "one line that is not clear": ("{classic}: e2e4\n{wild}: Nf6", "Notation like"),
    "an order without a code": ("{classic}: e2e4\nd2d4", "which of your games"),
    "a code without a colon": ("{classic} e2e4", "begin the line with the game's code and a colon"),
    "two moves in one game": ("{classic}: e2e4\n{wild}: show\n{classic}: d2d4", "two moves"),
    "a code of no game": ("{classic}: e2e4\nzzzz9: show", 'list you replied to has no game "zzzz9"'),
    "half a code": ("{classic}: e2e4\n\nk3x: show", 'list you replied to has no game "k3x"'),
    "a name": ("{classic}: e2e4\n\nBen: d2d4", 'list you replied to has no game "ben"'),
    "two codes": ("{classic}: {wild}: e2e4", "begin the line with the game's code and a colon"),
    "another move's number": ("{classic}: 7. e2e4", "numbered this line 7, but this is move 1"),
}


@pytest.mark.parametrize("case", UNCLEAR)
def test_one_unclear_line_stops_the_whole_email(table: Table, games: TwoGames, case: str) -> None:
    text, why = UNCLEAR[case]
    before = games.count(ANN)

    table.reply(ANN, text.format(classic=games.classic, wild=games.wild))

    assert games.count(ANN) == before + 1
    assert why in table.last_text(ANN)
    table.reply(ANN, f"{games.classic}: e2e4")  # a reply to that answer works like a reply to the list
    assert "Your move has been made." in games.last_text(ANN, games.classic)


def test_another_players_game_is_answered_like_an_unknown_one(table: Table, games: TwoGames) -> None:
    table.write_to_site(BEN, "games")
    table.reply(BEN, f"{games.wild}: show")
    foreign = table.last_text(BEN)
    table.reply(BEN, "zzzz9: show")

    assert foreign.replace(games.wild, "zzzz9") == table.last_text(BEN)


def test_orders_are_outdated_if_a_move_was_made_since_the_list(table: Table, games: TwoGames) -> None:
    listed = table.last_email(ANN)
    table.reply(ANN, "e2e4", to=games.last_email(ANN, games.classic))
    table.reply(BEN, "e7e5")

    table.reply(ANN, f"{games.classic}: d2d4", to=listed)

    assert "a move has been made since, so I did nothing" in games.last_text(ANN, games.classic)
    table.reply(ANN, f"{games.classic}: resign resign", to=listed)  # resigning is never outdated
    assert "Black wins" in games.last_text(BEN, games.classic)


def test_a_second_reply_to_a_list_is_not_saved_for_the_next_turn(table: Table, games: TwoGames) -> None:
    table.reply(ANN, f"{games.classic}: e2e4", to=games.listed)
    table.reply(ANN, f"{games.classic}: d2d4", to=games.listed)
    assert "Your move for this turn had already been played" in games.last_text(ANN, games.classic)

    table.write_to_site(ANN, "games")
    table.reply(ANN, f"{games.classic}: d2d4")
    assert "Saved for your next turn" in games.last_text(ANN, games.classic)


def test_a_list_stops_working_for_a_seat_with_a_new_address(table: Table, games: TwoGames) -> None:
    listed = table.last_email(ANN)
    table.reply(ANN, "new address", to=games.last_email(ANN, games.classic))

    table.reply(ANN, f"{games.classic}: e2e4", to=listed)

    assert "your old reply address for this game" in games.last_text(ANN, games.classic)


def test_a_repeated_email_does_nothing(table: Table, games: TwoGames) -> None:
    raw = table.reply_email(ANN, f"{games.classic}: e2e4\n{games.wild}: show")
    for _ in range(3):
        table.deliver(raw)
        table.run_workers()

    assert len([each for each in table.emails_to(ANN) if "Your move has been made." in text_of(each)]) == 1


def test_a_forged_email_reaches_no_game(table: Table, games: TwoGames) -> None:
    table.reply(ANN, f"{games.classic}: e2e4", headers=FORGED)
    assert f"| {games.classic}: e2e4\nOur mail server found" in table.last_text(ANN)

    before = games.count(ANN), games.count(BEN), games.count(EVE)
    listed = [each for each in table.emails_to(ANN) if "Your games:" in text_of(each)][-1]
    table.reply(ANN, f"{games.classic}: e2e4", sender=EVE, to=listed)
    assert (games.count(ANN), games.count(BEN), games.count(EVE)) == before


def test_orders_for_games_must_be_a_reply_to_the_list(table: Table, games: TwoGames) -> None:
    table.write_to_site(ANN, f"{games.classic}: e2e4")

    assert "a reply to our list of your games" in table.last_text(ANN)


def test_an_email_to_one_game_has_no_codes(table: Table, games: TwoGames) -> None:
    table.reply(ANN, f"{games.classic}: e2e4", to=games.last_email(ANN, games.classic))

    assert "leave out the code" in games.last_text(ANN, games.classic)


def test_a_long_list_of_tries_is_passed_on_whole(table: Table, games: TwoGames) -> None:
    refused = ", ".join(f"{file}2{file}{rank}" for rank in "5678" for file in "abcdefgh")
    table.reply(ANN, f"{games.classic}: " + ",\n".join([refused] * 6) + ", e2e4")

    assert 'You played "e2e4".' in games.last_text(ANN, games.classic)


def test_a_hundred_lines_are_read_together_and_an_unclear_one_is_named(table: Table, games: TwoGames) -> None:
    lines = [f"{games.classic}: show", f"{games.wild}: help", f"{games.classic}: e2e4"] * 33

    table.reply(ANN, "\n".join([*lines, f"{games.wild} : draw?"]))

    assert "Your move has been made" in games.last_text(ANN, games.classic)
    assert "offers a draw" in games.last_text(FAY, games.wild)
    table.reply(ANN, "\n".join([*lines, f"{games.wild}: e2e9"]), to=games.listed)
    assert f"| {games.wild}: e2e9" in table.last_text(ANN)


def test_an_email_to_several_games_in_time_prevents_the_flag(table: Table, games: TwoGames) -> None:
    raw = table.reply_email(ANN, f"{games.classic}: e2e4")
    table.clock.advance(days=2, hours=23)
    table.deliver(raw)
    table.clock.advance(days=1)

    table.sweep()
    table.run_workers()

    assert "Your move has been made" in games.last_text(ANN, games.classic)
