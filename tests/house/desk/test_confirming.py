"""Letters of which it is in doubt whose they are: they wait for their player, and act as of when they came."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from corr.mail.outward import compose
from corr.orders import kind_of
from corr.store.tables import OrderRow
from tests.support.broken import breaks
from tests.support.table import ANN, AUTHSERV_ID, BEN, EVE, Table, flat, text_of

FORGED = f"Authentication-Results: {AUTHSERV_ID}; dmarc=fail header.from=a.example"
VOUCHED = f"Authentication-Results: {AUTHSERV_ID}; dmarc=pass header.from=a.example"
FOREIGN = "Authentication-Results: mx.elsewhere.example; dmarc=fail header.from=a.example"
ASKED = "A letter in your name came"


def orders(table: Table) -> int:
    with table.house.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(OrderRow)).scalar_one()


def found(table: Table, player: str, text: str, headers: str = "") -> bytes:
    """A letter to the address that everybody knows, which names one of a seat's letters."""
    newest = table.newest(player)
    raw = table.letter(player, text, headers=headers)
    return raw.replace(newest["Reply-To"].encode(), b"umpire@play.example")


def bring(table: Table, raw: bytes) -> None:
    table.post(raw)
    table.work()


# ---------------------------------------------------------------- called forged by our own server


@pytest.mark.parametrize("text", ["e2e4", "resign resign", "draw?", "show"])
def test_nothing_acts_that_our_own_server_calls_forged(table: Table, text: str) -> None:
    table.begin()
    letters = len(table.letters(BEN))

    table.reply(ANN, text, headers=FORGED)

    assert orders(table) == 0
    assert ASKED in table.says(ANN)
    assert f"| {text}" in table.says(ANN)
    assert "does not come from where it says it does" in table.says(ANN)
    assert len(table.letters(BEN)) == letters


def test_no_field_of_the_letter_itself_hides_what_our_own_server_found(table: Table) -> None:
    table.begin()

    table.reply(ANN, "e2e4", headers=f"{FORGED}\r\n{FOREIGN} (" + "\r\n ".join(["x" * 900] * 10) + ")")

    assert orders(table) == 0
    assert ASKED in table.says(ANN)


@pytest.mark.parametrize("headers", ["", VOUCHED, FOREIGN])
def test_a_letter_that_nobody_of_ours_doubts_acts(table: Table, headers: str) -> None:
    table.begin()

    table.reply(ANN, "e2e4", headers=headers)

    assert "That is your move." in table.says(ANN)


def test_a_confirmed_letter_acts_as_if_it_came_when_it_came(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4", headers=FORGED)
    table.clock.pass_by(days=2)

    table.reply(ANN, "confirm", headers=FORGED)

    assert "That is your move." in table.says(ANN)
    assert "Your turn: reply by" in table.says(BEN)
    assert orders(table) == 1


def test_its_time_is_that_of_its_coming(table: Table) -> None:
    table.begin()
    table.clock.pass_by(days=2, hours=23)
    table.reply(ANN, "e2e4", headers=FORGED)
    table.clock.pass_by(hours=1, seconds=30)

    table.reply(ANN, "confirm")

    assert "That is your move." in table.says(ANN)


def test_a_letter_is_confirmed_once(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4", headers=FORGED)
    asking = table.newest(ANN)
    table.reply(ANN, "confirm", to=asking)
    table.reply(BEN, "e7e5")

    table.reply(ANN, "confirm", to=asking)

    assert "There is nothing that this could confirm" in table.says(ANN)
    assert orders(table) == 2


def test_the_word_confirms_nothing_at_another_address(table: Table) -> None:
    table.begin()
    before = table.newest(ANN)
    table.reply(ANN, "resign resign", headers=FORGED)
    asking = table.newest(ANN)

    table.reply(ANN, "confirm", to=before)
    assert "There is nothing that this could confirm" in table.says(ANN)
    bring(table, table.letter(ANN, "confirm", to=asking, sender=EVE))
    raw = table.letter(ANN, "confirm", to=asking)
    bring(table, raw.replace(asking["Reply-To"].encode(), b"umpire@play.example"))

    assert orders(table) == 0


def test_where_its_turn_is_over_it_tries_nothing(table: Table) -> None:
    table.begin()
    first = table.newest(ANN)
    table.reply(ANN, "d2d4", headers=FORGED)
    asking = table.newest(ANN)
    table.reply(ANN, "e2e4", to=first)
    table.reply(BEN, "e7e5")

    table.reply(ANN, "confirm", to=asking)

    assert "a move has been made since then, so nothing was tried" in table.says(ANN)
    assert orders(table) == 2


def test_after_seven_days_there_is_nothing_to_confirm(table: Table) -> None:
    table.challenge(clock="30d")
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    table.reply(ANN, "resign resign", headers=FORGED)
    asking = table.newest(ANN)
    table.clock.pass_by(days=7)

    table.reply(ANN, "confirm", to=asking)

    assert "There is nothing that this could confirm" in table.says(ANN)
    assert orders(table) == 0


def test_three_letters_a_day_are_asked_about_and_of_others_the_owner_hears_once_a_day(table: Table) -> None:
    table.begin()
    before = len(table.letters(ANN))
    newest = table.newest(ANN)

    for move in ("e2e4", "d2d4", "c2c4", "b2b4", "a2a4", "f2f4"):
        bring(table, table.letter(ANN, move, to=newest, headers=FORGED))

    assert ["the one word" in flat(text_of(each)) for each in table.letters(ANN)[before:]] == [
        True,
        True,
        True,
        False,
    ]
    assert "you were asked about enough others within a day" in table.says(ANN)
    table.reply(ANN, "confirm", to=table.letters(ANN)[before + 1])
    assert "| d2d4 That is your move." in table.says(ANN).replace("\n", " ")
    table.reply(ANN, "confirm", to=table.letters(ANN)[before])
    assert "Your move of this turn was already made" in table.says(ANN)
    assert orders(table) == 1


def test_what_others_send_in_a_players_name_keeps_out_no_letter_of_theirs_for_longer_than_a_day(
    table: Table,
) -> None:
    table.begin()
    newest = table.newest(ANN)
    for move in ("a2a3", "b2b3", "c2c3", "d2d3", "e2e3"):
        bring(table, table.letter(ANN, move, to=newest, headers=FORGED))
    table.clock.pass_by(days=1)

    bring(table, table.letter(ANN, "e2e4", to=newest, headers=FORGED))
    assert "| e2e4" in table.says(ANN)
    table.reply(ANN, "confirm", headers=FORGED)

    assert "That is your move." in table.says(ANN)


def test_what_is_asked_about_is_repeated_in_four_kilobytes(table: Table, monkeypatch) -> None:
    table.begin()
    newest = table.newest(ANN)
    text = "\n".join(["note " + "x y " * 230 + str(number) for number in range(24)] + ["resign resign"])

    bring(table, table.letter(ANN, text, to=newest, headers=FORGED))
    with monkeypatch.context() as broken:
        breaks(broken, compose, "render")
        bring(table, table.letter(ANN, text + "\nshow", to=newest, headers=FORGED))

    for letter in table.letters(ANN)[-2:]:
        lines = [line for line in text_of(letter).splitlines() if line.startswith("| ")]
        assert len("\n".join(lines).encode()) <= 4_096
        assert lines[-1] == "| \u2026"


def test_what_is_called_forged_and_holds_no_order_is_not_asked_about(table: Table) -> None:
    table.begin()

    table.reply(ANN, "Thank you for your letter.", headers=FORGED)

    assert "because it held no order" in table.says(ANN)


def test_the_letter_that_asks_is_answered_with_orders_as_any_other(table: Table) -> None:
    table.begin()
    table.reply(ANN, "resign resign", headers=FORGED)

    table.reply(ANN, "e2e4")

    assert "That is your move." in table.says(ANN)


def test_no_line_of_it_reads_as_an_order(table: Table) -> None:
    table.begin()

    table.reply(ANN, "resign resign", headers=FORGED)

    lines = table.says(ANN).splitlines()
    assert "order" not in {kind_of(line) for line in lines}


# ---------------------------------------------------------------- found by a Message-ID alone


@pytest.mark.parametrize("text", ["resign resign", "resign", "draw?", "e2e4\ndraw?"])
def test_who_knows_a_message_id_alone_ends_and_gives_away_nothing(table: Table, text: str) -> None:
    table.begin()

    bring(table, found(table, ANN, text))

    assert orders(table) == 0
    assert "It did not come to the address of your seat." in table.says(ANN)


@pytest.mark.parametrize("text", ["accept", "decline"])
def test_who_knows_a_message_id_alone_begins_no_game(table: Table, text: str) -> None:
    table.challenge()
    table.reply(BEN, "accept")

    bring(table, found(table, ANN, text))

    assert ASKED in table.says(ANN)
    assert "The game has begun" not in table.says(BEN)


def test_who_knows_a_message_id_alone_puts_no_men_on_the_board(table: Table) -> None:
    table.begin("assassin")
    table.reply(BEN, "deploy home")

    bring(table, found(table, ANN, "deploy corner\ndeploy home"))

    assert ASKED in table.says(ANN)
    assert orders(table) == 1
    table.reply(ANN, "confirm")
    assert "White's move" in table.says(ANN)


def test_another_game_is_not_begun_by_a_message_id(table: Table) -> None:
    table.begin()
    table.reply(ANN, "resign resign")
    table.reply(BEN, "again")

    bring(table, found(table, ANN, "again"))

    assert ASKED in table.says(ANN)


def test_what_was_found_by_a_message_id_acts_once_confirmed(table: Table) -> None:
    table.begin()
    bring(table, found(table, ANN, "resign resign"))

    table.reply(ANN, "confirm")

    assert "The game is over" in table.says(ANN)
    assert "The game is over" in table.says(BEN)


def test_who_answers_the_umpire_instead_of_the_seat_moves_as_before(table: Table) -> None:
    table.begin()

    bring(table, found(table, ANN, "e2e4"))

    assert "That is your move." in table.says(ANN)


def test_a_letter_found_by_a_message_id_and_called_forged_moves_nothing(table: Table) -> None:
    table.begin()

    bring(table, found(table, ANN, "e2e4", FORGED))

    assert orders(table) == 0
    assert ASKED in table.says(ANN)
