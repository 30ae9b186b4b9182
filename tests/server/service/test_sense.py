"""`sense` by letter: alone, with the move below it, and with a move for what it shows."""

from __future__ import annotations

from tests.support.masked_seals import masked
from tests.support.table import ANN, BEN, Table


def test_a_sense_is_answered_at_once_and_the_other_side_gets_no_letter(table: Table) -> None:
    table.begin("rbc")
    letters = len(table.letters(BEN))

    table.reply(ANN, "sense e7")

    assert "Around e7 you see Black's king on e8; Black's queen on d8" in table.says(ANN)
    assert 'You haven\'t moved yet: reply with your move, or with "pass".' in table.says(ANN)
    assert len(table.letters(BEN)) == letters
    table.reply(ANN, "e2e4")
    assert "You've taken your turn. The umpire says: You moved \"e2e4\". Black's turn." in table.says(ANN)
    assert "The umpire says: White has taken a turn. Black's turn." in table.says(BEN)


def test_the_sense_and_the_move_below_it_are_one_act(table: Table) -> None:
    table.begin("rbc")

    table.reply(ANN, "sense e4\ne2e4")

    assert "| sense e4; e2e4" in table.says(ANN)
    assert "Around e4 you see nothing on d3, d4" in table.says(ANN)
    assert table.says(BEN).count("White has taken a turn.") == 1


def test_nothing_is_sensed_beside_a_move_that_cannot_be_asked_for(table: Table) -> None:
    table.begin("rbc")

    table.reply(ANN, "sense e7\ne2e5")

    assert (
        "You have no piece that can go from e2 to e5, wherever the hidden pieces are. I did nothing."
        in table.says(ANN)
    )
    assert "Around e7" not in table.says(ANN)
    table.reply(ANN, "sense e4\ne2e4")
    assert "You've taken your turn." in table.says(ANN)


def test_a_move_above_the_sense_tries_nothing(table: Table) -> None:
    table.begin("rbc")

    table.reply(ANN, "e2e4\nsense e4")

    assert "I couldn't understand this line, so I did nothing" in table.says(ANN)
    assert "only once, and before your move" in table.says(ANN)


def test_a_move_that_came_before_the_sense_may_be_sent_again_after_it(table: Table) -> None:
    table.begin("rbc")
    table.reply(ANN, "e2e4")
    assert 'Begin your turn with "sense" and a square' in table.says(ANN)
    table.reply(ANN, "sense e4")

    table.reply(ANN, "e2e4")

    assert "You've taken your turn." in table.says(ANN)


def test_a_sense_that_is_sent_twice_is_made_once(table: Table) -> None:
    table.begin("rbc")
    asked = table.newest(ANN)
    table.reply(ANN, "sense e7", to=asked)
    table.reply(ANN, "sense e7", to=asked)

    assert "You sent these orders before, so I didn't act on them again." in table.says(ANN)
    assert "Around e7 you see" in table.says(ANN)
    table.reply(ANN, "sense e7")
    assert "You have already sensed this turn" in table.says(ANN)


def test_what_hangs_on_the_sense_and_what_became_of_it_is_in_the_next_letter(table: Table) -> None:
    table.begin("rbc")
    table.play("sense none\ne2e4", "sense none\nd7d5", "sense d5; if d5=p: e4d5; else pass", "sense d4\nd8d2")

    assert "| sense d5; if d5=p: e4d5; else pass - Around d5 you see" in table.says(ANN)
    assert "Your pawn on d5 was captured." in table.says(ANN)
    assert 'You asked for "d8d2" and moved "d8d5".' in table.says(BEN)


def test_the_other_side_cannot_tell_a_pass_a_move_that_did_not_succeed_and_a_quiet_move_apart(
    table: Table,
) -> None:
    told = set()
    for turn in ("sense e4\npass", "sense none\ne2d3", "sense e7\ng1f3"):
        table.begin("rbc")
        table.reply(ANN, turn)
        told.add(masked(table.says(BEN)))

    (letter,) = told
    assert "The umpire says: White has taken a turn. Black's turn." in letter


def test_where_there_is_no_sense_it_tries_nothing(table: Table) -> None:
    table.begin()

    table.reply(ANN, "sense e4\ne2e4")

    assert "In Wild 16, write moves such as e2e4" in table.says(ANN)
    assert "I did nothing." in table.says(ANN)


def test_a_player_may_look_at_all_that_it_has_sensed(table: Table) -> None:
    """R15: older senses with the number of the move."""
    table.begin("rbc")
    table.play("sense e7; e2e4", "sense e2; pass", "sense d7; pass", "sense none; pass")
    table.reply(ANN, "show")
    letter = table.says(ANN)
    assert "at move 1: Around e7 you see" in letter
    assert "at move 2: Around d7 you see" in letter
