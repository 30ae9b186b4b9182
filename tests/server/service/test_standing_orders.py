"""Standing orders: saved, listed, cancelled, and tried as soon as the opponent has moved."""

from __future__ import annotations

import re
from email.message import EmailMessage

import pytest

from tests.support.table import ANN, BEN, Table, html_of, text_of

ORDERS = "if capture e5: d4e5; if check: e1e2; else f1c4, f1b5"
ALREADY_PLAYED = "Your move for this turn had already been played"
SAVED = "Saved for your next turn. I'll try it as soon as Black moves. Reply"


def begin_with_orders(table: Table, variant: str = "wild16") -> None:
    """White has moved twice and Black once; White has orders for the next turn."""
    table.begin(variant)
    table.play("e2e4", "e7e5")
    table.reply(ANN, f"g1f3\n{ORDERS}")


def new_emails(table: Table, player: str, since: int) -> list[str]:
    return [text_of(email) for email in table.emails_to(player)[since:]]


# ---------------------------------------------------------------- saved, listed, cancelled


def test_orders_sent_with_a_move_are_saved_and_quoted_word_for_word(table: Table) -> None:
    begin_with_orders(table)

    assert f"| {ORDERS}" in text_of(table.last_email(ANN))
    assert "Saved for your next turn. I'll try it as soon as Black moves" in table.last_text(ANN)
    assert text_of(table.last_email(ANN)).count(ORDERS) == 1


def test_each_email_to_their_owner_lists_saved_orders(table: Table) -> None:
    begin_with_orders(table)
    for text in ("show", "draw?", "e2e5\nnonsense"):
        table.reply(ANN, text)
        assert "Your orders for next turn" in table.last_text(ANN), text
        assert f"| {ORDERS}" in text_of(table.last_email(ANN)), text
        assert "g1f3\n" not in text_of(table.last_email(BEN))
    table.reply(ANN, "cancel")

    assert "I deleted your orders for next turn." in table.last_text(ANN)
    table.reply(ANN, "show")
    assert "Your orders for" not in table.last_text(ANN)


@pytest.mark.parametrize(("hours", "wording"), [("1", "1 hour"), ("3", "3 hours"), ("2-8h", "2 to 8 hours")])
def test_the_delay_is_stated_while_the_orders_are_saved(table: Table, hours: str, wording: str) -> None:
    begin_with_orders(table)
    table.reply(ANN, f"delay {hours}")
    for text in ("show", "note nothing new", "b1c3"):
        table.reply(ANN, text)
    assert "as soon as Black moves" in table.last_text(ANN)

    table.reply(ANN, f"{ORDERS}\ndelay {hours}")
    assert f"Saved for your next turn. I'll try it {wording} after Black moves" in table.last_text(ANN)
    table.reply(ANN, "show")

    assert f"to be tried {wording} after Black moves unless you reply" in table.last_text(ANN)
    assert "as soon as" not in table.last_text(ANN)


def test_cancelled_orders_are_not_tried(table: Table) -> None:
    begin_with_orders(table)
    table.reply(ANN, "cancel")
    emails = len(table.emails_to(ANN))
    table.reply(BEN, "b8c6")

    (said,) = new_emails(table, ANN, emails)
    assert "Your turn: reply by" in said
    assert "Your orders" not in said


def test_new_orders_replace_earlier_ones(table: Table) -> None:
    begin_with_orders(table)
    table.reply(ANN, "if capture: d2d4")
    table.reply(BEN, "b8c6")

    assert "None of your orders for this turn applied" in table.last_text(ANN)
    assert "| if capture: d2d4" in text_of(table.last_email(ANN))


def test_orders_sent_twice_are_saved_once(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    for _ in range(2):
        table.reply(ANN, "d2d4")
        assert "Saved for your next turn. I'll try it" in table.last_text(ANN)
    table.reply(BEN, "e7e5")
    assert "Your move has been made. The umpire says: Black" in table.last_text(ANN)
    table.reply(BEN, "e5d4")

    assert "Your turn: reply by" in table.last_text(ANN)


def test_orders_sent_with_a_refused_move_are_not_saved(table: Table) -> None:
    table.begin()
    table.reply(ANN, f"e2e5\n{ORDERS}")

    assert (
        "I didn't save this for your next turn, because the move you sent with it wasn't played"
        in table.last_text(ANN)
    )
    table.reply(ANN, "e2e4")
    assert "Your orders for" not in table.last_text(ANN)


def test_orders_with_a_move_out_of_turn_are_not_saved_and_the_answer_says_how_to_write_them(
    table: Table,
) -> None:
    table.begin()
    table.reply(BEN, "e7e5\nif check: e8e7")

    assert (
        'While you wait, send orders for your next turn without a move. With "else" they can include a move '
        "to try if no condition holds." in table.last_text(BEN)
    )
    table.reply(BEN, "if check: e8e7; else e7e5")
    assert "Saved for your next turn" in table.last_text(BEN)


def test_the_email_names_the_move_that_the_orders_made(table: Table) -> None:
    table.begin()
    table.play("e2e4", "d7d5")
    table.reply(ANN, "g1f3\nif capture e4: d2d3; if capture: b1c3; else f1e2")
    table.reply(BEN, "d5e4")

    assert 'You played "d2d3".' in table.last_text(ANN)


def test_on_your_turn_orders_need_a_move(table: Table) -> None:
    table.begin()
    table.reply(ANN, ORDERS)

    assert "It's your turn, but this order is for your next one" in table.last_text(ANN)


def test_out_of_turn_orders_must_answer_the_newest_email(table: Table) -> None:
    table.begin()
    before = table.last_email(ANN)
    table.play("e2e4", "e7e5", "g1f3")
    table.reply(ANN, "if check: e1e2", to=before)
    assert "a move has been made since, so I did nothing" in table.last_text(ANN)

    table.reply(ANN, "if no capture: d2d4")
    table.reply(BEN, "b8c6")
    assert "| if no capture: d2d4\n\nYour move has been made." in text_of(table.last_email(ANN))


def test_a_second_move_in_reply_to_the_same_email_is_not_saved_for_the_next_turn(table: Table) -> None:
    table.begin()
    before = table.last_email(ANN)
    table.play("e2e4")
    table.reply(ANN, "d2d4", to=before)

    assert ALREADY_PLAYED in table.last_text(ANN)
    table.reply(ANN, "d2d4")
    assert SAVED in table.last_text(ANN)


def test_a_second_move_in_reply_to_a_refusal_is_not_saved_for_the_next_turn(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e5")
    refused = table.last_email(ANN)
    table.reply(ANN, "e2e4")
    table.reply(ANN, "d2d4", to=refused)

    assert ALREADY_PLAYED in table.last_text(ANN)


def new_thread_email(table: Table, text: str, to: EmailMessage | None = None) -> bytes:
    """An email from Ann without In-Reply-To."""
    return re.sub(rb"In-Reply-To: [^\r]*\r\n", b"", table.reply_email(ANN, text, to=to))


def one_tap_reply(table: Table, ours: EmailMessage, text: str) -> bytes:
    """The email that a mail program sends for one of our one-tap replies."""
    found = re.search(r'href="mailto:([^?"]+)\?', html_of(ours))
    assert found
    raw = new_thread_email(table, text, ours)
    return raw.replace(str(ours["Reply-To"]).encode(), found[1].encode())


def test_an_outdated_one_tap_reply_is_not_saved_for_the_next_turn(table: Table) -> None:
    table.begin()
    table.reply(ANN, "pawn takes d3")
    unclear = table.last_email(ANN)
    table.reply(ANN, "e2e4")
    table.deliver(one_tap_reply(table, unclear, "e2d3"))
    table.run_workers()

    assert ALREADY_PLAYED in table.last_text(ANN)


def test_a_one_tap_reply_sent_twice_acts_once(table: Table) -> None:
    table.begin()
    table.reply(ANN, "Nf3")
    unclear = table.last_email(ANN)
    for _ in range(2):
        table.deliver(one_tap_reply(table, unclear, "g1f3"))
        table.run_workers()

    assert "You sent these orders before" in table.last_text(ANN)
    assert "Your move has been made" in table.last_text(ANN)


def test_a_one_tap_reply_to_the_newest_answer_is_saved_for_the_next_turn(table: Table) -> None:
    table.begin()
    table.play("e2e4")
    table.deliver(one_tap_reply(table, table.last_email(ANN), "d2d4"))
    table.run_workers()

    assert SAVED in table.last_text(ANN)


def test_an_email_out_of_turn_that_is_no_reply_is_not_saved(table: Table) -> None:
    table.begin()
    table.play("e2e4")
    table.deliver(new_thread_email(table, "d2d4"))
    table.run_workers()

    assert "It isn't your turn, so I did nothing." in table.last_text(ANN)
    table.reply(BEN, "e7e5")
    table.deliver(new_thread_email(table, "d2d4"))
    table.run_workers()
    assert "Your move has been made" in table.last_text(ANN)


# ---------------------------------------------------------------- repeated orders


def test_the_list_of_this_turn_may_be_saved_for_the_next(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4, d2d4")
    table.reply(ANN, "e2e4, d2d4")

    assert SAVED in table.last_text(ANN)
    table.reply(BEN, "e7e5")
    assert 'You played "d2d4"' in table.last_text(ANN)


def test_the_same_list_may_be_sent_again_in_reply_to_the_answer(table: Table) -> None:
    """C7: after a failed pawn capture, the player is free to move anything."""
    table.begin("classic")
    table.play("e2e4", "d7d5")
    table.reply(ANN, "any?")
    for _ in range(2):
        table.reply(ANN, "a2a3, e4f5")

    assert 'You played "a2a3"' in table.last_text(ANN)


@pytest.mark.parametrize("orders", ["e2e4", "e2e5", "e2e5, e2e4", "any?"])
@pytest.mark.parametrize("moves", [(), ("e7e5",)])
def test_orders_that_arrive_twice_act_once(table: Table, orders: str, moves: tuple[str, ...]) -> None:
    table.begin("classic")
    ours = table.last_email(ANN)
    table.reply(ANN, orders, to=ours)
    heard = len(table.emails_to(BEN))
    for move in moves:
        table.reply(BEN, move)
    since = len(table.emails_to(BEN))
    table.reply(ANN, orders, to=ours)

    assert "You sent these orders before" in table.last_text(ANN)
    assert len(table.emails_to(BEN)) == since >= heard


@pytest.mark.parametrize("orders", ["d2d4", "if no capture: d2d4"])
def test_with_orders_for_the_next_turn_no_draw_is_accepted_and_no_game_resigned(
    table: Table, orders: str
) -> None:
    table.begin()
    table.play("e2e4", "draw?")
    for word in ("accept", "resign resign"):
        table.reply(ANN, f"{word}\n{orders}")
        assert "Black has until" in table.last_text(ANN), word
    table.reply(ANN, "accept")

    assert "The game is over: a draw." in table.last_text(ANN)


@pytest.mark.parametrize("orders", ["if capture: d2d3, N@f5", "if check: e1e2; else N@f5"])
def test_a_drop_in_a_variant_without_drops_is_refused_at_once(table: Table, orders: str) -> None:
    table.begin()
    table.reply(ANN, f"e2e4\n{orders}")

    assert "Wild 16 has no drops, so I saved nothing." in table.last_text(ANN)
    assert (
        "I didn't try this, because I couldn't carry out another line you sent with it."
        in table.last_text(ANN)
    )

    table.reply(BEN, "N@f5")
    assert "Wild 16 has no drops, so I saved nothing." in table.last_text(BEN)


def test_a_drop_in_crazykrieg_is_saved(table: Table) -> None:
    table.begin("crazykrieg")
    table.reply(ANN, "e2e4\nif capture: P@e3")

    assert "Saved for your next turn" in table.last_text(ANN)


def test_a_condition_that_the_umpire_never_announces_is_refused_at_once(table: Table) -> None:
    table.begin("classic")
    table.reply(ANN, "e2e4\nif tries>0: e4d5; else g1f3")

    assert 'never says in Classic "Any?", so I saved nothing' in table.last_text(ANN)
    assert (
        "I didn't try this, because I couldn't carry out another line you sent with it."
        in table.last_text(ANN)
    )


@pytest.mark.parametrize("text", ["sense e5; e2e4\nif capture: d2d4", "if capture: d2d4"])
def test_in_rbc_no_orders_are_saved(table: Table, text: str) -> None:
    table.begin("rbc")
    table.reply(ANN, text)
    assert "you can't send moves in advance" in table.last_text(ANN)
    table.reply(ANN, "sense e5; e2e4")
    table.reply(ANN, "d2d4")

    assert "It isn't your turn, so I did nothing." in table.last_text(ANN)


@pytest.mark.parametrize("word", ["cancel", "delay 2-8h"])
def test_cancel_and_delay_need_saved_orders(table: Table, word: str) -> None:
    table.begin()
    table.reply(ANN, word)

    assert "You have no orders for your next turn" in table.last_text(ANN)


def test_too_many_orders_are_not_saved(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    pairs = [f"{one}{rank}{other}4" for one in "abcdefgh" for other in "abcdefgh" for rank in "12356"]
    lines = [f"if capture {file}{rank}: {', '.join(pairs[:60])}" for file in "abc" for rank in "1234"]
    table.reply(ANN, "\n".join(lines))

    assert "longer than 4000 characters, so I saved nothing" in table.last_text(ANN)


# ---------------------------------------------------------------- tried


def test_the_umpires_words_before_the_orders_use_plain_plurals(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4\nif tries>0: e4d5")
    table.reply(BEN, "d7d5")

    assert "The umpire said: White's move. 1 pawn try." in table.last_text(ANN)


def test_orders_are_tried_as_soon_as_the_opponent_has_moved(table: Table) -> None:
    begin_with_orders(table)
    ann, ben = len(table.emails_to(ANN)), len(table.emails_to(BEN))
    table.reply(BEN, "b8c6")

    (owner,) = new_emails(table, ANN, ann)
    assert "The umpire said: White's move. 0 pawn tries." in owner
    assert f"I tried your orders for this turn:\n\n| {ORDERS}" in owner
    assert 'You played "f1c4". The umpire says: Black' in owner
    (turn_email,) = new_emails(table, BEN, ben)
    assert (
        "Your move has been made. The umpire says: White's move. 0 pawn tries.\n\nThen ann moved."
        in turn_email
    )
    assert "Your turn: reply" in turn_email
    assert "order" not in turn_email


def test_a_list_without_a_legal_move_lists_its_refusals(table: Table) -> None:
    table.begin()
    table.play("e2e4")
    table.reply(ANN, "e1e3, a1a8")
    ben = len(table.emails_to(BEN))
    table.reply(BEN, "e7e5")

    assert "| e1e3, a1a8: Illegal move." in text_of(table.last_email(ANN))
    assert "You haven't moved. It is still your turn." in table.last_text(ANN)
    assert "Your turn: reply by" in table.last_text(ANN)
    assert len(table.emails_to(BEN)) == ben + 1


def test_an_order_that_became_impossible_is_skipped(table: Table) -> None:
    table.begin()
    table.play("e2e4", "e7e5")
    table.reply(ANN, "g1f3\nif no capture: e4e5q, f1c4q, f1c4")
    table.reply(BEN, "b8c6")

    assert "| e4e5q, f1c4q: Not tried: you could have ruled" in text_of(table.last_email(ANN))
    assert 'You played "f1c4"' in table.last_text(ANN)


def test_orders_are_for_one_turn(table: Table) -> None:
    begin_with_orders(table)
    table.play("show", "b8c6")
    table.reply(BEN, "g8f6")

    assert "Your turn: reply by" in table.last_text(ANN)
    assert "Your orders for" not in table.last_text(ANN)


def test_both_sides_orders_answer_each_other_until_one_has_none(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4\nd2d4")
    assert "Your email has two moves" in table.last_text(ANN)
    table.reply(ANN, "e2e4\nif no capture: d2d4")
    ann, ben = len(table.emails_to(ANN)), len(table.emails_to(BEN))
    table.reply(BEN, "e7e5\nif capture: d7d6; else b8c6")

    answer, played = new_emails(table, BEN, ben)
    assert "Your move has been made. The umpire says: White's move." in answer
    assert "Saved for your next turn" in answer
    assert 'You played "b8c6". The umpire says: White\'s move. 1 pawn try.' in played
    assert "| if capture: d7d6; else b8c6" in played
    assert "White has until" in played
    own, turn_email = new_emails(table, ANN, ann)
    assert "Your move has been made. The umpire says: Black's move. 1 pawn try." in own
    assert "Your turn: reply by" in turn_email
    assert "Move 3." in turn_email


def test_orders_end_with_the_game(table: Table) -> None:
    table.begin()
    table.play("f2f3", "e7e5", "g2g4")
    table.reply(ANN, "a2a3")
    table.reply(BEN, "d8h4")
    assert "Checkmate. Black wins." in table.last_text(ANN)
    assert "Your orders for" not in table.last_text(ANN)


def test_a_mate_by_orders_ends_the_game_for_both(table: Table) -> None:
    table.begin()
    table.play("f2f3", "e7e5")
    table.reply(BEN, "if no capture: d8h4")
    table.reply(ANN, "g2g4")

    for player in (ANN, BEN):
        assert "Checkmate. Black wins." in table.last_text(player)
        attached = [part.get_filename() for part in table.last_email(player).iter_attachments()]
        assert attached == ["game.pgn", "record.jsonl.gz"]


def test_the_opponent_hears_refusals_of_orders_but_not_skipped_ones(table: Table) -> None:
    table.begin("classic")
    table.play("e2e4", "d7d5")
    table.reply(ANN, "g1f3\nif no capture: a1a5, e4f5, e4d5")
    table.reply(BEN, "b8c6")

    assert 'During White\'s turn the umpire also said: "White attempted an illegal move."' in table.last_text(
        BEN
    )
    assert "Impossible" not in table.last_text(BEN)
    assert "| a1a5: Not tried: you could have ruled" in text_of(table.last_email(ANN))
    assert "White has moved. White has captured on d5." in table.last_text(BEN)


def test_a_move_replaces_delayed_orders(table: Table) -> None:
    begin_with_orders(table)
    table.reply(ANN, "delay 2-8h")
    table.reply(BEN, "b8c6")
    table.reply(ANN, "d2d4")
    table.clock.advance(hours=9)

    assert table.sweep() == 0
    assert "Your orders for" not in table.last_text(ANN)
    assert "Your turn: reply by" in table.last_text(BEN)


# ---------------------------------------------------------------- delayed


def test_orders_with_a_delay_wait_for_a_random_time(table: Table) -> None:
    table.begin()
    table.play("e2e4", "e7e5")
    table.reply(ANN, "g1f3\nif no check: f1c4\ndelay 2-8h")
    assert "I'll try it 2 to 8 hours after Black moves" in table.last_text(ANN)
    table.reply(BEN, "b8c6")
    assert "Your turn: reply by" in table.last_text(ANN)
    assert "Your orders for this turn will be tried later" in table.last_text(ANN)
    table.clock.advance(hours=1, minutes=59)
    assert table.sweep() == 0
    ben = len(table.emails_to(BEN))
    table.clock.advance(hours=6, minutes=2)
    assert table.sweep() == 1

    assert "Your turn: reply by" in table.last_text(BEN)
    assert len(table.emails_to(BEN)) == ben + 1
    assert "I tried your orders for this turn" in table.last_text(ANN)
    assert "The umpire said:" not in table.last_text(ANN)
    assert table.sweep() == 0


def test_delayed_orders_are_tried_before_a_flag_even_after_an_outage(table: Table) -> None:
    table.begin()
    table.play("e2e4", "e7e5")
    table.reply(ANN, "g1f3\nif no check: f1c4\ndelay 900h")
    table.reply(BEN, "b8c6")
    table.clock.advance(days=20)
    table.sweep()

    assert "Your move has been made. The umpire says: Black" in table.last_text(ANN)
    assert "Your turn: reply by" in table.last_text(BEN)


def test_delayed_orders_can_be_cancelled(table: Table) -> None:
    begin_with_orders(table)
    table.reply(ANN, "delay 2h")
    table.reply(BEN, "b8c6")
    table.reply(ANN, "cancel")
    assert "I deleted your orders for this turn." in table.last_text(ANN)
    table.clock.advance(hours=3)

    assert table.sweep() == 0


def test_orders_that_do_not_apply_are_reported_at_once_despite_the_delay(table: Table) -> None:
    table.begin()
    table.play("e2e4", "e7e5")
    table.reply(ANN, "g1f3\nif check: e1e2\ndelay 2-8h")
    table.reply(BEN, "b8c6")

    assert "None of your orders for this turn applied, so I did nothing" in table.last_text(ANN)
    table.clock.advance(hours=9)
    assert table.sweep() == 0
