"""`any?` by email: alone, with a move below it, and with a move for each answer."""

from __future__ import annotations

from tests.support.table import ANN, BEN, Table, text_of


def begun(table: Table) -> None:
    """White's pawn on e4 can capture on d5."""
    table.begin("classic")
    table.play("e2e4", "d7d5")


def test_the_question_is_answered_at_once_and_the_opponent_reads_it_with_the_move(table: Table) -> None:
    begun(table)
    emails = len(table.emails_to(BEN))

    table.reply(ANN, "any?")
    assert "The umpire says: White asked Any?: Try! It is still your turn." in table.last_text(ANN)
    assert 'Reply with your move, such as "f2e3"' in table.last_text(ANN)  # a pawn has to capture
    assert len(table.emails_to(BEN)) == emails
    table.reply(ANN, "e4d5")

    assert len(table.emails_to(BEN)) == emails + 1
    assert "The umpire says: White has moved. White has captured on d5. Black's move." in table.last_text(BEN)
    assert 'During White\'s turn the umpire also said: "White asked Any?: Try!"' in table.last_text(BEN)


def test_the_question_and_the_move_below_it_are_one_order(table: Table) -> None:
    begun(table)

    table.reply(ANN, "any?\ne4d5")

    assert "| any?; e4d5" in table.last_email(ANN).get_body(("plain",)).get_content()
    assert "| White asked Any?: Try!" in table.last_email(ANN).get_body(("plain",)).get_content()
    said = "The umpire says: White has moved. White has captured on d5. Black's move."
    assert f'You played "e4d5". {said}' in table.last_text(ANN)
    assert said in table.last_text(BEN)
    assert 'During White\'s turn the umpire also said: "White asked Any?: Try!"' in table.last_text(BEN)


def test_a_move_that_the_answer_rules_out_is_not_tried_and_stays_private(table: Table) -> None:
    begun(table)

    table.reply(ANN, "any?\ng1f3")
    assert "| g1f3: Not tried: you could have ruled" in text_of(table.last_email(ANN))
    assert "It is still your turn." in table.last_text(ANN)
    table.reply(ANN, "e4d5")

    assert 'During White\'s turn the umpire also said: "White asked Any?: Try!"' in table.last_text(BEN)
    assert "Impossible" not in table.last_text(BEN)
    assert "g1f3" not in table.last_text(BEN)


def test_each_answer_may_have_its_own_move(table: Table) -> None:
    begun(table)
    table.reply(ANN, "any? yes: e4d5 / no: g1f3")

    table.reply(BEN, "any? yes: d8d6 / no: g8f6")

    assert "The umpire says: Black has moved. White's move." in table.last_text(ANN)
    assert 'During Black\'s turn the umpire also said: "Black asked Any?: No."' in table.last_text(ANN)


def test_a_question_sent_twice_is_asked_once(table: Table) -> None:
    begun(table)
    asked = table.last_email(ANN)
    for _ in range(2):
        table.reply(ANN, "any?", to=asked)

    assert "You sent these orders before, so I didn't act on them again." in table.last_text(ANN)
    assert "White asked Any?: Try!" in table.last_text(ANN)
    table.reply(ANN, "e4d5")
    assert 'During White\'s turn the umpire also said: "White asked Any?: Try!"' in table.last_text(BEN)
    assert "Impossible" not in table.last_text(BEN)


def test_a_move_that_was_impossible_may_be_sent_again_once_it_is_possible(table: Table) -> None:
    """C7: after a failed pawn capture, the player is free to move anything."""
    table.begin("classic")
    table.play("e2e4", "d7d5")
    for order in ("any?", "a2a3", "e4f5"):
        table.reply(ANN, order)
    assert "White attempted an illegal move." in table.last_text(ANN)
    table.reply(ANN, "a2a3")
    assert "Your move has been made." in table.last_text(ANN)


def test_the_move_of_the_other_branch_may_be_sent_afterwards(table: Table) -> None:
    begun(table)
    table.reply(ANN, "any? yes: e4f5 / no: g1f3")
    assert "You haven't moved. It is still your turn." in table.last_text(ANN)
    table.reply(ANN, "g1f3")
    assert "Your move has been made." in table.last_text(ANN)


def test_in_wild_16_the_question_does_nothing(table: Table) -> None:
    table.begin()

    table.reply(ANN, "any?\ne2e4")

    assert "In Wild 16, write moves such as e2e4" in table.last_text(ANN)
    assert "I did nothing." in table.last_text(ANN)


def test_a_drop_below_the_question_is_made_if_no_pawn_can_capture(table: Table) -> None:
    table.begin("crazykrieg")
    table.play("e2e4", "d7d5", "e4d5", "g8f6")

    table.reply(ANN, "any?\nP@e5")

    said = "White dropped a pawn. White's reserve: nothing. Black's reserve: nothing."
    assert f'You played "P@e5". The umpire says: {said}' in table.last_text(ANN)
    assert "| any?; P@e5" in table.last_email(ANN).get_body(("plain",)).get_content()
    assert said in table.last_text(BEN)
    assert "P@e5" not in table.last_text(BEN)


def test_a_drop_below_the_question_is_held_back_if_a_pawn_has_to_capture(table: Table) -> None:
    table.begin("crazykrieg")
    table.play("e2e4", "d7d5", "e4d5", "c7c6")

    table.reply(ANN, "any?\nP@e5")
    assert "| P@e5: Not tried: you could have ruled" in text_of(table.last_email(ANN))
    assert "It is still your turn." in table.last_text(ANN)
    table.reply(ANN, "d5c6")

    assert 'During White\'s turn the umpire also said: "White asked Any?: Try."' in table.last_text(BEN)
    assert "Impossible" not in table.last_text(BEN)
    assert "P@e5" not in table.last_text(BEN)


def test_a_drop_is_reported_once_with_the_failed_tries_and_in_the_score(table: Table) -> None:
    table.begin("crazykrieg")
    table.play("e2e4", "d7d5", "e4d5", "g8f6")
    table.reply(ANN, "P@d5")
    table.reply(ANN, "P@f6")
    table.reply(ANN, "P@e5")
    assert (
        'During White\'s turn the umpire also said: "White tried: Impossible." "White tried: No."'
        in table.last_text(BEN)
    )
    assert "| 3. P@?" in table.last_email(BEN).get_body(("plain",)).get_content()

    table.reply(BEN, "f6d5")
    assert "| 3. P@e5 ?xd5" in table.last_email(ANN).get_body(("plain",)).get_content()
    assert "Your pawn on d5 was captured." in table.last_text(ANN)
    table.reply(ANN, "b1c3")

    assert "also said" not in table.last_text(BEN)


def test_nothing_is_tried_with_an_impossible_question(table: Table) -> None:
    begun(table)
    table.reply(ANN, "any?")
    table.reply(ANN, "any?\ne4d5")

    assert "| e4d5: Not tried: your question was" in text_of(table.last_email(ANN))
    assert "one try was refused" not in table.last_text(ANN)
    table.reply(ANN, "e4d5")
    assert '"White asked Any?: Try!" "White: Impossible."' in table.last_text(BEN)


def test_an_answer_without_a_branch_of_its_own_is_just_reported(table: Table) -> None:
    begun(table)
    table.reply(ANN, "any? no: g1f3")

    assert "The umpire says: White asked Any?: Try! It is still your turn." in table.last_text(ANN)
