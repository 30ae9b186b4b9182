"""`sense` by email: alone, with a move below it, and with a move that depends on what it shows."""

from __future__ import annotations

from tests.support.masked_seals import mask_seals
from tests.support.table import ANN, BEN, Table


def test_a_sense_is_answered_at_once_and_the_opponent_gets_no_email(table: Table) -> None:
    table.begin("rbc")
    emails = len(table.emails_to(BEN))

    table.reply(ANN, "sense e7")

    assert "Around e7 you see Black's king on e8; Black's queen on d8" in table.last_text(ANN)
    assert 'You haven\'t moved yet: reply with your move, or with "pass".' in table.last_text(ANN)
    assert len(table.emails_to(BEN)) == emails
    table.reply(ANN, "e2e4")
    assert "You've taken your turn. The umpire says: You moved \"e2e4\". Black's turn." in table.last_text(
        ANN
    )
    assert "The umpire says: White has taken a turn. Black's turn." in table.last_text(BEN)


def test_a_sense_and_the_move_below_it_are_one_order(table: Table) -> None:
    table.begin("rbc")

    table.reply(ANN, "sense e4\ne2e4")

    assert "| sense e4; e2e4" in table.last_text(ANN)
    assert "Around e4 you see nothing on d3, d4" in table.last_text(ANN)
    assert table.last_text(BEN).count("White has taken a turn.") == 1


def test_nothing_is_sensed_with_an_impossible_move(table: Table) -> None:
    table.begin("rbc")

    table.reply(ANN, "sense e7\ne2e5")

    assert (
        "You have no piece that can go from e2 to e5, wherever the hidden pieces are. I did nothing."
        in table.last_text(ANN)
    )
    assert "Around e7" not in table.last_text(ANN)
    table.reply(ANN, "sense e4\ne2e4")
    assert "You've taken your turn." in table.last_text(ANN)


def test_a_move_above_the_sense_tries_nothing(table: Table) -> None:
    table.begin("rbc")

    table.reply(ANN, "e2e4\nsense e4")

    assert "I couldn't understand this line, so I did nothing" in table.last_text(ANN)
    assert "only once, and before your move" in table.last_text(ANN)


def test_a_move_sent_before_the_sense_may_be_sent_again_after_it(table: Table) -> None:
    table.begin("rbc")
    table.reply(ANN, "e2e4")
    assert 'Begin your turn with "sense" and a square' in table.last_text(ANN)
    table.reply(ANN, "sense e4")

    table.reply(ANN, "e2e4")

    assert "You've taken your turn." in table.last_text(ANN)


def test_a_sense_sent_twice_is_made_once(table: Table) -> None:
    table.begin("rbc")
    asked = table.last_email(ANN)
    table.reply(ANN, "sense e7", to=asked)
    table.reply(ANN, "sense e7", to=asked)

    assert "You sent these orders before, so I didn't act on them again." in table.last_text(ANN)
    assert "Around e7 you see" in table.last_text(ANN)
    table.reply(ANN, "sense e7")
    assert "You have already sensed this turn" in table.last_text(ANN)


def test_the_next_email_tells_how_a_conditional_move_went(table: Table) -> None:
    table.begin("rbc")
    table.play("sense none\ne2e4", "sense none\nd7d5", "sense d5; if d5=p: e4d5; else pass", "sense d4\nd8d2")

    assert "| sense d5; if d5=p: e4d5; else pass - Around d5 you see" in table.last_text(ANN)
    assert "Your pawn on d5 was captured." in table.last_text(ANN)
    assert 'You asked for "d8d2" and moved "d8d5".' in table.last_text(BEN)


def test_the_opponent_cannot_tell_a_pass_a_failed_move_and_a_quiet_move_apart(
    table: Table,
) -> None:
    emails = set()
    for turn in ("sense e4\npass", "sense none\ne2d3", "sense e7\ng1f3"):
        table.begin("rbc")
        table.reply(ANN, turn)
        emails.add(mask_seals(table.last_text(BEN)))

    (email,) = emails
    assert "The umpire says: White has taken a turn. Black's turn." in email


def test_a_sense_in_a_variant_without_it_does_nothing(table: Table) -> None:
    table.begin()

    table.reply(ANN, "sense e4\ne2e4")

    assert "In Wild 16, write moves such as e2e4" in table.last_text(ANN)
    assert "I did nothing." in table.last_text(ANN)


def test_show_lists_all_earlier_senses(table: Table) -> None:
    """R15: older senses come with their move number."""
    table.begin("rbc")
    table.play("sense e7; e2e4", "sense e2; pass", "sense d7; pass", "sense none; pass")
    table.reply(ANN, "show")
    email = table.last_text(ANN)
    assert "at move 1: Around e7 you see" in email
    assert "at move 2: Around d7 you see" in email
