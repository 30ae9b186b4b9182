"""Ghosts and notes are kept for their player, in letters and on the page, and for nobody else."""

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


def board_of(table: Table, player: str) -> list[str]:
    """The board that the newest letter shows, rank by rank from the top."""
    lines = text_of(table.newest(player)).splitlines()
    return [line[5:] for line in lines if line[:5].strip().isdigit() and line.startswith("  ")]


@pytest.fixture
def begun(table: Table) -> Table:
    table.begin()
    return table


def test_a_ghost_stands_in_all_letters_to_its_player_until_it_is_proved_wrong(begun: Table) -> None:
    begun.reply(ANN, "ghost q d8 p d5 f6")
    assert "Your ghosts are on the board below. Only you see them." in begun.says(ANN)
    assert "Your ghosts: a queen on d8; pawns on d5 and f6." in begun.says(ANN)
    assert (board_of(begun, ANN)[0], board_of(begun, ANN)[2]) == (". . . q'. . . .", ". . . . . p'. .")

    begun.play("e2e4", "d7d5")
    assert "Your ghosts: a queen on d8; pawns on d5 and f6." in begun.says(ANN)

    begun.reply(ANN, "e4d5")
    assert "Your ghosts: a queen on d8; a pawn on f6." in begun.says(ANN)

    begun.reply(ANN, "ghost -d8")
    assert "Your ghost: a pawn on f6. A ' on the board marks it, and only you see it." in begun.says(ANN)

    begun.reply(ANN, "ghost clear")
    assert "You have no ghosts now." in begun.says(ANN)
    assert "'" not in "".join(board_of(begun, ANN))


def test_no_ghost_stands_where_it_is_seen_what_is_there(begun: Table) -> None:
    begun.reply(ANN, "ghost e2 qd8")
    assert "I put none on e2, because you can see that square." in begun.says(ANN)
    assert "Your ghost: a queen on d8." in begun.says(ANN)


def test_ghosts_and_notes_are_no_act_and_never_old(begun: Table) -> None:
    first = begun.newest(ANN)
    begun.play("e2e4", "e7e5", "d2d4")
    begun.reply(ANN, "ghost qd8\nnote he has played too fast", to=first)

    assert "Your ghost: a queen on d8." in begun.says(ANN)
    assert "| move 2: he has played too fast" in text_of(begun.newest(ANN))
    assert "Black has until" in begun.says(ANN)

    begun.reply(BEN, "e5d4\nnote now he is slow")
    begun.reply(ANN, "ghost\nd1d4")
    assert "Your move has been made." in begun.says(ANN)


def test_ghosts_and_notes_leave_what_was_ordered_for_the_next_turn_alone(begun: Table) -> None:
    begun.reply(ANN, "e2e4\nif capture: d2d3; else d2d4")
    begun.reply(ANN, "ghost qd8 d4\nnote I wait")
    begun.reply(BEN, "a7a6")

    assert board_of(begun, ANN)[4] == ". . . P P . . ."
    assert "Your ghost: a queen on d8." in begun.says(ANN)
    assert "'" not in "".join(board_of(begun, BEN))


def test_before_the_first_move_there_is_nothing_to_imagine(table: Table) -> None:
    table.challenge()
    table.reply(ANN, "ghost qd8\nnote careful")
    assert table.says(ANN).count("The pieces aren't on the board yet, so I saved nothing") == 2


def test_in_a_game_that_was_turned_down_there_is_nothing_to_imagine(table: Table) -> None:
    table.challenge()
    table.reply(BEN, "decline")
    table.reply(ANN, "ghost qd8\nnote careful")
    assert table.says(ANN).count("This game was never played, so I saved nothing") == 2
    assert "move 1: careful" not in table.says(ANN)


def test_the_newest_notes_are_shown_in_letters_and_all_that_are_kept_on_the_page(begun: Table) -> None:
    for number in range(1, limits.NOTES + 3):
        begun.reply(ANN, f"note the {number}. thing") if number > limits.NOTES else note(begun, number)
    begun.reply(ANN, "e2e4")
    shown = [line for line in text_of(begun.newest(ANN)).splitlines() if line.startswith("| move")]
    assert shown == [f"| move 1: the {number}. thing" for number in (52, 51, 50)]

    begun.reply(ANN, "show")
    shown = [line for line in text_of(begun.newest(ANN)).splitlines() if line.startswith("| move")]
    assert len(shown) == limits.NOTES_SHOWN

    browser = Browser(begun.app())
    browser.sign_in(begun, ANN)
    code = str(begun.newest(BEN)["Subject"])[-6:-1]
    page = text_of_page(browser.open(f"/games/{code}"))
    assert page.count("Move 1: the ") == limits.NOTES
    assert "the 2. thing" not in page
    assert "the 3. thing" in page


def note(table: Table, number: int) -> None:
    """Several in one letter are quicker."""
    if number % 10 == 1:
        lines = (f"note the {each}. thing" for each in range(number, number + 10))
        table.reply(ANN, "\n".join(lines))


def test_a_note_that_is_too_long_is_not_kept(begun: Table) -> None:
    begun.reply(ANN, f"note {'x' * (limits.NOTE_CHARACTERS + 1)}")
    assert "This note has more than 500 characters, so I didn't save it." in begun.says(ANN)
    assert "Your latest notes" not in begun.says(ANN)


def test_after_the_end_notes_are_read_and_ghosts_are_gone(begun: Table) -> None:
    begun.reply(ANN, "ghost qd8\nnote well played")
    begun.reply(BEN, "resign resign")
    assert "Your ghost" not in begun.says(ANN)

    begun.reply(ANN, "show")
    assert "| move 1: well played" in text_of(begun.newest(ANN))


def test_who_asks_is_given_all_of_it_and_who_is_forgotten_leaves_none(begun: Table) -> None:
    begun.reply(ANN, "e2e4\nghost qd8 e5\nnote well played\nif check: e1e2\ndelay 2-8h")
    name = next(each.name for each in list_players(begun.server) if ANN in each.addresses)
    code = str(begun.newest(BEN)["Subject"])[-6:-1]
    kept = export(begun.server, name)
    assert kept["notes"] == [{"game": code, "note": "well played"}]
    assert kept["ghosts"] == [{"game": code, "ghosts": "pe5qd8"}]
    assert kept["next_turns"] == [{"game": code, "orders": "if check: e1e2", "delay": "2-8h"}]
    begun.reply(BEN, "resign resign")

    delete_player(begun.server, name, begun.clock())
    begun.reply(ANN, "show")
    assert "well played" not in begun.says(ANN)
    with begun.server.store.reading() as connection:
        assert "well played" not in "".join(connection.execute(select(EmailWordsRow.words)).scalars())
