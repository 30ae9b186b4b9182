"""Orders by email: their effect on a game, and what both players are told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from corr.mail.inward.html import html_to_lines
from tests.support.table import ANN, BEN, Table, html_of, text_of

ROOT = Path(__file__).parents[3]


def board(table: Table, player: str) -> str:
    """The newest email without indentation, to find the board in it."""
    return "\n".join(line.strip() for line in text_of(table.last_email(player)).splitlines())


def test_a_game_starts_when_both_have_accepted(table: Table) -> None:
    table.challenge()

    table.reply(ANN, "accept")

    assert "The game starts when ben accepts too" in table.last_text(ANN)
    assert len(table.emails_to(BEN)) == 1

    table.reply(BEN, "Accept.")

    assert "Your turn: reply by Mon 23 Nov 2026, 12:00 UTC." in table.last_text(ANN)
    assert "The game has started. The umpire says: White's move. 0 pawn tries." in table.last_text(BEN)


def test_a_declined_challenge_is_over_and_the_other_player_hears_of_it(table: Table) -> None:
    table.challenge()

    table.reply(BEN, "decline")

    assert "The game won't take place: ben declined." in table.last_text(ANN)
    table.reply(ANN, "accept")
    assert "This game won't take place" in table.last_text(ANN)


def test_a_move_is_acknowledged_and_announced_to_the_opponent(table: Table) -> None:
    table.begin()

    table.reply(ANN, "e2e4")

    assert "Your move has been made. The umpire says: Black's move. 0 pawn tries." in table.last_text(ANN)
    assert "Your turn: reply by" in table.last_text(BEN)
    assert "The umpire says: Black's move. 0 pawn tries." in table.last_text(BEN)
    assert "e2e4" not in table.last_text(BEN)
    assert "| 1. ?" in table.last_text(BEN)


def test_each_side_sees_only_its_own_pieces(table: Table) -> None:
    table.begin()
    table.play("e2e4", "d7d5")

    assert (
        """
8  . . . . . . . .
7  . . . . . . . .
6  . . . . . . . .
5  . . . . . . . .
4  . . . . P . . .
3  . . . . . . . .
2  P P P P . P P P
1  R N B Q K B N R
""".strip()
        in board(table, ANN)
    )
    assert (
        """
1  . . . . . . . .
2  . . . . . . . .
3  . . . . . . . .
4  . . . . . . . .
5  . . . . p . . .
6  . . . . . . . .
7  p p p p . p p p
8  r n b k q b n r
""".strip()
        in board(table, BEN)
    )


def test_a_refusal_is_private_and_the_turn_stays(table: Table) -> None:
    table.begin()
    before = len(table.emails_to(BEN))

    table.reply(ANN, "e2e5")

    assert "The umpire says: Illegal move. It is still your turn." in table.last_text(ANN)
    assert len(table.emails_to(BEN)) == before


def test_the_opponent_hears_of_a_capture_and_which_piece_it_lost(table: Table) -> None:
    table.begin()
    table.play("e2e4", "d7d5", "px")

    assert "Pawn at d5 captured. Black's move." in table.last_text(BEN)
    assert "Your pawn on d5 was captured." in table.last_text(BEN)
    assert "| 2. ?xd5" in table.last_text(BEN)
    assert "Black has lost 1 pawn, and you have lost nothing." in table.last_text(ANN)


def test_the_next_email_lists_your_tries_of_the_last_turn(table: Table) -> None:
    """W18: your own tries stay in your own log."""
    table.begin()
    table.play("e2e5")
    table.reply(ANN, "e2e4")
    table.reply(BEN, "d7d5")

    assert "| e2e5: Illegal move.\n| e2e4: played" in text_of(table.last_email(ANN))


def test_an_order_in_reply_to_an_older_email_does_nothing(table: Table) -> None:
    table.begin()
    first = table.last_email(ANN)
    table.play("e2e4", "d7d5")

    table.deliver(table.reply_email(ANN, "d2d4", to=first))
    table.run_workers()

    assert "You answered an older email" in table.last_text(ANN)
    assert "1 pawn try" in table.last_text(ANN)


def test_px_out_of_turn_does_nothing(table: Table) -> None:
    table.begin()

    table.reply(BEN, "px")

    assert "It isn't your turn, so I did nothing." in table.last_text(BEN)


def test_one_unclear_line_stops_the_whole_email(table: Table) -> None:
    """G1.1."""
    table.begin()

    table.reply(ANN, "e2e4\ne2e9")

    assert "| e2e9" in table.last_text(ANN)
    assert "I did nothing" in table.last_text(ANN)
    table.reply(ANN, "e2e4")
    assert "Your move has been made." in table.last_text(ANN)


def test_prose_is_ignored_and_the_answer_says_so(table: Table) -> None:
    table.begin()

    table.reply(ANN, "Hello!\n\ne2e4\n\nHave a good week")

    assert "Your move has been made." in table.last_text(ANN)
    assert "I didn't act on these lines:\n\n| Hello!\n| Have a good week\n" in text_of(table.last_email(ANN))


def test_an_email_without_an_order_is_answered_with_the_board(table: Table) -> None:
    table.begin()

    table.reply(ANN, "I have to think about this for a while.")

    assert "I found no move or command in your email, so I did nothing." in table.last_text(ANN)
    assert "Your turn: reply by" in table.last_text(ANN)


# ---------------------------------------------------------------- draws and resigning


def test_resign_asks_once_more_and_a_reply_to_that_resigns(table: Table) -> None:
    table.begin()

    table.reply(ANN, "resign")

    assert "resign this game" in table.last_text(ANN)
    table.reply(ANN, "resign")
    assert "White resigns. Black wins." in table.last_text(ANN)
    assert "White resigns. Black wins." in table.last_text(BEN)
    assert "Here is the whole board" in table.last_text(BEN)


def test_resign_sent_twice_resigns_nothing(table: Table) -> None:
    table.begin()
    asked = table.last_email(ANN)

    for _ in range(3):
        table.deliver(table.reply_email(ANN, "resign", to=asked))
    table.run_workers()

    assert "resign this game" in table.last_text(ANN)
    assert "The game is over" not in table.last_text(BEN)


def test_resign_resign_resigns_at_once_and_out_of_turn(table: Table) -> None:
    table.begin()

    table.reply(BEN, "resign resign")

    assert "Black resigns. White wins." in table.last_text(ANN)
    assert "Black resigns. White wins." in table.last_text(BEN)


def test_a_draw_offered_with_a_move_can_be_accepted(table: Table) -> None:
    table.begin()

    table.reply(ANN, "draw?\ne2e4")

    assert "White offers a draw." in table.last_text(BEN)
    assert 'To answer the offer, reply "accept" or "decline".' in table.last_text(BEN)
    assert "offers you" not in table.last_text(BEN), "the umpire has already said it"
    table.reply(BEN, "show")
    assert 'White offers you a draw: reply "accept" or "decline".' in table.last_text(BEN)
    table.reply(BEN, "accept")
    assert "Draw: agreement." in table.last_text(ANN)
    assert "Draw: agreement." in table.last_text(BEN)


WITH_DRAW_OFFER = {
    "a list with a legal move": ("classic", "e2e5, e2e4\ndraw?", True),
    "a list without one": ("classic", "e2e5, e2e6\ndraw?", False),
    "a question and a move": ("classic", "any?\ne2e4\ndraw?", True),
    "a question and lists without a legal move": ("classic", "any? yes: e2e5 / no: e2e5, e2e6\ndraw?", False),
    "a question alone": ("classic", "any?\ndraw?", True),
    "a sense alone": ("rbc", "sense e7\ndraw?", True),
    "a sense and a move": ("rbc", "sense e7\ne2e4\ndraw?", True),
    "a request for a pause": ("classic", "pause?\ndraw?", True),
    "a claim": ("classic", "claim\ndraw?", False),
}


@pytest.mark.parametrize("case", WITH_DRAW_OFFER)
def test_a_draw_is_offered_unless_a_move_with_it_was_refused(table: Table, case: str) -> None:
    variant, text, is_offered = WITH_DRAW_OFFER[case]
    table.begin(variant)

    table.reply(ANN, text)

    table.reply(BEN, "show")
    assert ("White offers you a draw" in table.last_text(BEN)) == is_offered


def test_the_answer_says_that_a_draw_with_a_refused_move_was_not_offered(table: Table) -> None:
    table.begin()
    before = len(table.emails_to(BEN))

    table.reply(ANN, "e2e5\ndraw?")

    assert "I didn't offer the draw" in table.last_text(ANN)
    assert len(table.emails_to(BEN)) == before


def test_a_move_declines_an_offer(table: Table) -> None:
    table.begin()
    table.play("e2e4\ndraw?", "e7e5")

    table.reply(BEN, "accept")

    assert "There's no open offer to answer" in table.last_text(BEN)
    assert "The umpire says: Black declines the draw. White's move. 0 pawn tries." in table.last_text(ANN)
    assert 'reply "accept"' not in table.last_text(ANN)


@pytest.mark.parametrize("tried", ["e7e5", "e7e4, f8a3, e7e5"])
def test_declining_by_a_move_reveals_no_refused_tries(table: Table, tried: str) -> None:
    table.begin()
    table.play("e2e4\ndraw?")

    table.reply(BEN, tried)

    assert "Your turn" in table.last_text(ANN)
    assert "The umpire says: Black declines the draw. White's move. 0 pawn tries." in table.last_text(ANN)
    assert not any(word in table.last_text(ANN) for word in ("Illegal", "e7", "a3"))


def test_a_draw_can_be_declined_together_with_a_move(table: Table) -> None:
    table.begin()
    table.play("e2e4\ndraw?")

    table.reply(BEN, "decline\ne7e5")

    assert "Black declines the draw." in table.last_text(ANN)
    assert "White's move. 0 pawn tries." in table.last_text(ANN)


@pytest.mark.parametrize("offer", ["draw?", "pause?"])
def test_an_offer_cannot_be_accepted_in_reply_to_an_older_email(table: Table, offer: str) -> None:
    table.begin()
    table.reply(ANN, "e2e4")
    older = table.last_email(BEN)
    table.reply(ANN, offer)

    table.deliver(table.reply_email(BEN, "accept", to=older))
    table.run_workers()

    assert "the offer was made after it" in table.last_text(BEN)
    table.reply(BEN, "accept")
    assert "You answered" not in table.last_text(BEN)


def test_accepting_without_an_offer_stops_the_move_sent_with_it(table: Table) -> None:
    table.begin()

    table.reply(ANN, "accept\ne2e4")

    assert "There's no open offer to answer" in table.last_text(ANN)
    assert (
        "I didn't try this, because I couldn't carry out another line you sent with it."
        in table.last_text(ANN)
    )


def test_in_check_no_example_move_is_given(table: Table) -> None:
    table.begin()
    table.play("e2e4", "f7f6", "d1h5")

    assert "Short-diagonal check" in table.last_text(BEN)
    assert "Reply with your move, or with" in table.last_text(BEN)
    table.reply(BEN, "g7g6")
    assert 'Reply with your move, such as "' in table.last_text(ANN)


# ---------------------------------------------------------------- the end


def test_a_mate_ends_the_game_and_shows_both_the_whole_board(table: Table) -> None:
    table.begin()

    table.play("f2f3", "e7e5", "g2g4", "d8h4")

    for player in (ANN, BEN):
        assert "Short-diagonal check. Checkmate. Black wins." in table.last_text(player)
        assert "Here is the whole board." in table.last_text(player)
    assert "4  . . . . . . P q" in table.last_text(ANN)
    table.reply(ANN, "e2e4")
    assert "This game is over, so I did nothing." in table.last_text(ANN)
    assert "The umpire's last announcement: Short-diagonal check. Checkmate. Black wins." in table.last_text(
        ANN
    )


@pytest.mark.parametrize("text", ["e2e4", "Well played!", "again"])
def test_after_the_end_only_show_brings_the_whole_board_again(table: Table, text: str) -> None:
    table.begin()
    table.play("f2f3", "e7e5", "g2g4", "d8h4")
    table.reply(ANN, text)

    assert "Here is the whole board" not in table.last_text(ANN)
    table.reply(ANN, "show")
    assert "Here is the whole board." in table.last_text(ANN)


def test_the_players_may_share_one_address(table: Table) -> None:
    table.challenge(ANN, ANN)
    white, black = table.emails_to(ANN)

    table.deliver(table.reply_email(ANN, "accept", to=white))
    table.deliver(table.reply_email(ANN, "accept", to=black))
    table.run_workers()

    assert "White's move" in table.last_text(ANN)


@pytest.mark.parametrize(("side", "text"), [(0, "e2e4"), (1, "resign resign"), (0, "resign resign")])
def test_with_both_seats_at_one_address_the_reply_address_decides_the_side(
    table: Table, side: int, text: str
) -> None:
    table.challenge(ANN, ANN)
    for email in table.emails_to(ANN):
        table.reply(ANN, "accept", to=email)
    sides = [
        next(each for each in reversed(table.emails_to(ANN)) if f"You are {name}" in text_of(each))
        for name in ("White", "Black")
    ]

    table.reply(ANN, text, to=sides[side])

    said = (
        "Black's move."
        if text == "e2e4"
        else f"{('White', 'Black')[side]} resigns. {('Black', 'White')[side]} wins."
    )
    assert said in table.last_text(ANN)


def test_help_and_rules_are_answered_by_email(table: Table) -> None:
    table.begin()

    table.reply(ANN, "help\nrules")

    assert "Offer a draw" in table.last_text(ANN)
    assert "Pawn at" in table.last_text(ANN)


def test_a_fresh_process_recognises_a_third_repetition(table: Table, tmp_path: Path) -> None:
    table.begin()
    table.play("b1c3", "b8c6", "c3b1", "c6b8", "b1c3", "b8c6", "c3b1")
    table.deliver(table.reply_email(BEN, "c6b8"))

    run = (
        "import pathlib, sys; from tests.support.table import make_table; "
        "make_table(pathlib.Path(sys.argv[1])).run_workers()"
    )
    subprocess.run([sys.executable, "-c", run, str(tmp_path)], cwd=ROOT, check=True)

    for player in (ANN, BEN):
        assert "Draw: repetition." in table.last_text(player)


def test_resigning_is_confirmed_only_by_a_reply_to_the_question(table: Table) -> None:
    table.begin()
    table.play("e2e4")
    table.reply(ANN, "resign")
    table.reply(BEN, "e7e5")

    table.reply(ANN, "resign")

    assert "resign this game" in table.last_text(ANN)
    assert "resigns" not in table.last_text(BEN)


def test_a_move_with_the_acceptance_of_a_draw_is_not_made(table: Table) -> None:
    table.begin()
    table.play("e2e4\ndraw?")

    table.reply(BEN, "d7d5\naccept")

    assert (
        "I didn't try this, because I couldn't carry out another line you sent with it."
        in table.last_text(BEN)
    )
    table.reply(BEN, "accept")
    assert "Draw: agreement." in table.last_text(BEN)


def test_an_offers_email_repeats_the_umpires_last_announcement(table: Table) -> None:
    table.begin()
    table.play("e2e4", "d7d5", "px")

    table.reply(ANN, "draw?")

    said = "White offers a draw. The umpire's last announcement: Pawn at d5 captured. Black's move. 0 pawn tries."
    assert said in " ".join(table.last_text(BEN).split())
    assert "Your pawn on d5 was captured." in table.last_text(BEN)


@pytest.mark.parametrize(
    ("order", "said"), [("draw?", "You've offered a draw."), ("pause?", "You've asked for a pause.")]
)
@pytest.mark.parametrize("variant", ["wild16", "welbeck"])
def test_your_own_offer_is_mentioned_once(table: Table, variant: str, order: str, said: str) -> None:
    table.begin(variant)

    table.reply(ANN, order)

    for text in (table.last_text(ANN), "\n".join(html_to_lines(html_of(table.last_email(ANN))))):
        assert text.count(said) == 1
        assert "White offers" not in text
        assert "White asks" not in text
    table.reply(ANN, "show")
    assert table.last_text(ANN).count(said) == 1


def test_a_reply_to_the_acknowledgement_of_your_move_is_out_of_turn_not_outdated(table: Table) -> None:
    table.begin()
    table.play("e2e4")

    table.reply(ANN, "px")

    assert "It isn't your turn, so I did nothing." in table.last_text(ANN)
