"""Deployment by letter: sealed until both are in, changed at will, five wishes, clashes, one deadline for both."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from corr.store.tables import GameRow
from tests.support.table import ANN, BEN, Table, text_of

deployed_variants = pytest.mark.parametrize("variant", ["assassin", "welbeck"])

#: Black's king in the sight of White's bishop on a3, and the same men with that bishop elsewhere.
SHARP = "deploy Ke1 Qd1 Ra1 Rh1 Ba3 Bf1 Nb1 Ng1 a2 b2 c2 d2 e2 f2 g2 h2"
BLUNT = "deploy Ke1 Qd1 Ra1 Rh1 Bc1 Bf1 Nb1 Ng1 a2 b3 c2 d2 e2 f2 g2 h2"
EXPOSED = "deploy Kf8 Qe8 Ra8 Rh8 Bc8 Bd8 Nb8 Ng8 a7 b7 c7 d7 e6 f7 g7 h7"


def newest(table: Table, player: str) -> str:
    return " ".join(text_of(table.newest(player)).split())


@deployed_variants
def test_both_are_asked_to_deploy_and_shown_the_prepared_set_ups(table: Table, variant: str):
    table.begin(variant)
    for player, rows in ((ANN, "1 to 4"), (BEN, "5 to 8")):
        letter = newest(table, player)
        assert f"on ranks {rows}" in letter
        assert "Deploy your pieces by" in letter
        assert all(f"| {name}: " in letter for name in ("home", "vanguard", "corner", "spread", "upturned"))


@deployed_variants
def test_a_set_up_is_sealed_and_the_other_side_gets_no_letter(table: Table, variant: str):
    table.begin(variant)
    before = len(table.letters(BEN))
    table.reply(ANN, "deploy home")
    assert "White has deployed. Your set-up is sealed." in newest(table, ANN)
    assert "You have deployed; Black has until" in newest(table, ANN)
    assert len(table.letters(BEN)) == before


@deployed_variants
def test_the_game_begins_when_both_are_in_and_each_is_told_the_others_king(table: Table, variant: str):
    table.begin(variant)
    table.reply(BEN, "deploy corner")
    table.reply(ANN, "deploy home")
    assert "The game has started." in newest(table, ANN)
    assert "Black's king stands on h8." in newest(table, ANN)
    assert "White's king stands on e1." in newest(table, BEN)
    assert "corner" not in newest(table, ANN)
    table.reply(ANN, "e2e3")
    assert "White has moved." in newest(table, BEN)


@deployed_variants
def test_a_set_up_may_be_changed_until_the_other_side_is_in(table: Table, variant: str):
    table.begin(variant)
    table.reply(ANN, "deploy home")
    before = len(table.letters(BEN))
    table.reply(ANN, "deploy corner")
    assert len(table.letters(BEN)) == before
    table.reply(BEN, "deploy home")
    assert "White's king stands on h1." in newest(table, BEN)


@deployed_variants
def test_a_clash_tells_nothing_else_and_the_same_set_up_may_be_sent_again(table: Table, variant: str):
    table.begin(variant)
    table.reply(ANN, SHARP)
    table.clock.pass_by(hours=50)
    table.reply(BEN, EXPOSED)
    for player in (ANN, BEN):
        assert "The deployments clash; deploy again." in newest(table, player)
        assert "Deploy your pieces by Tue 24 Nov 2026, 02:00 UTC" in newest(table, player)
        assert "king stands on" not in newest(table, player)
    table.reply(ANN, "deploy home")
    table.reply(BEN, EXPOSED)
    assert "Black's king stands on f8." in newest(table, ANN)


@deployed_variants
def test_the_first_wishes_that_do_not_clash_are_taken(table: Table, variant: str):
    table.begin(variant)
    table.reply(ANN, f"{SHARP}\n{BLUNT}")
    table.reply(BEN, EXPOSED)
    letter = newest(table, ANN)
    assert "Black's king stands on f8." in letter
    assert "bishops on c1 and f1" in letter


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("deploy Ke1 Qd1", "A set-up has one king, one queen, two rooks"),
        (SHARP.replace("Qd1", "Qd5"), "You deploy on ranks 1 to 4, but your queen on d5 isn't there."),
        (SHARP.replace("Ba3", "Ba4"), "Your bishops on a4 and f1 are on squares of the same colour"),
        (SHARP.replace("Qd1", "Qe1"), "Two of your pieces are on e1."),
        ("deploy fortress", 'There is no prepared set-up called "fortress". Choose one of: home, vanguard'),
        ("e2e4", "Your pieces aren't on the board yet"),
    ],
)
def test_what_cannot_be_deployed_is_told_to_its_writer_alone(table: Table, text: str, why: str):
    table.begin("assassin")
    before = len(table.letters(BEN))
    table.reply(ANN, text)
    assert why in newest(table, ANN)
    assert "I did nothing." in newest(table, ANN)
    assert len(table.letters(BEN)) == before


def test_one_bad_set_up_among_five_seals_none(table: Table):
    table.begin("welbeck")
    table.reply(ANN, "deploy home\ndeploy fortress")
    table.reply(BEN, "deploy home")
    assert "White's king" not in newest(table, BEN)


def test_where_one_does_not_deploy_in_time_nobody_loses(table: Table):
    table.begin("assassin")
    table.reply(ANN, "deploy home")
    table.clock.pass_by(days=4)
    table.sweep()
    for player in (ANN, BEN):
        assert "Black has not moved in time. The game has no result." in newest(table, player)
        assert "all set-ups stay sealed" in newest(table, player)


def test_where_neither_deploys_the_game_is_void(table: Table):
    table.begin("assassin")
    table.clock.pass_by(days=4)
    table.sweep()
    for player in (ANN, BEN):
        assert "Neither side has deployed in time. The game is void." in newest(table, player)


def test_who_has_yet_to_deploy_is_reminded_and_nobody_else(table: Table):
    table.begin("assassin")
    table.reply(ANN, "deploy home")
    before = len(table.letters(ANN))
    table.clock.pass_by(days=2, hours=12)
    table.sweep()
    assert "This is a reminder: deploy before your time runs out" in newest(table, BEN)
    assert len(table.letters(ANN)) == before


def test_a_game_can_be_given_up_or_called_a_draw_before_the_first_move(table: Table):
    table.begin("assassin")
    table.reply(ANN, "draw?")
    table.reply(BEN, "accept")
    assert "Draw: agreement." in newest(table, ANN)


def test_a_set_up_that_comes_after_the_start_is_refused_in_private(table: Table):
    table.begin("assassin")
    table.reply(ANN, "deploy home")
    table.reply(BEN, "deploy home")
    before = len(table.letters(BEN))
    table.reply(ANN, "deploy corner")
    assert "Your pieces are already on the board" in newest(table, ANN)
    assert len(table.letters(BEN)) == before


def test_a_sealed_set_up_cannot_be_changed_once_the_time_is_over(table: Table):
    """AS-2: one deadline, the same for both, also while a letter that came in time waits to be read."""
    table.begin("assassin")
    table.reply(ANN, "deploy home")
    table.clock.pass_by(days=2, hours=23)
    table.post(table.letter(BEN, "deploy home"))
    table.clock.pass_by(days=1)
    table.post(table.letter(ANN, "deploy corner"))
    table.work()
    assert "White's king stands on e1." in newest(table, BEN)


def test_who_has_yet_to_deploy_is_told_that_the_other_has(table: Table):
    """AS-14: the deployment status of both."""
    table.begin("assassin")
    table.reply(ANN, "deploy home")
    table.reply(BEN, "show")
    assert "White has deployed and is waiting for you." in newest(table, BEN)


def test_a_draw_may_be_offered_with_a_set_up_and_again_with_the_first_move(table: Table):
    """G8: an offer before the first move is none of its turn's."""
    table.begin("welbeck")
    table.reply(ANN, "deploy home\ndraw?")
    assert newest(table, BEN).count("offers a draw. To answer the offer, reply") == 1
    table.reply(BEN, "decline")
    table.reply(BEN, "deploy home")
    table.reply(ANN, "e2e3\ndraw?")
    assert newest(table, BEN).count("offers a draw. To answer the offer, reply") == 1


def test_a_set_up_may_answer_the_challenge_itself(table: Table):
    table.challenge(variant="assassin")
    first = table.newest(ANN)
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    table.post(table.letter(ANN, "deploy home", to=first))
    table.work()
    assert "Your set-up is sealed." in newest(table, ANN)


def test_a_set_up_in_answer_to_a_letter_of_before_the_clash_is_told_of_the_clash(table: Table):
    table.begin("assassin")
    before = table.newest(ANN)
    table.reply(ANN, SHARP)
    table.reply(BEN, EXPOSED)
    table.post(table.letter(ANN, "deploy home", to=before))
    table.work()
    assert "Your set-ups have clashed since then" in newest(table, ANN)


#: What is left of three days in each round, and until when it is.
ROUNDS = (
    (72, "Mon 23 Nov 2026, 12:00 UTC"),
    (36, "Sun 22 Nov 2026, 00:00 UTC"),
    (18, "Sat 21 Nov 2026, 06:00 UTC"),
    (9, "Fri 20 Nov 2026, 21:00 UTC"),
    (4.5, "Fri 20 Nov 2026, 16:30 UTC"),
)


def clash(table: Table) -> None:
    table.reply(ANN, SHARP)
    table.reply(BEN, EXPOSED)


@deployed_variants
def test_each_round_has_half_the_time_and_after_the_fifth_clash_the_game_is_void(table: Table, variant: str):
    """AS-4.b: nobody renews the time for ever by the same set-up."""
    table.begin(variant)
    for _, deadline in ROUNDS:
        for player in (ANN, BEN):
            assert f"Deploy your pieces by {deadline}." in newest(table, player)
        clash(table)
    for player in (ANN, BEN):
        assert "The deployments have clashed five times. The game is void." in newest(table, player)
        assert "all set-ups stay sealed" in newest(table, player)
        assert [part.get_filename() for part in table.newest(player).walk() if part.get_filename()] == []
    assert outcome_of(table) == (None, "void", "over")
    table.reply(ANN, "deploy home")
    assert "This game is over, so I did nothing." in newest(table, ANN)
    letters = len(table.all_letters())
    table.clock.pass_by(days=9)
    table.sweep()
    assert len(table.all_letters()) == letters


@pytest.mark.parametrize("clashes", range(5))
def test_the_reminder_and_the_flag_of_a_round_come_by_its_own_time(table: Table, clashes: int):
    """AS-4.b."""
    table.begin("welbeck")
    for _ in range(clashes):
        clash(table)
    hours, _ = ROUNDS[clashes]
    table.clock.pass_by(hours=hours * 0.49)
    assert table.sweep() == 0
    for part in (0.02, 0.3):
        before = len(table.letters(ANN))
        table.clock.pass_by(hours=hours * part)
        table.sweep()
        assert "This is a reminder" in newest(table, ANN)
        assert len(table.letters(ANN)) == before + 1
    table.clock.pass_by(hours=hours * 0.2)
    table.sweep()
    assert "Neither side has deployed in time. The game is void." in newest(table, BEN)


def test_once_the_men_are_on_the_board_a_move_has_the_whole_time(table: Table):
    table.begin("welbeck")
    clash(table)
    table.deploy()
    table.reply(ANN, "deploy home")
    table.reply(BEN, "deploy home")
    assert "White has until Mon 23 Nov 2026, 12:00 UTC to move" in newest(table, BEN)


def outcome_of(table: Table) -> tuple[str | None, str, str]:
    with table.server.store.reading() as connection:
        return tuple(connection.execute(select(GameRow.winner, GameRow.reason, GameRow.state)).one())


def test_a_player_may_look_at_all_that_its_spies_have_told(table: Table):
    """AS-8, AS-14: with the number of the move."""
    table.begin("assassin")
    table.deploy()
    table.play("b1c3", "a7a6", "g1f3", "h7h6")
    table.reply(ANN, "show")
    letter = newest(table, ANN).replace("| ", "")
    assert "What only you were shown:" in letter
    assert "at move 1: Your spy on c3 reports: b2 your pawn; b3 empty;" in letter
    assert "at move 2: Your spy on f3 reports: e2 your pawn; e3 empty;" in letter
    table.reply(BEN, "show")
    assert "spy" not in newest(table, BEN)
