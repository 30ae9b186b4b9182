"""Operators' decisions about a game: each is carried out once, and both players hear of it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from sqlalchemy import func, select, update

from corr.service import worker_rounds
from corr.service.admin import game_decisions, games, restore, statistics
from corr.service.admin.maintenance import delete_player
from corr.service.games import finished, moderation
from corr.service.games.moderation import DecreeKind, DecreeRequest
from corr.service.players import players
from corr.store import truths
from corr.store.tables import DecisionRow, EmailWordsRow, GameRow, OutboxRow, SeatRow
from corr.words.errors import Refused
from tests.support.table import ANN, BEN, NOON, Table, text_of

OPERATOR = "olga@house.example"
REASON = "Ben's mail server was away for two days."
PAUSED = "An admin has paused this game, so the clocks are stopped."
PAUSED_JUST_NOW = "The game is paused, so the clocks are stopped."


def decree(table: Table, kind: DecreeKind, detail: str = "", reason: str = REASON, game_id: int = 1) -> None:
    """Record a decision, and let the workers work."""
    enter(table, kind, detail, reason, game_id)
    table.run_workers()


def enter(table: Table, kind: DecreeKind, detail: str = "", reason: str = REASON, game_id: int = 1) -> None:
    with table.server.store.reading() as connection:
        number = moderation.next_number(connection, game_id)
    request = DecreeRequest(kind, detail, reason)
    moderation.decree(table.server, OPERATOR, game_id, str(number), request, table.clock())


def results(table: Table) -> list[str | None]:
    """The results of all decisions, in order."""
    with table.server.store.reading() as connection:
        return list(connection.execute(select(DecisionRow.result).order_by(DecisionRow.id)).scalars())


def times(table: Table) -> tuple[datetime | None, datetime | None, datetime | None]:
    """A game's deadline, its next reminder, and the start of its pause."""
    with table.server.store.reading() as connection:
        return connection.execute(
            select(GameRow.deadline, func.min(SeatRow.remind_at), GameRow.paused_at)
            .join(SeatRow)
            .group_by(GameRow.id)
        ).one()


# ---------------------------------------------------------------- pausing


def test_both_players_hear_of_the_decision_and_its_reason(table: Table) -> None:
    table.begin()
    before = len(table.all_emails())

    decree(table, DecreeKind.PAUSE)

    assert len(table.all_emails()) == before + 2
    for player in (ANN, BEN):
        assert "An admin has paused the game." in table.last_text(player)
        assert f"| {REASON}" in text_of(table.last_email(player))
        assert "The umpire's last announcement: White's move." in table.last_text(player)
    assert f"Your turn. {PAUSED_JUST_NOW}" in table.last_text(ANN)
    assert f"White is to move. {PAUSED_JUST_NOW}" in table.last_text(BEN)


def test_in_a_paused_game_there_are_no_reminders_and_no_flags(table: Table) -> None:
    table.begin()
    decree(table, DecreeKind.PAUSE)
    table.clock.advance(days=40)

    assert table.sweep() == 0
    table.reply(ANN, "e2e4")

    assert "Your move has been made." in table.last_text(ANN)
    assert f"Black is to move. {PAUSED}" in table.last_text(ANN)
    assert f"Your turn. {PAUSED}" in table.last_text(BEN)
    assert "reply by" not in table.last_text(BEN)


def test_resuming_restores_the_time_that_was_left(table: Table) -> None:
    table.begin()
    deadline, remind_at, _ = times(table)
    assert deadline
    assert remind_at
    table.clock.advance(days=1)
    decree(table, DecreeKind.PAUSE)
    table.clock.advance(days=10, hours=3)
    decree(table, DecreeKind.RESUME)

    span = timedelta(days=10, hours=3)
    assert times(table) == (deadline + span, remind_at + span, None)
    assert "An admin has resumed the game." in table.last_text(BEN)
    assert "Your turn: reply by Thu 3 Dec 2026, 15:00 UTC." in table.last_text(ANN)
    table.clock.advance(hours=13)
    assert table.sweep() == 1
    assert "This is a reminder" in table.last_text(ANN)


def test_after_a_move_in_a_paused_game_the_opponent_has_the_full_time(table: Table) -> None:
    table.begin()
    table.clock.advance(days=2)
    decree(table, DecreeKind.PAUSE)
    table.clock.advance(days=5)
    table.reply(ANN, "e2e4")
    assert times(table)[2] == table.clock()
    table.clock.advance(days=5)
    decree(table, DecreeKind.RESUME)

    assert times(table) == (
        table.clock() + timedelta(days=3),
        table.clock() + timedelta(days=3) * 0.5,
        None,
    )


def test_a_reminder_that_was_sent_is_not_sent_again(table: Table) -> None:
    table.begin_with_moves()
    table.clock.advance(days=2, hours=12)
    table.sweep()
    decree(table, DecreeKind.PAUSE)
    table.clock.advance(days=2)
    decree(table, DecreeKind.RESUME)
    table.clock.advance(hours=11)
    emails = len(table.all_emails())

    table.sweep()

    assert len(table.all_emails()) == emails
    table.clock.advance(hours=2)
    table.sweep()
    assert "White is out of time." in table.last_text(BEN)


def test_an_email_that_arrived_in_a_pause_is_read_before_the_flag_falls(
    table: Table,
) -> None:
    """An email that arrived during the pause isn't late, even if it's read afterwards."""
    table.begin()
    table.clock.advance(days=3, minutes=1)
    decree(table, DecreeKind.PAUSE)
    table.clock.advance(days=1)
    table.deliver(table.reply_email(ANN, "e2e4"))
    enter(table, DecreeKind.RESUME)
    game_decisions.enforce_some(table.server, table.clock())
    table.clock.advance(minutes=5)

    table.sweep()
    table.run_workers()

    assert "Your move has been made." in text_of(table.emails_to(ANN)[-1])


def test_deployment_can_be_paused(table: Table) -> None:
    table.begin("assassin")
    decree(table, DecreeKind.PAUSE)
    assert f"Deploy your pieces. {PAUSED}" in table.last_text(ANN)
    table.clock.advance(days=30)
    assert table.sweep() == 0

    table.reply(ANN, "deploy home")
    assert f"You have deployed; Black hasn't yet. {PAUSED}" in table.last_text(ANN)
    table.reply(BEN, "deploy home")

    assert f"Your turn. {PAUSED}" in table.last_text(ANN)
    decree(table, DecreeKind.RESUME)
    assert "Your turn: reply by" in table.last_text(ANN)


def test_a_paused_game_stays_paused_after_a_restore(table: Table) -> None:
    table.begin()
    decree(table, DecreeKind.PAUSE)
    table.clock.advance(days=9)
    restore.resume_after_restore(table.server, table.clock())
    table.send_emails()

    assert f"Your turn. {PAUSED}" in table.last_text(ANN)
    assert times(table)[2] == table.clock()


def test_a_pause_does_not_make_earlier_emails_outdated(table: Table) -> None:
    table.begin()
    before = table.last_email(ANN)
    decree(table, DecreeKind.PAUSE)

    table.reply(ANN, "e2e4", to=before)

    assert "Your move has been made." in table.last_text(ANN)


def test_the_pgn_lists_the_decisions(table: Table) -> None:
    code = table.challenge()
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    table.play("e2e4")
    decree(table, DecreeKind.PAUSE)
    decree(table, DecreeKind.RESUME)
    decree(table, DecreeKind.EXTEND, "2")
    decree(table, DecreeKind.ADJUDICATE, "draw")

    file = " ".join(finished.pgn(table.server, code).split())
    assert (
        "{An admin has paused the game.} {An admin has resumed the game.} {An admin has given "
        "Black 2 more days.} {The operator has ended the game. Draw.}"
    ) in file
    assert '[Termination "adjudication"]' in file


# ---------------------------------------------------------------- extra time


def test_extra_time_is_added_to_the_time_left(table: Table) -> None:
    table.begin()
    deadline, remind_at, _ = times(table)
    assert deadline
    assert remind_at
    decree(table, DecreeKind.EXTEND, "7")

    assert times(table) == (deadline + timedelta(days=7), remind_at + timedelta(days=7), None)
    assert "An admin has given White 7 more days." in table.last_text(BEN)
    assert "Your turn: reply by Mon 30 Nov 2026, 12:00 UTC." in table.last_text(ANN)


def test_extra_time_after_the_deadline_counts_from_now(table: Table) -> None:
    table.begin()
    table.clock.advance(days=3, minutes=1)
    decree(table, DecreeKind.EXTEND, "1")

    assert times(table)[0] == table.clock() + timedelta(days=1)
    assert "An admin has given White one more day." in table.last_text(ANN)
    table.reply(ANN, "e2e4")
    assert "Your move has been made." in table.last_text(ANN)


def test_extra_time_in_a_paused_game_is_there_after_it(table: Table) -> None:
    table.begin()
    decree(table, DecreeKind.PAUSE)
    table.clock.advance(days=20)
    decree(table, DecreeKind.EXTEND, "2")
    decree(table, DecreeKind.RESUME)

    assert times(table)[0] == table.clock() + timedelta(days=5)


def test_extra_time_to_deploy_is_for_both_sides(table: Table) -> None:
    table.begin("welbeck")
    decree(table, DecreeKind.EXTEND, "30")

    assert "An admin has given White and Black 30 more days." in table.last_text(ANN)


# ---------------------------------------------------------------- the end


@pytest.mark.parametrize(
    ("end", "said", "result"),
    [
        ("white", "An admin has ended the game. White wins.", "1-0"),
        ("black", "An admin has ended the game. Black wins.", "0-1"),
        ("draw", "An admin has ended the game. Draw.", "1/2-1/2"),
        ("void", "An admin has ended the game. It is void.", "*"),
    ],
)
def test_an_adjudicated_game_shows_both_the_whole_board(
    table: Table, end: str, said: str, result: str
) -> None:
    table.begin()
    table.play("e2e4", "d7d5")
    decree(table, DecreeKind.ADJUDICATE, end)

    for player in (ANN, BEN):
        assert said in table.last_text(player)
        assert f"| {REASON}" in text_of(table.last_email(player))
        assert "Here is the whole board." in table.last_text(player)
        game, _record = table.last_email(player).iter_attachments()
        assert f'[Result "{result}"]' in game.get_content().decode()
    assert times(table) == (None, None, None)
    table.reply(ANN, "e4d5")
    assert "This game is over, so I did nothing." in table.last_text(ANN)


def test_a_paused_game_can_be_adjudicated(table: Table) -> None:
    table.begin()
    decree(table, DecreeKind.PAUSE)
    decree(table, DecreeKind.ADJUDICATE, "void")

    assert times(table)[2] is None
    assert PAUSED not in table.last_text(ANN)


def test_set_ups_stay_sealed_in_an_adjudicated_game(table: Table) -> None:
    table.begin("assassin")
    table.reply(ANN, "deploy corner")
    decree(table, DecreeKind.ADJUDICATE, "white")

    for player in (ANN, BEN):
        assert "White wins." in table.last_text(player)
        assert "both players' set-ups stay secret" in table.last_text(player)
        assert list(table.last_email(player).iter_attachments()) == []
    assert "king on" not in table.last_text(BEN)


def test_a_proposed_game_can_only_be_made_void(table: Table) -> None:
    table.challenge()
    emails = len(table.all_emails())
    for kind, detail in ((DecreeKind.PAUSE, ""), (DecreeKind.EXTEND, "1"), (DecreeKind.ADJUDICATE, "white")):
        decree(table, kind, detail)
    assert len(table.all_emails()) == emails

    decree(table, DecreeKind.ADJUDICATE, "void")

    assert results(table) == ["not_begun", "not_begun", "not_begun", "done"]
    for player in (ANN, BEN):
        assert "An admin has cancelled this game, so it won't take place." in table.last_text(player)
        assert f"| {REASON}" in text_of(table.last_email(player))
    table.reply(ANN, "accept")
    assert "This game is over, so I did nothing." in table.last_text(ANN)
    assert "An admin has cancelled this game" in table.last_text(ANN)


# ---------------------------------------------------------------- once, and in order


def test_a_double_click_makes_one_decision(table: Table) -> None:
    table.begin()
    request = DecreeRequest(DecreeKind.EXTEND, "3", REASON)
    moderation.decree(table.server, OPERATOR, 1, "1", request, table.clock())
    for number in ("1", "0", "3", "", "x", "9" * 5000, "-1", "1 "):
        with pytest.raises(Refused, match="Something has changed"):
            moderation.decree(table.server, OPERATOR, 1, number, request, table.clock())
    table.run_workers()

    assert times(table)[0] == NOON + timedelta(days=6)
    assert results(table) == ["done"]


def test_a_decision_that_no_longer_fits_does_nothing_and_is_not_announced(table: Table) -> None:
    table.begin()
    decree(table, DecreeKind.RESUME)
    decree(table, DecreeKind.PAUSE)
    before = len(table.all_emails())
    decree(table, DecreeKind.PAUSE)
    assert len(table.all_emails()) == before
    decree(table, DecreeKind.ADJUDICATE, "black")
    for kind, detail in (
        (DecreeKind.PAUSE, ""),
        (DecreeKind.RESUME, ""),
        (DecreeKind.EXTEND, "1"),
        (DecreeKind.ADJUDICATE, "white"),
    ):
        decree(table, kind, detail)

    assert results(table) == ["not_paused", "done", "paused", "done", *["over"] * 4]
    assert "Black wins." in table.last_text(ANN)
    with table.server.store.reading() as connection:
        kinds = connection.execute(select(OutboxRow.kind).where(OutboxRow.kind == "decree")).scalars().all()
        done = moderation.list_public_decrees(connection, 1)
    assert len(kinds) == 4
    assert [(each.sentence, each.reason) for each in done] == [
        ("An admin has paused the game.", REASON),
        ("The operator has ended the game. Black wins.", REASON),
    ]
    assert {each.date for each in done} == {NOON}


def test_decisions_are_carried_out_once_and_in_order(table: Table) -> None:
    table.begin()
    enter(table, DecreeKind.PAUSE)
    enter(table, DecreeKind.RESUME)

    assert not game_decisions._enforce(table.server, 2, 1, table.clock())
    assert game_decisions._enforce(table.server, 1, 1, table.clock())
    assert not game_decisions._enforce(table.server, 1, 1, table.clock())
    assert not statistics.is_idle(table.server)
    assert worker_rounds.read_some(table.server, table.clock()) == 1

    assert results(table) == ["done", "done"]


def test_many_workers_and_many_clicks_carry_out_each_decision_once(table: Table) -> None:
    """Even with a move at the same time."""
    table.begin()
    request = DecreeRequest(DecreeKind.EXTEND, "3", REASON)

    def click(number: int) -> bool:
        try:
            moderation.decree(table.server, OPERATOR, 1, str(number % 3 + 1), request, table.clock())
        except Refused:
            return False
        return True

    table.deliver(table.reply_email(ANN, "e2e4"))
    with ThreadPoolExecutor(6) as pool:
        entered = sum(pool.map(click, range(30)))
        list(pool.map(lambda _: worker_rounds.read_some(table.server, table.clock()), range(12)))
    table.run_workers()

    assert results(table) == ["done"] * entered
    with table.server.store.reading() as connection:
        assert [each.said for each in moderation.list_decrees(connection, 1)].count("") == 0
        kinds = connection.execute(select(OutboxRow.kind).where(OutboxRow.kind == "decree")).all()
    assert len(kinds) == entered * 2
    assert "Your move has been made." in " ".join(text_of(each) for each in table.emails_to(ANN))


def test_a_decision_that_fails_is_set_aside_and_delays_no_other(table: Table) -> None:
    table.begin()
    table.begin()
    with table.server.store.writing() as connection:
        truths.update_truth(connection, 1, b"not a truth")
    enter(table, DecreeKind.ADJUDICATE, "white", game_id=1)
    enter(table, DecreeKind.ADJUDICATE, "white", game_id=2)
    table.run_workers()

    assert results(table) == ["failed", "done"]
    assert statistics.is_idle(table.server)


def test_a_bad_request_is_refused_with_the_reason() -> None:
    assert moderation.check_request(DecreeKind.EXTEND, " 30 ", "", " all\r\n\twell ").reason == "all well"
    assert moderation.check_request(DecreeKind.PAUSE, "7", "white", "x" * 500).detail == ""
    for kind, days, end, reason, why in (
        (DecreeKind.PAUSE, "", "", " \n\u200b\u202e ", "give a reason"),
        (DecreeKind.PAUSE, "", "", "x" * 501, "at most 500 characters; yours has 501"),
        (DecreeKind.EXTEND, "0", "", "why", "from 1 to 30"),
        (DecreeKind.EXTEND, "31", "", "why", "from 1 to 30"),
        (DecreeKind.EXTEND, "\u0661", "", "why", "from 1 to 30"),
        (DecreeKind.EXTEND, "1e1", "", "why", "from 1 to 30"),
        (DecreeKind.ADJUDICATE, "", "grey", "why", "how the game ends"),
    ):
        with pytest.raises(Refused, match=why):
            moderation.check_request(kind, days, end, reason)


def test_a_reason_is_quoted_whatever_it_contains(table: Table) -> None:
    table.begin()
    decree(table, DecreeKind.PAUSE, reason=f"<b>{{{{ view }}}}</b> {'e2e4 ' * 40}resign resign {'x' * 120}")

    text = text_of(table.last_email(ANN))
    quoted = [line for line in text.splitlines() if "e2e4" in line or "resign" in line or "xx" in line]
    assert all(line.startswith("| ") and len(line) < 72 for line in quoted)
    assert "| <b>{{ view }}</b> e2e4" in text


def test_a_deleted_operators_address_is_removed_from_decisions(table: Table) -> None:
    table.begin()
    players.add(table.server, "Olga", "Olga@House.example", table.clock())
    decree(table, DecreeKind.PAUSE)
    delete_player(table.server, "Olga", table.clock())

    with table.server.store.reading() as connection:
        (entered,) = moderation.list_decrees(connection, 1)
    assert entered.operator == ""


def test_an_email_queued_by_a_release_without_pauses_is_still_composed(table: Table) -> None:
    table.challenge()
    table.reply(ANN, "accept")
    table.deliver(table.reply_email(BEN, "accept"))
    table.read_emails()
    with table.server.store.writing() as connection:
        for row in connection.execute(select(EmailWordsRow.letter_id, EmailWordsRow.words)).all():
            old = row.words.replace(', "paused": false', "")
            this = update(EmailWordsRow).where(EmailWordsRow.letter_id == row.letter_id)
            connection.execute(this.values(words=old))
    table.send_emails()

    assert "Your turn: reply by" in table.last_text(ANN)


def test_a_game_is_found_by_its_code_with_capitals_and_spaces(table: Table) -> None:
    code = table.challenge()
    assert [each.code for each in games.search(table.server, f" {code.upper()} ")] == [code]
