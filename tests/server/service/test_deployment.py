"""Deployment by email: sealed set-ups, changes, preferences, clashes, and one deadline for both."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from corr.store.tables import GameRow
from tests.support.table import ANN, BEN, Table, text_of

deployed_variants = pytest.mark.parametrize("variant", ["assassin", "welbeck"])

# SHARP's bishop on a3 attacks the king of EXPOSED; in BLUNT that bishop stands elsewhere.
SHARP = "deploy Ke1 Qd1 Ra1 Rh1 Ba3 Bf1 Nb1 Ng1 a2 b2 c2 d2 e2 f2 g2 h2"
BLUNT = "deploy Ke1 Qd1 Ra1 Rh1 Bc1 Bf1 Nb1 Ng1 a2 b3 c2 d2 e2 f2 g2 h2"
EXPOSED = "deploy Kf8 Qe8 Ra8 Rh8 Bc8 Bd8 Nb8 Ng8 a7 b7 c7 d7 e6 f7 g7 h7"


def newest_text(table: Table, player: str) -> str:
    return " ".join(text_of(table.last_email(player)).split())


@deployed_variants
def test_both_are_asked_to_deploy_and_see_the_prepared_set_ups(table: Table, variant: str):
    table.begin(variant)
    for player, rows in ((ANN, "1 to 4"), (BEN, "5 to 8")):
        email = newest_text(table, player)
        assert f"on ranks {rows}" in email
        assert "Deploy your pieces by" in email
        assert all(f"| {name}: " in email for name in ("home", "vanguard", "corner", "spread", "upturned"))


@deployed_variants
def test_a_set_up_is_sealed_and_the_opponent_gets_no_email(table: Table, variant: str):
    table.begin(variant)
    before = len(table.emails_to(BEN))
    table.reply(ANN, "deploy home")
    assert "White has deployed. Your set-up is sealed." in newest_text(table, ANN)
    assert "You have deployed; Black has until" in newest_text(table, ANN)
    assert len(table.emails_to(BEN)) == before


@deployed_variants
def test_the_game_starts_when_both_have_deployed_and_each_learns_the_others_king(table: Table, variant: str):
    table.begin(variant)
    table.reply(BEN, "deploy corner")
    table.reply(ANN, "deploy home")
    assert "The game has started." in newest_text(table, ANN)
    assert "Black's king stands on h8." in newest_text(table, ANN)
    assert "White's king stands on e1." in newest_text(table, BEN)
    assert "corner" not in newest_text(table, ANN)
    table.reply(ANN, "e2e3")
    assert "White has moved." in newest_text(table, BEN)


@deployed_variants
def test_a_set_up_may_be_changed_until_the_opponent_deploys(table: Table, variant: str):
    table.begin(variant)
    table.reply(ANN, "deploy home")
    before = len(table.emails_to(BEN))
    table.reply(ANN, "deploy corner")
    assert len(table.emails_to(BEN)) == before
    table.reply(BEN, "deploy home")
    assert "White's king stands on h1." in newest_text(table, BEN)


@deployed_variants
def test_a_clash_reveals_nothing_else_and_the_same_set_up_may_be_sent_again(table: Table, variant: str):
    table.begin(variant)
    table.reply(ANN, SHARP)
    table.clock.advance(hours=50)
    table.reply(BEN, EXPOSED)
    for player in (ANN, BEN):
        assert "The deployments clash; deploy again." in newest_text(table, player)
        assert "Deploy your pieces by Tue 24 Nov 2026, 02:00 UTC" in newest_text(table, player)
        assert "king stands on" not in newest_text(table, player)
    table.reply(ANN, "deploy home")
    table.reply(BEN, EXPOSED)
    assert "Black's king stands on f8." in newest_text(table, ANN)


@deployed_variants
def test_the_first_set_ups_that_do_not_clash_are_used(table: Table, variant: str):
    table.begin(variant)
    table.reply(ANN, f"{SHARP}\n{BLUNT}")
    table.reply(BEN, EXPOSED)
    email = newest_text(table, ANN)
    assert "Black's king stands on f8." in email
    assert "bishops on c1 and f1" in email


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
def test_a_bad_set_up_is_answered_in_private(table: Table, text: str, why: str):
    table.begin("assassin")
    before = len(table.emails_to(BEN))
    table.reply(ANN, text)
    assert why in newest_text(table, ANN)
    assert "I did nothing." in newest_text(table, ANN)
    assert len(table.emails_to(BEN)) == before


def test_one_bad_set_up_among_five_seals_none(table: Table):
    table.begin("welbeck")
    table.reply(ANN, "deploy home\ndeploy fortress")
    table.reply(BEN, "deploy home")
    assert "White's king" not in newest_text(table, BEN)


def test_if_one_side_does_not_deploy_in_time_nobody_loses(table: Table):
    table.begin("assassin")
    table.reply(ANN, "deploy home")
    table.clock.advance(days=4)
    table.sweep()
    for player in (ANN, BEN):
        assert "Black has not moved in time. The game has no result." in newest_text(table, player)
        assert "both players' set-ups stay secret" in newest_text(table, player)


def test_if_neither_side_deploys_the_game_is_void(table: Table):
    table.begin("assassin")
    table.clock.advance(days=4)
    table.sweep()
    for player in (ANN, BEN):
        assert "Neither side has deployed in time. The game is void." in newest_text(table, player)


def test_only_the_side_that_has_not_deployed_is_reminded(table: Table):
    table.begin("assassin")
    table.reply(ANN, "deploy home")
    before = len(table.emails_to(ANN))
    table.clock.advance(days=2, hours=12)
    table.sweep()
    assert "This is a reminder: deploy before your time runs out" in newest_text(table, BEN)
    assert len(table.emails_to(ANN)) == before


def test_a_draw_can_be_agreed_before_the_first_move(table: Table):
    table.begin("assassin")
    table.reply(ANN, "draw?")
    table.reply(BEN, "accept")
    assert "Draw: agreement." in newest_text(table, ANN)


def test_a_set_up_after_the_start_is_refused_in_private(table: Table):
    table.begin("assassin")
    table.reply(ANN, "deploy home")
    table.reply(BEN, "deploy home")
    before = len(table.emails_to(BEN))
    table.reply(ANN, "deploy corner")
    assert "Your pieces are already on the board" in newest_text(table, ANN)
    assert len(table.emails_to(BEN)) == before


def test_a_sealed_set_up_cannot_be_changed_after_the_deadline(table: Table):
    """AS-2: both have the same deadline, even while an email that arrived in time waits to be read."""
    table.begin("assassin")
    table.reply(ANN, "deploy home")
    table.clock.advance(days=2, hours=23)
    table.deliver(table.reply_email(BEN, "deploy home"))
    table.clock.advance(days=1)
    table.deliver(table.reply_email(ANN, "deploy corner"))
    table.run_workers()
    assert "White's king stands on e1." in newest_text(table, BEN)


def test_a_side_that_has_not_deployed_hears_that_the_other_has(table: Table):
    """AS-14: the deployment status of both."""
    table.begin("assassin")
    table.reply(ANN, "deploy home")
    table.reply(BEN, "show")
    assert "White has deployed and is waiting for you." in newest_text(table, BEN)


def test_a_draw_may_be_offered_with_a_set_up_and_again_with_the_first_move(table: Table):
    """G8: an offer before the first move doesn't count as that turn's offer."""
    table.begin("welbeck")
    table.reply(ANN, "deploy home\ndraw?")
    assert newest_text(table, BEN).count("offers a draw. To answer the offer, reply") == 1
    table.reply(BEN, "decline")
    table.reply(BEN, "deploy home")
    table.reply(ANN, "e2e3\ndraw?")
    assert newest_text(table, BEN).count("offers a draw. To answer the offer, reply") == 1


def test_a_set_up_may_be_a_reply_to_the_challenge(table: Table):
    table.challenge(variant="assassin")
    first = table.last_email(ANN)
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    table.deliver(table.reply_email(ANN, "deploy home", to=first))
    table.run_workers()
    assert "Your set-up is sealed." in newest_text(table, ANN)


def test_a_set_up_in_reply_to_an_email_from_before_a_clash_is_refused(table: Table):
    table.begin("assassin")
    before = table.last_email(ANN)
    table.reply(ANN, SHARP)
    table.reply(BEN, EXPOSED)
    table.deliver(table.reply_email(ANN, "deploy home", to=before))
    table.run_workers()
    assert "Your set-ups have clashed since then" in newest_text(table, ANN)


#: The hours of each round, and its deadline, in a game with three days a move.
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
def test_each_round_has_half_the_time_and_the_fifth_clash_makes_the_game_void(table: Table, variant: str):
    """AS-4.b: nobody can gain time for ever by clashing again."""
    table.begin(variant)
    for _, deadline in ROUNDS:
        for player in (ANN, BEN):
            assert f"Deploy your pieces by {deadline}." in newest_text(table, player)
        clash(table)
    for player in (ANN, BEN):
        assert "The deployments have clashed five times. The game is void." in newest_text(table, player)
        assert "both players' set-ups stay secret" in newest_text(table, player)
        assert [part.get_filename() for part in table.last_email(player).walk() if part.get_filename()] == []
    assert outcome(table) == (None, "void", "over")
    table.reply(ANN, "deploy home")
    assert "This game is over, so I did nothing." in newest_text(table, ANN)
    emails = len(table.all_emails())
    table.clock.advance(days=9)
    table.sweep()
    assert len(table.all_emails()) == emails


@pytest.mark.parametrize("clashes", range(5))
def test_each_round_has_its_own_reminders_and_flag(table: Table, clashes: int):
    """AS-4.b."""
    table.begin("welbeck")
    for _ in range(clashes):
        clash(table)
    hours, _ = ROUNDS[clashes]
    table.clock.advance(hours=hours * 0.49)
    assert table.sweep() == 0
    for part in (0.02, 0.3):
        before = len(table.emails_to(ANN))
        table.clock.advance(hours=hours * part)
        table.sweep()
        assert "This is a reminder" in newest_text(table, ANN)
        assert len(table.emails_to(ANN)) == before + 1
    table.clock.advance(hours=hours * 0.2)
    table.sweep()
    assert "Neither side has deployed in time. The game is void." in newest_text(table, BEN)


def test_the_first_move_after_clashes_has_the_full_time(table: Table):
    table.begin("welbeck")
    clash(table)
    table.deploy()
    table.reply(ANN, "deploy home")
    table.reply(BEN, "deploy home")
    assert "White has until Mon 23 Nov 2026, 12:00 UTC to move" in newest_text(table, BEN)


def outcome(table: Table) -> tuple[str | None, str, str]:
    with table.server.store.reading() as connection:
        return tuple(connection.execute(select(GameRow.winner, GameRow.reason, GameRow.state)).one())


def test_show_lists_all_reports_of_your_spies(table: Table):
    """AS-8, AS-14: with their move numbers."""
    table.begin("assassin")
    table.deploy()
    table.play("b1c3", "a7a6", "g1f3", "h7h6")
    table.reply(ANN, "show")
    email = newest_text(table, ANN).replace("| ", "")
    assert "What only you were shown:" in email
    assert "at move 1: Your spy on c3 reports: b2 your pawn; b3 empty;" in email
    assert "at move 2: Your spy on f3 reports: e2 your pawn; e3 empty;" in email
    table.reply(BEN, "show")
    assert "spy" not in newest_text(table, BEN)
