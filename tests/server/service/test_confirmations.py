"""Emails of doubtful origin wait for the player's confirmation, and then count from when they arrived."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from corr.mail.outward import compose
from corr.orders import kind_of
from corr.store.tables import OrderRow
from tests.support.broken_parts import break_part
from tests.support.browser import Browser
from tests.support.table import ANN, AUTHSERV_ID, BEN, EVE, Table, text_of, unwrap
from tests.support.twin_servers import Twin, Twins, make_twins

FORGED = f"Authentication-Results: {AUTHSERV_ID}; dmarc=fail header.from=a.example"
ELSEWHERE = "ann@elsewhere.example"
#: Doubtful emails: one that seems to be from the player's own address, and one from another.
BOTH_KINDS_OF_DOUBT = pytest.mark.parametrize(
    "doubtful", [{"headers": FORGED}, {"sender": ELSEWHERE}], ids=["called forged", "from elsewhere"]
)
VOUCHED = f"Authentication-Results: {AUTHSERV_ID}; dmarc=pass header.from=a.example"
FOREIGN = "Authentication-Results: mx.elsewhere.example; dmarc=fail header.from=a.example"
ASKS_TO_CONFIRM = "got an email in your name"
REPORTS = "An email for your side of this game came from an address that isn't yours. I didn't act on it"


def count_orders(table: Table) -> int:
    with table.server.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(OrderRow)).scalar_one()


def by_message_id(table: Table, player: str, text: str, headers: str = "") -> bytes:
    """An email to the umpire's public address in reply to the newest email of a seat."""
    newest = table.last_email(player)
    raw = table.reply_email(player, text, headers=headers)
    return raw.replace(newest["Reply-To"].encode(), b"umpire@play.example")


def deliver(table: Table, raw: bytes) -> None:
    table.deliver(raw)
    table.run_workers()


# ---------------------------------------------------------------- called forged by our own server


@pytest.mark.parametrize("text", ["e2e4", "resign resign", "draw?", "show"])
def test_an_email_that_our_mail_server_calls_forged_does_nothing(table: Table, text: str) -> None:
    table.begin()
    emails = len(table.emails_to(BEN))

    table.reply(ANN, text, headers=FORGED)

    assert count_orders(table) == 0
    assert ASKS_TO_CONFIRM in table.last_text(ANN)
    assert f"| {text}" in table.last_text(ANN)
    assert "wasn't really sent from the address it shows" in table.last_text(ANN)
    assert len(table.emails_to(BEN)) == emails


def test_no_header_of_the_email_hides_our_mail_servers_verdict(table: Table) -> None:
    table.begin()

    table.reply(ANN, "e2e4", headers=f"{FORGED}\r\n{FOREIGN} (" + "\r\n ".join(["x" * 900] * 10) + ")")

    assert count_orders(table) == 0
    assert ASKS_TO_CONFIRM in table.last_text(ANN)


@pytest.mark.parametrize("headers", ["", VOUCHED, FOREIGN])
def test_an_email_without_a_bad_verdict_of_our_server_acts(table: Table, headers: str) -> None:
    table.begin()

    table.reply(ANN, "e2e4", headers=headers)

    assert "Your move has been made." in table.last_text(ANN)


def test_a_confirmed_email_acts(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4", headers=FORGED)
    table.clock.advance(days=2)

    table.reply(ANN, "confirm", headers=FORGED)

    assert "Your move has been made." in table.last_text(ANN)
    assert "Your turn: reply by" in table.last_text(BEN)
    assert count_orders(table) == 1


def test_a_confirmed_email_counts_from_its_arrival(table: Table) -> None:
    table.begin()
    table.clock.advance(days=2, hours=23)
    table.reply(ANN, "e2e4", headers=FORGED)
    table.clock.advance(hours=1, seconds=30)

    table.reply(ANN, "confirm")

    assert "Your move has been made." in table.last_text(ANN)


#: An email with a move for each kind of doubt.
IN_DOUBT = {
    "forged": lambda table: table.reply_email(ANN, "e2e4", headers=FORGED),
    "from elsewhere": lambda table: table.reply_email(ANN, "e2e4", sender=ELSEWHERE),
    "by Message-ID": lambda table: by_message_id(table, ANN, "e2e4\ndraw?"),
}


def begin_with_clock(table: Table, clock: str) -> None:
    """A game with this clock in which both have already made two moves."""
    table.challenge(clock=clock)
    for player in (ANN, BEN):
        table.reply(player, "accept")
    table.play("a2a3", "a7a6", "b2b3", "b7b6")


@pytest.mark.parametrize("why", IN_DOUBT)
@pytest.mark.parametrize(
    ("clock", "days", "left"),
    [("5d+1h", 4, "1 d 3 h"), ("5d+1h", 0.5, "4 d 15 h"), ("1d+bank3d", 3, "1 d 0 h")],
)
def test_the_time_bank_runs_until_an_email_is_confirmed(
    table: Table, why: str, clock: str, days: float, left: str
) -> None:
    begin_with_clock(table, clock)
    deliver(table, IN_DOUBT[why](table))
    assert "Your time bank runs until you confirm." in table.last_text(ANN)
    table.clock.advance(days=days)

    table.reply(ANN, "confirm")

    assert f"Time banks: White {left}, Black" in table.last_text(BEN)
    assert count_orders(table) >= 5


def test_an_email_in_time_counts_even_if_the_bank_runs_out_before_it_is_confirmed(table: Table) -> None:
    begin_with_clock(table, "5d+1h")
    table.clock.advance(days=5)
    deliver(table, table.reply_email(ANN, "e2e4", sender=ELSEWHERE))
    table.clock.advance(hours=2, minutes=30)

    table.reply(ANN, "confirm")

    assert "Time banks: White 1 h 0 min, Black 5 d 2 h" in table.last_text(BEN)


def test_without_a_time_bank_none_is_mentioned(table: Table) -> None:
    table.begin()

    table.reply(ANN, "e2e4", headers=FORGED)

    assert "that email counts from the time it arrived" in table.last_text(ANN)
    assert "Your time bank" not in table.last_text(ANN)


def test_an_email_is_confirmed_once(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4", headers=FORGED)
    asking = table.last_email(ANN)
    table.reply(ANN, "confirm", to=asking)
    table.reply(BEN, "e7e5")

    table.reply(ANN, "confirm", to=asking)

    assert "There is nothing to confirm" in table.last_text(ANN)
    assert count_orders(table) == 2


def test_confirm_works_only_in_reply_to_the_question(table: Table) -> None:
    table.begin()
    before = table.last_email(ANN)
    table.reply(ANN, "resign resign", headers=FORGED)
    asking = table.last_email(ANN)

    table.reply(ANN, "confirm", to=before)
    assert "There is nothing to confirm" in table.last_text(ANN)
    deliver(table, table.reply_email(ANN, "confirm", to=asking, sender=EVE))
    raw = table.reply_email(ANN, "confirm", to=asking)
    deliver(table, raw.replace(asking["Reply-To"].encode(), b"umpire@play.example"))

    assert count_orders(table) == 0


@BOTH_KINDS_OF_DOUBT
def test_a_confirmed_email_does_nothing_once_its_turn_is_over(table: Table, doubtful: dict[str, Any]) -> None:
    table.begin()
    first = table.last_email(ANN)
    table.reply(ANN, "d2d4", **doubtful)
    asking = table.last_email(ANN)
    table.reply(ANN, "e2e4", to=first)
    table.reply(BEN, "e7e5")

    table.reply(ANN, "confirm", to=asking)

    assert "a move has been made since, so I did nothing" in table.last_text(ANN)
    assert count_orders(table) == 2


@BOTH_KINDS_OF_DOUBT
def test_after_seven_days_there_is_nothing_to_confirm(table: Table, doubtful: dict[str, Any]) -> None:
    table.challenge(clock="30d")
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    table.reply(ANN, "resign resign", **doubtful)
    asking = table.last_email(ANN)
    table.clock.advance(days=7)

    table.reply(ANN, "confirm", to=asking)

    assert "There is nothing to confirm" in table.last_text(ANN)
    assert count_orders(table) == 0


def test_we_ask_about_three_emails_a_day_and_report_the_others_once(table: Table) -> None:
    table.begin()
    before = len(table.emails_to(ANN))
    newest = table.last_email(ANN)

    for move in ("e2e4", "d2d4", "c2c4", "b2b4", "a2a4", "f2f4"):
        deliver(table, table.reply_email(ANN, move, to=newest, headers=FORGED))

    assert ["the one word" in unwrap(text_of(each)) for each in table.emails_to(ANN)[before:]] == [
        True,
        True,
        True,
        False,
    ]
    assert "we've already asked you often enough today" in table.last_text(ANN)
    table.reply(ANN, "confirm", to=table.emails_to(ANN)[before + 1])
    assert "| d2d4 Your move has been made." in table.last_text(ANN).replace("\n", " ")
    table.reply(ANN, "confirm", to=table.emails_to(ANN)[before])
    assert "Your move for this turn had already been played" in table.last_text(ANN)
    assert count_orders(table) == 1


def test_emails_in_a_players_name_block_their_own_for_a_day_at_most(
    table: Table,
) -> None:
    table.begin()
    newest = table.last_email(ANN)
    for move in ("a2a3", "b2b3", "c2c3", "d2d3", "e2e3"):
        deliver(table, table.reply_email(ANN, move, to=newest, headers=FORGED))
    table.clock.advance(days=1)

    deliver(table, table.reply_email(ANN, "e2e4", to=newest, headers=FORGED))
    assert "| e2e4" in table.last_text(ANN)
    table.reply(ANN, "confirm", headers=FORGED)

    assert "Your move has been made." in table.last_text(ANN)


def test_the_question_quotes_four_kilobytes_at_most(table: Table, monkeypatch) -> None:
    table.begin()
    newest = table.last_email(ANN)
    text = "\n".join(["note " + "x y " * 230 + str(number) for number in range(24)] + ["resign resign"])

    deliver(table, table.reply_email(ANN, text, to=newest, headers=FORGED))
    with monkeypatch.context() as broken:
        break_part(broken, compose, "render")
        deliver(table, table.reply_email(ANN, text + "\nshow", to=newest, headers=FORGED))

    for email in table.emails_to(ANN)[-2:]:
        lines = [line for line in text_of(email).splitlines() if line.startswith("| ")]
        assert len("\n".join(lines).encode()) <= 4_096
        assert lines[-1] == "| \u2026"


def test_a_forged_email_without_orders_is_not_asked_about(table: Table) -> None:
    table.begin()

    table.reply(ANN, "Thank you for your letter.", headers=FORGED)

    assert "but it had none" in table.last_text(ANN)


def test_the_question_may_be_answered_with_orders(table: Table) -> None:
    table.begin()
    table.reply(ANN, "resign resign", headers=FORGED)

    table.reply(ANN, "e2e4")

    assert "Your move has been made." in table.last_text(ANN)


def test_no_line_of_the_question_reads_as_an_order(table: Table) -> None:
    table.begin()

    table.reply(ANN, "resign resign", headers=FORGED)

    lines = table.last_text(ANN).splitlines()
    assert "order" not in {kind_of(line) for line in lines}


# ---------------------------------------------------------------- known by a Message-ID alone


@pytest.mark.parametrize("text", ["e2e4", "resign resign", "resign", "draw?", "help\ne2e4", "note his queen"])
def test_an_email_by_message_id_alone_does_nothing_in_a_game(table: Table, text: str) -> None:
    table.begin()

    deliver(table, by_message_id(table, ANN, text))

    assert count_orders(table) == 0
    assert "It wasn't sent to your reply address for this game." in table.last_text(ANN)


@pytest.mark.parametrize("text", ["accept", "decline"])
def test_an_email_by_message_id_alone_starts_no_game(table: Table, text: str) -> None:
    table.challenge()
    table.reply(BEN, "accept")

    deliver(table, by_message_id(table, ANN, text))

    assert ASKS_TO_CONFIRM in table.last_text(ANN)
    assert "The game has started" not in table.last_text(BEN)


def test_an_email_by_message_id_alone_deploys_nothing(table: Table) -> None:
    table.begin("assassin")
    table.reply(BEN, "deploy home")

    deliver(table, by_message_id(table, ANN, "deploy corner\ndeploy home"))

    assert ASKS_TO_CONFIRM in table.last_text(ANN)
    assert count_orders(table) == 1
    table.reply(ANN, "confirm")
    assert "White's move" in table.last_text(ANN)


def test_an_email_by_message_id_alone_starts_no_rematch(table: Table) -> None:
    table.begin()
    table.reply(ANN, "resign resign")
    table.reply(BEN, "again")

    deliver(table, by_message_id(table, ANN, "again"))

    assert ASKS_TO_CONFIRM in table.last_text(ANN)


def test_an_email_by_message_id_acts_once_confirmed(table: Table) -> None:
    table.begin()
    deliver(table, by_message_id(table, ANN, "resign resign"))

    table.reply(ANN, "confirm")

    assert "The game is over" in table.last_text(ANN)
    assert "The game is over" in table.last_text(BEN)


def test_a_forged_email_by_message_id_does_nothing(table: Table) -> None:
    table.begin()

    deliver(table, by_message_id(table, ANN, "e2e4", FORGED))

    assert count_orders(table) == 0
    assert ASKS_TO_CONFIRM in table.last_text(ANN)


# ---------------------------------------------------------------- from another address than the player's


@pytest.mark.parametrize("sender", [ELSEWHERE, EVE, BEN, f"{ANN}, {BEN}", " "])
@pytest.mark.parametrize("text", ["e2e4", "resign resign", "help\ne2e4", "note for myself"])
def test_an_email_from_elsewhere_waits_and_only_its_player_is_asked(
    table: Table, sender: str, text: str
) -> None:
    table.begin()
    before = len(table.all_emails())

    table.reply(ANN, text, sender=sender)

    assert count_orders(table) == 0
    assert ASKS_TO_CONFIRM in table.last_text(ANN)
    assert "It came from an address that isn't yours" in table.last_text(ANN)
    assert "\n".join(f"| {line}" for line in text.split("\n")) in table.last_text(ANN)
    assert [email["To"] for email in table.all_emails()[before:]] == [ANN]


@pytest.mark.parametrize(
    "text", ["help", "show", "help\nrules", "confirm", "Hello, Ann!", "e2e4 looks good", ""]
)
def test_an_email_from_elsewhere_without_orders_is_only_reported(table: Table, text: str) -> None:
    table.begin()

    table.reply(ANN, text, sender=EVE)

    assert REPORTS in table.last_text(ANN)
    assert f"| {EVE}" in table.last_text(ANN)


def test_an_email_from_elsewhere_to_two_seats_or_too_long_is_only_reported(table: Table) -> None:
    table.begin()
    white, black = table.last_email(ANN), table.last_email(BEN)
    raw = table.reply_email(ANN, "e2e4", sender=EVE)

    table.deliver(raw, white["Reply-To"], black["Reply-To"])
    table.run_workers()
    assert REPORTS in table.last_text(ANN)
    assert REPORTS in table.last_text(BEN)
    table.clock.advance(days=1)
    deliver(table, table.reply_email(ANN, "e2e4\n" + "\n" * 6_000, sender=EVE, to=white))

    assert REPORTS in table.last_text(ANN)
    assert len([each for each in table.emails_to(ANN) if REPORTS in unwrap(text_of(each))]) == 2


def test_an_email_from_elsewhere_is_confirmed_once_and_only_from_the_players_own_address(
    table: Table,
) -> None:
    table.begin()
    first = table.last_email(ANN)
    table.reply(ANN, "e2e4", sender=ELSEWHERE)
    asking = table.last_email(ANN)
    emails = len(table.emails_to(ANN))

    deliver(table, table.reply_email(ANN, "confirm", to=asking, sender=ELSEWHERE))
    deliver(table, table.reply_email(ANN, "confirm", to=first))
    assert "There is nothing to confirm" in table.last_text(ANN)
    assert len(table.emails_to(ANN)) == emails + 1
    assert count_orders(table) == 0
    table.reply(ANN, "confirm", to=asking)
    assert "| e2e4\nYour move has been made." in table.last_text(ANN)
    table.reply(ANN, "confirm", to=asking)
    assert "There is nothing to confirm" in table.last_text(ANN)
    assert count_orders(table) == 1


@pytest.mark.parametrize(("first", "then"), [("e2e4", "d2d4"), ("e2e4", "Hello!"), ("Hello!", "e2e4")])
def test_emails_from_elsewhere_are_reported_once_a_day(table: Table, first: str, then: str) -> None:
    table.begin()
    before, answered = len(table.emails_to(ANN)), table.last_email(ANN)
    deliver(table, table.reply_email(ANN, first, to=answered, sender=EVE))
    table.clock.advance(hours=23)
    for sender in (EVE, BEN, ELSEWHERE):
        deliver(table, table.reply_email(ANN, then, to=answered, sender=sender))

    assert len(table.emails_to(ANN)) == before + 1
    assert "We tell you about such emails at most once a day." in table.last_text(ANN)
    table.clock.advance(hours=1)
    deliver(table, table.reply_email(ANN, "c2c4", to=answered, sender=EVE))
    assert len(table.emails_to(ANN)) == before + 2
    assert "| c2c4" in table.last_text(ANN)


def test_forged_emails_and_those_from_elsewhere_have_separate_limits(table: Table) -> None:
    table.begin()
    answered = table.last_email(ANN)
    before = len(table.emails_to(ANN))
    deliver(table, table.reply_email(ANN, "a2a3", to=answered, sender=EVE))
    for move in ("b2b3", "c2c3", "d2d3", "e2e3"):
        deliver(table, table.reply_email(ANN, move, to=answered, headers=FORGED))
    table.clock.advance(days=1)
    for move in ("b2b4", "c2c4", "d2d4", "e2e4"):
        deliver(table, table.reply_email(ANN, move, to=answered, headers=FORGED))
    deliver(table, table.reply_email(ANN, "a2a4", to=answered, sender=EVE))

    asked = [
        unwrap(text_of(each)).partition("| ")[2][:4] if "the one word" in unwrap(text_of(each)) else "report"
        for each in table.emails_to(ANN)[before:]
    ]
    assert asked == ["a2a3", "b2b3", "c2c3", "d2d3", "report", "b2b4", "c2c4", "d2d4", "report", "a2a4"]


def test_an_email_that_waits_for_confirmation_stops_no_flag(table: Table) -> None:
    table.begin_with_moves()
    table.reply(ANN, "e2e4", sender=ELSEWHERE)
    asking = table.last_email(ANN)
    table.clock.advance(days=3, minutes=3)

    table.sweep()

    assert "White is out of time." in table.last_text(BEN)
    table.reply(ANN, "confirm", to=asking)
    assert count_orders(table) == 4


#: What happens at Ann's seat on each of the twin servers before she sends the same move on both.
PRIVATE_EVENTS = {
    "an email waits": ((lambda twin: twin.table.reply(ANN, "d2d4\ndraw?", sender=EVE)), lambda _: None),
    "an email has no orders": ((lambda twin: twin.table.reply(ANN, "help", sender=EVE)), lambda _: None),
    "many emails": (
        lambda twin: [
            deliver(twin.table, twin.table.reply_email(ANN, "resign resign", sender=EVE)) for _ in "many"
        ],
        lambda twin: twin.table.reply(ANN, "show"),
    ),
}


def parted_before_a_move(table: Table, folder: Path, clock: str = "3d") -> Twins:
    begin_with_clock(table, clock)
    ben = Browser(table.app())
    ben.sign_in(table, BEN)
    return make_twins(table, folder / "twins", ben)


def seen_by_ben(twin: Twin) -> list[bytes]:
    """Each email that Ben got, and his pages."""
    code = twin.table.last_email(BEN)["Subject"].rpartition("(")[2].strip(")")
    return [
        *twin.emails_to(BEN),
        twin.answer("/games/"),
        twin.answer(f"/games/{code}"),
    ]


@pytest.mark.parametrize("case", PRIVATE_EVENTS)
def test_the_opponent_cannot_tell_what_waits_for_confirmation(
    table: Table, tmp_path: Path, case: str
) -> None:
    twins = parted_before_a_move(table, tmp_path)
    first = table.last_email(ANN)
    for twin, happens in zip((twins.one, twins.other), PRIVATE_EVENTS[case], strict=True):
        happens(twin)
    assert seen_by_ben(twins.one) == seen_by_ben(twins.other)

    for twin in (twins.one, twins.other):
        twin.table.reply(ANN, "e2e4", to=first)

    assert "Your turn: reply by" in twins.one.table.last_text(BEN)
    assert seen_by_ben(twins.one) == seen_by_ben(twins.other)
    twins.close()


@pytest.mark.parametrize("clock", ["3d", "5d+1h", "none"])
def test_the_opponent_cannot_tell_that_a_move_was_confirmed(table: Table, tmp_path: Path, clock: str) -> None:
    twins = parted_before_a_move(table, tmp_path, clock)
    first = table.last_email(ANN)
    twins.one.table.reply(ANN, "e2e4", sender=ELSEWHERE)
    for twin in (twins.one, twins.other):
        twin.table.clock.advance(days=1)

    twins.one.table.reply(ANN, "confirm")
    twins.other.table.reply(ANN, "e2e4", to=first)

    assert "Your turn" in twins.one.table.last_text(BEN)
    assert seen_by_ben(twins.one) == seen_by_ben(twins.other)
    twins.close()


def test_the_opponent_cannot_tell_that_an_email_waited_when_time_ran_out(
    table: Table, tmp_path: Path
) -> None:
    twins = parted_before_a_move(table, tmp_path)
    twins.one.table.reply(ANN, "e2e4", sender=ELSEWHERE)

    for hours in (48, 23, 0.9, 0.2):
        for twin in (twins.one, twins.other):
            twin.table.clock.advance(hours=hours)
            twin.table.sweep()
        assert seen_by_ben(twins.one) == seen_by_ben(twins.other)

    assert "White is out of time." in twins.one.table.last_text(BEN)
    twins.close()
