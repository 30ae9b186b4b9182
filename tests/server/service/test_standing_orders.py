"""Orders for the next turn: kept, listed, taken back, tried as soon as the other side has moved."""

from __future__ import annotations

import re
from email.message import EmailMessage

import pytest

from tests.support.table import ANN, BEN, Table, html_of, text_of

ORDERS = "if capture e5: d4e5; if check: e1e2; else f1c4, f1b5"
MADE_BEFORE = "Your move for this turn had already been played"
KEPT = "Saved for your next turn. I'll try it as soon as Black moves. Reply"


def opened(table: Table, variant: str = "wild16") -> None:
    """White has moved twice and Black once, White with orders for the next turn."""
    table.begin(variant)
    table.play("e2e4", "e7e5")
    table.reply(ANN, f"g1f3\n{ORDERS}")


def new_letters(table: Table, player: str, since: int) -> list[str]:
    return [text_of(letter) for letter in table.letters(player)[since:]]


# ---------------------------------------------------------------- kept, listed, taken back


def test_beside_a_move_they_are_kept_and_shown_word_for_word(table: Table) -> None:
    opened(table)

    assert f"| {ORDERS}" in text_of(table.newest(ANN))
    assert "Saved for your next turn. I'll try it as soon as Black moves" in table.says(ANN)
    assert text_of(table.newest(ANN)).count(ORDERS) == 1


def test_each_letter_to_their_owner_lists_them_while_they_stand(table: Table) -> None:
    opened(table)
    for text in ("show", "draw?", "e2e5\nnonsense"):
        table.reply(ANN, text)
        assert "Your orders for next turn" in table.says(ANN), text
        assert f"| {ORDERS}" in text_of(table.newest(ANN)), text
        assert "g1f3\n" not in text_of(table.newest(BEN))
    table.reply(ANN, "cancel")

    assert "I deleted your orders for next turn." in table.says(ANN)
    table.reply(ANN, "show")
    assert "Your orders for" not in table.says(ANN)


@pytest.mark.parametrize(("hours", "told"), [("1", "1 hour"), ("3", "3 hours"), ("2-8h", "2 to 8 hours")])
def test_how_long_they_wait_is_told_as_long_as_they_stand(table: Table, hours: str, told: str) -> None:
    opened(table)
    table.reply(ANN, f"delay {hours}")
    for text in ("show", "note nothing new", "b1c3"):
        table.reply(ANN, text)
    assert "as soon as Black moves" in table.says(ANN)

    table.reply(ANN, f"{ORDERS}\ndelay {hours}")
    assert f"Saved for your next turn. I'll try it {told} after Black moves" in table.says(ANN)
    table.reply(ANN, "show")

    assert f"to be tried {told} after Black moves unless you reply" in table.says(ANN)
    assert "as soon as" not in table.says(ANN)


def test_who_has_taken_them_back_plays_by_hand(table: Table) -> None:
    opened(table)
    table.reply(ANN, "cancel")
    letters = len(table.letters(ANN))
    table.reply(BEN, "b8c6")

    (said,) = new_letters(table, ANN, letters)
    assert "Your turn: reply by" in said
    assert "Your orders" not in said


def test_new_orders_take_the_place_of_those_before(table: Table) -> None:
    opened(table)
    table.reply(ANN, "if capture: d2d4")
    table.reply(BEN, "b8c6")

    assert "None of your orders for this turn applied" in table.says(ANN)
    assert "| if capture: d2d4" in text_of(table.newest(ANN))


def test_what_is_written_again_is_kept_once(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    for _ in range(2):
        table.reply(ANN, "d2d4")
        assert "Saved for your next turn. I'll try it" in table.says(ANN)
    table.reply(BEN, "e7e5")
    assert "Your move has been made. The umpire says: Black" in table.says(ANN)
    table.reply(BEN, "e5d4")

    assert "Your turn: reply by" in table.says(ANN)


def test_beside_a_move_that_is_not_made_nothing_is_kept(table: Table) -> None:
    table.begin()
    table.reply(ANN, f"e2e5\n{ORDERS}")

    assert (
        "I didn't save this for your next turn, because the move you sent with it wasn't played"
        in table.says(ANN)
    )
    table.reply(ANN, "e2e4")
    assert "Your orders for" not in table.says(ANN)


def test_beside_a_move_for_the_next_turn_they_are_not_kept_and_how_to_write_it_is_told(table: Table) -> None:
    table.begin()
    table.reply(BEN, "e7e5\nif check: e8e7")

    assert (
        'While you wait, send orders for your next turn without a move. With "else" they can include a move '
        "to try if no condition holds." in table.says(BEN)
    )
    table.reply(BEN, "if check: e8e7; else e7e5")
    assert "Saved for your next turn" in table.says(BEN)


def test_of_several_moves_that_were_ordered_the_one_that_was_made_is_named(table: Table) -> None:
    table.begin()
    table.play("e2e4", "d7d5")
    table.reply(ANN, "g1f3\nif capture e4: d2d3; if capture: b1c3; else f1e2")
    table.reply(BEN, "d5e4")

    assert 'You played "d2d3".' in table.says(ANN)


def test_in_turn_they_stand_beside_a_move(table: Table) -> None:
    table.begin()
    table.reply(ANN, ORDERS)

    assert "It's your turn, but this order is for your next one" in table.says(ANN)


def test_out_of_turn_they_answer_the_last_letter_and_no_older_one(table: Table) -> None:
    table.begin()
    before = table.newest(ANN)
    table.play("e2e4", "e7e5", "g1f3")
    table.reply(ANN, "if check: e1e2", to=before)
    assert "a move has been made since, so I did nothing" in table.says(ANN)

    table.reply(ANN, "if no capture: d2d4")
    table.reply(BEN, "b8c6")
    assert "| if no capture: d2d4\n\nYour move has been made." in text_of(table.newest(ANN))


def test_a_second_thought_about_a_turn_is_no_move_for_the_next_one(table: Table) -> None:
    table.begin()
    before = table.newest(ANN)
    table.play("e2e4")
    table.reply(ANN, "d2d4", to=before)

    assert MADE_BEFORE in table.says(ANN)
    table.reply(ANN, "d2d4")
    assert KEPT in table.says(ANN)


def test_nor_is_one_about_a_turn_in_which_something_was_refused(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e5")
    refused = table.newest(ANN)
    table.reply(ANN, "e2e4")
    table.reply(ANN, "d2d4", to=refused)

    assert MADE_BEFORE in table.says(ANN)


def begun_anew(table: Table, text: str, to: EmailMessage | None = None) -> bytes:
    """A letter of Ann's that names none of ours."""
    return re.sub(rb"In-Reply-To: [^\r]*\r\n", b"", table.letter(ANN, text, to=to))


def pressed(table: Table, ours: EmailMessage, text: str) -> bytes:
    """A letter that one of ours made ready, as mail programs begin one by a link."""
    found = re.search(r'href="mailto:([^?"]+)\?', html_of(ours))
    assert found
    raw = begun_anew(table, text, ours)
    return raw.replace(str(ours["Reply-To"]).encode(), found[1].encode())


def test_nor_is_what_a_letter_from_before_it_made_ready(table: Table) -> None:
    table.begin()
    table.reply(ANN, "pawn takes d3")
    unclear = table.newest(ANN)
    table.reply(ANN, "e2e4")
    table.post(pressed(table, unclear, "e2d3"))
    table.work()

    assert MADE_BEFORE in table.says(ANN)


def test_what_a_letter_made_ready_acts_in_its_turn_once_however_often_it_is_pressed(table: Table) -> None:
    table.begin()
    table.reply(ANN, "Nf3")
    unclear = table.newest(ANN)
    for _ in range(2):
        table.post(pressed(table, unclear, "g1f3"))
        table.work()

    assert "You sent these orders before" in table.says(ANN)
    assert "Your move has been made" in table.says(ANN)


def test_what_is_written_anew_to_the_last_answer_is_for_the_next_turn(table: Table) -> None:
    table.begin()
    table.play("e2e4")
    table.post(pressed(table, table.newest(ANN), "d2d4"))
    table.work()

    assert KEPT in table.says(ANN)


def test_out_of_turn_a_letter_that_does_not_tell_what_it_answers_is_for_no_turn(table: Table) -> None:
    table.begin()
    table.play("e2e4")
    table.post(begun_anew(table, "d2d4"))
    table.work()

    assert "It isn't your turn, so I did nothing." in table.says(ANN)
    table.reply(BEN, "e7e5")
    table.post(begun_anew(table, "d2d4"))
    table.work()
    assert "Your move has been made" in table.says(ANN)


# ---------------------------------------------------------------- the same once more


def test_the_same_list_as_ones_move_may_be_ordered_for_the_next_turn(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4, d2d4")
    table.reply(ANN, "e2e4, d2d4")

    assert KEPT in table.says(ANN)
    table.reply(BEN, "e7e5")
    assert 'You played "d2d4"' in table.says(ANN)


def test_the_same_list_may_find_its_move_when_it_is_sent_again_to_the_answer(table: Table) -> None:
    """C7: after a pawn's capture that failed, what was due before it is free."""
    table.begin("classic")
    table.play("e2e4", "d7d5")
    table.reply(ANN, "any?")
    for _ in range(2):
        table.reply(ANN, "a2a3, e4f5")

    assert 'You played "a2a3"' in table.says(ANN)


@pytest.mark.parametrize("orders", ["e2e4", "e2e5", "e2e5, e2e4", "any?"])
@pytest.mark.parametrize("moves", [(), ("e7e5",)])
def test_what_a_mail_program_sends_twice_acts_once(table: Table, orders: str, moves: tuple[str, ...]) -> None:
    table.begin("classic")
    ours = table.newest(ANN)
    table.reply(ANN, orders, to=ours)
    heard = len(table.letters(BEN))
    for move in moves:
        table.reply(BEN, move)
    since = len(table.letters(BEN))
    table.reply(ANN, orders, to=ours)

    assert "You sent these orders before" in table.says(ANN)
    assert len(table.letters(BEN)) == since >= heard


@pytest.mark.parametrize("ahead", ["d2d4", "if no capture: d2d4"])
def test_beside_what_is_for_the_next_turn_no_draw_is_accepted_and_no_game_given_up(
    table: Table, ahead: str
) -> None:
    table.begin()
    table.play("e2e4", "draw?")
    for word in ("accept", "resign resign"):
        table.reply(ANN, f"{word}\n{ahead}")
        assert "Black has until" in table.says(ANN), word
    table.reply(ANN, "accept")

    assert "The game is over: a draw." in table.says(ANN)


@pytest.mark.parametrize("orders", ["if capture: d2d3, N@f5", "if check: e1e2; else N@f5"])
def test_a_drop_where_there_are_none_is_answered_at_once(table: Table, orders: str) -> None:
    table.begin()
    table.reply(ANN, f"e2e4\n{orders}")

    assert "Wild 16 has no drops, so I saved nothing." in table.says(ANN)
    assert "I didn't try this, because I couldn't carry out another line you sent with it." in table.says(ANN)

    table.reply(BEN, "N@f5")
    assert "Wild 16 has no drops, so I saved nothing." in table.says(BEN)


def test_where_men_are_dropped_a_drop_is_kept_for_the_next_turn(table: Table) -> None:
    table.begin("crazykrieg")
    table.reply(ANN, "e2e4\nif capture: P@e3")

    assert "Saved for your next turn" in table.says(ANN)


def test_what_this_umpire_never_tells_is_said_at_once(table: Table) -> None:
    table.begin("classic")
    table.reply(ANN, "e2e4\nif tries>0: e4d5; else g1f3")

    assert 'never says in Classic "Any?", so I saved nothing' in table.says(ANN)
    assert "I didn't try this, because I couldn't carry out another line you sent with it." in table.says(ANN)


@pytest.mark.parametrize("text", ["sense e5; e2e4\nif capture: d2d4", "if capture: d2d4"])
def test_where_each_order_ends_the_turn_nothing_is_ordered_ahead(table: Table, text: str) -> None:
    table.begin("rbc")
    table.reply(ANN, text)
    assert "you can't send moves in advance" in table.says(ANN)
    table.reply(ANN, "sense e5; e2e4")
    table.reply(ANN, "d2d4")

    assert "It isn't your turn, so I did nothing." in table.says(ANN)


@pytest.mark.parametrize("word", ["cancel", "delay 2-8h"])
def test_there_may_be_nothing_to_take_back_or_to_put_off(table: Table, word: str) -> None:
    table.begin()
    table.reply(ANN, word)

    assert "You have no orders for your next turn" in table.says(ANN)


def test_too_many_of_them_are_not_kept(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    pairs = [f"{one}{rank}{other}4" for one in "abcdefgh" for other in "abcdefgh" for rank in "12356"]
    lines = [f"if capture {file}{rank}: {', '.join(pairs[:60])}" for file in "abc" for rank in "1234"]
    table.reply(ANN, "\n".join(lines))

    assert "longer than 4000 characters, so I saved nothing" in table.says(ANN)


# ---------------------------------------------------------------- tried


def test_what_the_umpire_said_before_them_is_told_in_english(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4\nif tries>0: e4d5")
    table.reply(BEN, "d7d5")

    assert "The umpire said: White's move. 1 pawn try." in table.says(ANN)


def test_they_are_tried_as_soon_as_the_other_side_has_moved(table: Table) -> None:
    opened(table)
    ann, ben = len(table.letters(ANN)), len(table.letters(BEN))
    table.reply(BEN, "b8c6")

    (owner,) = new_letters(table, ANN, ann)
    assert "The umpire said: White's move. 0 pawn tries." in owner
    assert f"I tried your orders for this turn:\n\n| {ORDERS}" in owner
    assert 'You played "f1c4". The umpire says: Black' in owner
    (news,) = new_letters(table, BEN, ben)
    assert "Your move has been made. The umpire says: White's move. 0 pawn tries.\n\nThen ann moved." in news
    assert "Your turn: reply" in news
    assert "order" not in news


def test_where_the_list_runs_out_it_is_told_what_was_refused(table: Table) -> None:
    table.begin()
    table.play("e2e4")
    table.reply(ANN, "e1e3, a1a8")
    ben = len(table.letters(BEN))
    table.reply(BEN, "e7e5")

    assert "| e1e3, a1a8: Illegal move." in text_of(table.newest(ANN))
    assert "You haven't moved. It is still your turn." in table.says(ANN)
    assert "Your turn: reply by" in table.says(ANN)
    assert len(table.letters(BEN)) == ben + 1


def test_what_is_no_move_by_then_is_held_back_and_the_next_is_tried(table: Table) -> None:
    table.begin()
    table.play("e2e4", "e7e5")
    table.reply(ANN, "g1f3\nif no capture: e4e5q, f1c4q, f1c4")
    table.reply(BEN, "b8c6")

    assert "| e4e5q, f1c4q: Not tried: you could have ruled" in text_of(table.newest(ANN))
    assert 'You played "f1c4"' in table.says(ANN)


def test_they_are_for_one_turn(table: Table) -> None:
    opened(table)
    table.play("show", "b8c6")
    table.reply(BEN, "g8f6")

    assert "Your turn: reply by" in table.says(ANN)
    assert "Your orders for" not in table.says(ANN)


def test_both_sides_orders_answer_each_other_until_one_has_none(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4\nd2d4")
    assert "Your email has two moves" in table.says(ANN)
    table.reply(ANN, "e2e4\nif no capture: d2d4")
    ann, ben = len(table.letters(ANN)), len(table.letters(BEN))
    table.reply(BEN, "e7e5\nif capture: d7d6; else b8c6")

    answer, played = new_letters(table, BEN, ben)
    assert "Your move has been made. The umpire says: White's move." in answer
    assert "Saved for your next turn" in answer
    assert 'You played "b8c6". The umpire says: White\'s move. 1 pawn try.' in played
    assert "| if capture: d7d6; else b8c6" in played
    assert "White has until" in played
    own, news = new_letters(table, ANN, ann)
    assert "Your move has been made. The umpire says: Black's move. 1 pawn try." in own
    assert "Your turn: reply by" in news
    assert "Move 3." in news


def test_a_move_by_which_the_game_ends_is_told_as_the_end(table: Table) -> None:
    table.begin()
    table.play("f2f3", "e7e5", "g2g4")
    table.reply(ANN, "a2a3")
    table.reply(BEN, "d8h4")
    assert "Checkmate. Black wins." in table.says(ANN)
    assert "Your orders for" not in table.says(ANN)


def test_a_mate_by_orders_ends_the_game_for_both(table: Table) -> None:
    table.begin()
    table.play("f2f3", "e7e5")
    table.reply(BEN, "if no capture: d8h4")
    table.reply(ANN, "g2g4")

    for player in (ANN, BEN):
        assert "Checkmate. Black wins." in table.says(player)
        attached = [part.get_filename() for part in table.newest(player).iter_attachments()]
        assert attached == ["game.pgn", "record.jsonl.gz"]


def test_a_refusal_that_both_hear_is_heard_as_ever_and_what_is_vain_is_not(table: Table) -> None:
    table.begin("classic")
    table.play("e2e4", "d7d5")
    table.reply(ANN, "g1f3\nif no capture: a1a5, e4f5, e4d5")
    table.reply(BEN, "b8c6")

    assert 'During White\'s turn the umpire also said: "White attempted an illegal move."' in table.says(BEN)
    assert "Impossible" not in table.says(BEN)
    assert "| a1a5: Not tried: you could have ruled" in text_of(table.newest(ANN))
    assert "White has moved. White has captured on d5." in table.says(BEN)


def test_who_moves_by_hand_plays_what_is_written(table: Table) -> None:
    """What waits for its hour ends by a move."""
    opened(table)
    table.reply(ANN, "delay 2-8h")
    table.reply(BEN, "b8c6")
    table.reply(ANN, "d2d4")
    table.clock.pass_by(hours=9)

    assert table.sweep() == 0
    assert "Your orders for" not in table.says(ANN)
    assert "Your turn: reply by" in table.says(BEN)


# ---------------------------------------------------------------- put off


def test_with_a_delay_they_wait_for_an_hour_by_lot(table: Table) -> None:
    table.begin()
    table.play("e2e4", "e7e5")
    table.reply(ANN, "g1f3\nif no check: f1c4\ndelay 2-8h")
    assert "I'll try it 2 to 8 hours after Black moves" in table.says(ANN)
    table.reply(BEN, "b8c6")
    assert "Your turn: reply by" in table.says(ANN)
    assert "Your orders for this turn will be tried later" in table.says(ANN)
    table.clock.pass_by(hours=1, minutes=59)
    assert table.sweep() == 0
    ben = len(table.letters(BEN))
    table.clock.pass_by(hours=6, minutes=2)
    assert table.sweep() == 1

    assert "Your turn: reply by" in table.says(BEN)
    assert len(table.letters(BEN)) == ben + 1
    assert "I tried your orders for this turn" in table.says(ANN)
    assert "The umpire said:" not in table.says(ANN)
    assert table.sweep() == 0


def test_what_waits_is_tried_before_a_flag_falls_however_late_the_house_wakes(table: Table) -> None:
    table.begin()
    table.play("e2e4", "e7e5")
    table.reply(ANN, "g1f3\nif no check: f1c4\ndelay 900h")
    table.reply(BEN, "b8c6")
    table.clock.pass_by(days=20)
    table.sweep()

    assert "Your move has been made. The umpire says: Black" in table.says(ANN)
    assert "Your turn: reply by" in table.says(BEN)


def test_what_waits_can_be_taken_back(table: Table) -> None:
    opened(table)
    table.reply(ANN, "delay 2h")
    table.reply(BEN, "b8c6")
    table.reply(ANN, "cancel")
    assert "I deleted your orders for this turn." in table.says(ANN)
    table.clock.pass_by(hours=3)

    assert table.sweep() == 0


def test_what_does_not_apply_is_told_at_once_and_not_after_the_delay(table: Table) -> None:
    table.begin()
    table.play("e2e4", "e7e5")
    table.reply(ANN, "g1f3\nif check: e1e2\ndelay 2-8h")
    table.reply(BEN, "b8c6")

    assert "None of your orders for this turn applied, so I did nothing" in table.says(ANN)
    table.clock.pass_by(hours=9)
    assert table.sweep() == 0
