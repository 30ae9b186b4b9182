"""Ghosts and notes: only their player sees them, in emails and on the page."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from corr import limits
from corr.service.admin.maintenance import delete_player
from corr.service.players.own_data_rows import export
from corr.service.players.players import list_players
from corr.store.tables import EmailWordsRow
from tests.support.browser import Browser, text_of_page
from tests.support.table import ANN, BEN, Table, text_of


def newest_board(table: Table, player: str) -> list[str]:
    """The board in a player's newest email, rank by rank from the top."""
    lines = text_of(table.last_email(player)).splitlines()
    return [line[5:] for line in lines if line[:5].strip().isdigit() and line.startswith("  ")]


@pytest.fixture
def running(table: Table) -> Table:
    table.begin()
    return table


def test_a_ghost_is_in_all_emails_to_its_player_until_it_is_proved_wrong(running: Table) -> None:
    running.reply(ANN, "ghost q d8 p d5 f6")
    assert "Your ghosts are on the board below. Only you see them." in running.last_text(ANN)
    assert "Your ghosts: a queen on d8; pawns on d5 and f6." in running.last_text(ANN)
    assert (newest_board(running, ANN)[0], newest_board(running, ANN)[2]) == (
        ". . . q'. . . .",
        ". . . . . p'. .",
    )

    running.play("e2e4", "d7d5")
    assert "Your ghosts: a queen on d8; pawns on d5 and f6." in running.last_text(ANN)

    running.reply(ANN, "e4d5")
    assert "Your ghosts: a queen on d8; a pawn on f6." in running.last_text(ANN)

    running.reply(ANN, "ghost -d8")
    assert "Your ghost: a pawn on f6. A ' on the board marks it, and only you see it." in running.last_text(
        ANN
    )

    running.reply(ANN, "ghost clear")
    assert "You have no ghosts now." in running.last_text(ANN)
    assert "'" not in "".join(newest_board(running, ANN))


def test_no_ghost_can_be_put_on_a_visible_square(running: Table) -> None:
    running.reply(ANN, "ghost e2 qd8")
    assert "I put none on e2, because you can see that square." in running.last_text(ANN)
    assert "Your ghost: a queen on d8." in running.last_text(ANN)


def test_ghosts_and_notes_are_no_moves_and_may_answer_an_old_email(running: Table) -> None:
    first = running.last_email(ANN)
    running.play("e2e4", "e7e5", "d2d4")
    running.reply(ANN, "ghost qd8\nnote he has played too fast", to=first)

    assert "Your ghost: a queen on d8." in running.last_text(ANN)
    assert "| move 2: he has played too fast" in text_of(running.last_email(ANN))
    assert "Black has until" in running.last_text(ANN)

    running.reply(BEN, "e5d4\nnote now he is slow")
    running.reply(ANN, "ghost\nd1d4")
    assert "Your move has been made." in running.last_text(ANN)


def test_ghosts_and_notes_leave_standing_orders_alone(running: Table) -> None:
    running.reply(ANN, "e2e4\nif capture: d2d3; else d2d4")
    running.reply(ANN, "ghost qd8 d4\nnote I wait")
    running.reply(BEN, "a7a6")

    assert newest_board(running, ANN)[4] == ". . . P P . . ."
    assert "Your ghost: a queen on d8." in running.last_text(ANN)
    assert "'" not in "".join(newest_board(running, BEN))


def test_a_game_that_has_not_begun_takes_no_ghosts_or_notes(table: Table) -> None:
    table.challenge()
    table.reply(ANN, "ghost qd8\nnote careful")
    assert table.last_text(ANN).count("The pieces aren't on the board yet, so I saved nothing") == 2


def test_a_declined_game_takes_no_ghosts_or_notes(table: Table) -> None:
    table.challenge()
    table.reply(BEN, "decline")
    table.reply(ANN, "ghost qd8\nnote careful")
    assert table.last_text(ANN).count("This game was never played, so I saved nothing") == 2
    assert "move 1: careful" not in table.last_text(ANN)


def test_emails_show_the_newest_notes_and_the_page_all(running: Table) -> None:
    for number in range(1, limits.NOTES + 3):
        running.reply(ANN, f"note the {number}. thing") if number > limits.NOTES else write_ten_notes(
            running, number
        )
    running.reply(ANN, "e2e4")
    shown = [line for line in text_of(running.last_email(ANN)).splitlines() if line.startswith("| move")]
    assert shown == [f"| move 1: the {number}. thing" for number in (52, 51, 50)]

    running.reply(ANN, "show")
    shown = [line for line in text_of(running.last_email(ANN)).splitlines() if line.startswith("| move")]
    assert len(shown) == limits.NOTES_SHOWN

    browser = Browser(running.app())
    browser.sign_in(running, ANN)
    code = str(running.last_email(BEN)["Subject"])[-6:-1]
    page = text_of_page(browser.open(f"/games/{code}"))
    assert page.count("Move 1: the ") == limits.NOTES
    assert "the 2. thing" not in page
    assert "the 3. thing" in page


def write_ten_notes(table: Table, number: int) -> None:
    """Several in one email are quicker."""
    if number % 10 == 1:
        lines = (f"note the {each}. thing" for each in range(number, number + 10))
        table.reply(ANN, "\n".join(lines))


def test_a_note_that_is_too_long_is_not_saved(running: Table) -> None:
    running.reply(ANN, f"note {'x' * (limits.NOTE_CHARACTERS + 1)}")
    assert "This note has more than 500 characters, so I didn't save it." in running.last_text(ANN)
    assert "Your latest notes" not in running.last_text(ANN)


def test_after_the_end_notes_stay_and_ghosts_are_gone(running: Table) -> None:
    running.reply(ANN, "ghost qd8\nnote well played")
    running.reply(BEN, "resign resign")
    assert "Your ghost" not in running.last_text(ANN)

    running.reply(ANN, "show")
    assert "| move 1: well played" in text_of(running.last_email(ANN))


def test_ghosts_and_notes_are_exported_and_deleted_with_their_player(running: Table) -> None:
    running.reply(ANN, "e2e4\nghost qd8 e5\nnote well played\nif check: e1e2\ndelay 2-8h")
    name = next(each.name for each in list_players(running.server) if ANN in each.addresses)
    code = str(running.last_email(BEN)["Subject"])[-6:-1]
    kept = export(running.server, name)
    assert kept["notes"] == [{"game": code, "note": "well played"}]
    assert kept["ghosts"] == [{"game": code, "ghosts": "pe5qd8"}]
    assert kept["next_turns"] == [{"game": code, "orders": "if check: e1e2", "delay": "2-8h"}]
    running.reply(BEN, "resign resign")

    delete_player(running.server, name, running.clock())
    running.reply(ANN, "show")
    assert "well played" not in running.last_text(ANN)
    with running.server.store.reading() as connection:
        assert "well played" not in "".join(connection.execute(select(EmailWordsRow.words)).scalars())
