"""A record proves its times: false deadlines, flags and time banks are found even if correctly sealed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest
from sqlalchemy import text

from corr.proof.proof import Proof, prove
from corr.proof.verify import Time
from corr.service import worker_rounds
from corr.service.admin import game_decisions, statistics
from corr.service.games import game_records, moderation, outages, rescheduling
from corr.service.games.moderation import DecreeKind, DecreeRequest
from corr.words.board import Side
from tests.support.random_records import reseal_with_lie
from tests.support.table import ANN, BEN, Table, text_of


def give_days(table: Table, days: int) -> None:
    """Let an operator extend the deadline."""
    wish = DecreeRequest(DecreeKind.EXTEND, str(days), "The mail server was away.")
    moderation.decree(table.server, "olga@o.example", 1, "1", wish, table.clock())
    game_decisions.enforce_some(table.server, table.clock())
    table.run_workers()


def pause(table: Table, days: int) -> None:
    """Let both agree to a pause, and White end it."""
    table.reply(ANN, "pause?")
    table.reply(BEN, "accept")
    table.clock.advance(days=days)
    table.reply(ANN, "resume")


def server_outage(table: Table, hours: int) -> None:
    """Let the server be down for some hours."""
    statistics.record_run(table.server, outages.SWEEP_SIGN, table.clock())
    table.clock.advance(hours=hours)
    table.sweep()
    statistics.record_run(table.server, outages.SWEEP_SIGN, table.clock())
    table.run_workers()


def play_until_time_runs_out(table: Table) -> None:
    """Play a game with a time bank and every kind of extension, which White loses on time."""
    table.challenge(clock="5d+1d")
    for player in (ANN, BEN):
        table.reply(player, "accept")
    for move in ("e2e4", "e7e5"):
        table.clock.advance(hours=30)
        table.play(move) if move == "e2e4" else table.reply(BEN, move)
    pause(table, days=3)
    table.reply(ANN, "d2d4")
    give_days(table, 2)
    table.reply(BEN, "d7d6")
    server_outage(table, hours=10)
    table.reply(ANN, "a2a3")
    table.reply(BEN, "a7a6")
    run_out(table)


def run_out(table: Table) -> None:
    """Let time run out, and sweep."""
    with table.server.store.asking() as connection:
        deadline = connection.execute(text("SELECT deadline FROM games")).scalar_one()
    left = timedelta(microseconds=deadline) - (
        table.clock() - datetime.fromtimestamp(0, table.clock().tzinfo)
    )
    table.clock.advance(seconds=left.total_seconds() + 3_600)
    statistics.record_run(table.server, outages.SWEEP_SIGN, table.clock())
    table.sweep()


def record(table: Table, side: Side | None = Side.WHITE) -> list[bytes]:
    with table.server.store.reading() as connection:
        return [f"{line}\n".encode() for line in game_records.write_lines(connection, 1, side)]


def emails_to(table: Table, player: str = ANN) -> Iterator[bytes]:
    """All emails to a player as an mbox file."""
    for email in table.emails_to(player):
        yield b"From umpire Fri Nov 20 12:00:00 2026\n"
        yield from email.as_bytes().splitlines(keepends=True)


def proof(table: Table, side: Side = Side.WHITE) -> Proof:
    """Check the record that the server gives to a player, with all their emails."""
    return prove(record(table, side), [emails_to(table, ANN if side is Side.WHITE else BEN)])


@pytest.fixture
def played(table: Table) -> list[bytes]:
    """White's record of a game lost on time."""
    play_until_time_runs_out(table)
    return record(table)


def test_a_game_with_every_kind_of_extension_is_valid_for_both(table: Table) -> None:
    play_until_time_runs_out(table)

    reasons = {why for line in record(table)[1:] for why, *_ in json.loads(line)["line"]["time"]["steps"]}
    assert reasons >= {"pause", "operator", "outage"}
    assert [proof(table, side).holds for side in Side] == [True, True]


def test_free_weekends_extend_a_deadline_without_revealing_their_dates(
    table: Table,
) -> None:
    table.begin_with_moves()
    table.reply(ANN, "weekends off")
    table.sweep()
    rescheduling.reschedule_some(table.server, table.clock())
    run_out(table)

    line = json.loads(record(table)[-1])["line"]
    assert [why for why, *_ in line["time"]["steps"]] == ["hours"]
    assert line["deadline"] == "2026-11-25T12:00:00+00:00"
    assert [proof(table, side).holds for side in Side] == [True, True]


def test_a_delayed_start_of_the_clock_is_only_in_the_players_own_record(table: Table) -> None:
    table.begin()
    table.deliver(table.reply_email(ANN, "e2e4"))
    table.read_emails()
    for hours in (2, 94):
        table.clock.advance(hours=hours)
        worker_rounds.sweep(table.server, table.clock())
    server_outage(table, hours=24)
    table.reply(BEN, "e7e5")
    table.reply(ANN, "resign resign")

    own, others = (json.loads(record(table, side)[3]) for side in (Side.BLACK, Side.WHITE))
    assert own["line"]["turn"] == "1b"
    assert own["line"]["time"] is own["line"]["deadline"] is None
    assert own["black"]["part"]["time"]["deadline"]
    assert others["black"] is None
    assert "time" not in others["white"]["part"]
    assert [proof(table, side).holds for side in Side] == [True, True]


def test_a_late_move_is_valid_if_nobody_claimed_the_game(table: Table) -> None:
    table.challenge(clock="3d claim")
    for player in (ANN, BEN):
        table.reply(player, "accept")
    table.clock.advance(days=4)
    table.sweep()
    table.play("e2e4")
    table.reply(BEN, "resign resign")

    line = json.loads(record(table)[2])["line"]
    assert line["came"] > line["deadline"]
    assert [proof(table, side).holds for side in Side] == [True, True]


def test_a_game_that_black_lost_on_time_is_valid(table: Table) -> None:
    table.challenge(clock="5d+1d")
    for player in (ANN, BEN):
        table.reply(player, "accept")
    table.clock.advance(hours=60)
    table.play("e2e4")
    run_out(table)

    assert '"side":"black"' in record(table)[-1].decode()
    assert [proof(table, side).holds for side in Side] == [True, True]


def test_a_move_during_a_pause_is_valid_however_late(table: Table) -> None:
    table.begin_with_moves()
    table.reply(ANN, "pause?")
    table.reply(BEN, "accept")
    table.clock.advance(days=10)
    table.reply(ANN, "e2e4")
    table.reply(BEN, "resign resign")

    late = [each["line"] for each in map(json.loads, record(table)[1:]) if each["line"]["time"]]
    assert any(each["came"] and each["came"] > each["deadline"] for each in late)
    assert [proof(table, side).holds for side in Side] == [True, True]


def test_an_open_pause_goes_on_and_a_finished_wait_does_not() -> None:
    noon = datetime(2026, 11, 20, 12, tzinfo=UTC)
    steps = [("told", noon, noon), ("pause", noon, None)]
    time = Time(noon, timedelta(days=3), noon + timedelta(days=3), steps, is_late=False)

    assert (time.goes_on("pause"), time.goes_on("told")) == (True, False)


@pytest.mark.parametrize(("reasons", "days"), [(["outage"], 4), (["hours", "outage"], 3)])
def test_an_outage_before_the_turn_counts_unless_it_was_on_a_free_weekend(
    reasons: list[str], days: int
) -> None:
    monday, day = datetime(2026, 12, 21, 8, tzinfo=UTC), timedelta(days=1)
    steps = [(why, monday - 2 * day, monday - day) for why in reasons]
    time = Time(monday, 3 * day, monday + 3 * day, steps, is_late=False)

    assert time.earliest == monday + days * day


def test_a_deadline_written_by_a_player_is_ignored(table: Table) -> None:
    table.begin()
    table.reply(ANN, "note Your turn: reply by Sun 29 Nov 2026, 12:00 UTC.\ne2e4")
    table.reply(BEN, "resign resign")

    assert "29 Nov" in "".join(map(text_of, table.emails_to(ANN)))
    assert [proof(table, side).holds for side in Side] == [True, True]


# ---------------------------------------------------------------- lies


def shift(line: dict[str, Any], key: str, **span: float) -> None:
    """Move a time of a line."""
    line[key] = (datetime.fromisoformat(line[key]) + timedelta(**span)).isoformat()


def lengthened(step: list[Any], **span: float) -> list[Any]:
    return [*step[:2], (datetime.fromisoformat(step[2]) + timedelta(**span)).isoformat()]


def flag_too_early(turns: dict[str, Any]) -> None:
    shift(turns["end"]["line"], "deadline", days=-4)
    shift(turns["end"]["line"], "at", days=-4)


def flag_before_the_deadline(turns: dict[str, Any]) -> None:
    shift(turns["end"]["line"], "at", days=-2)


def turn_began_earlier(turns: dict[str, Any]) -> None:
    line = turns["end"]["line"]
    shift(line["time"], "began", days=-4)
    shift(line, "deadline", days=-4)


def shorter_clock(turns: dict[str, Any]) -> None:
    line = turns["end"]["line"]
    line["time"]["allowed"] -= 4 * 86_400_000_000
    shift(line, "deadline", days=-4)


def longer_clock(turns: dict[str, Any]) -> None:
    line = turns["1w"]["line"]
    line["time"]["allowed"] += 86_400_000_000
    shift(line, "deadline", days=1)


def deadline_later_than_its_parts(turns: dict[str, Any]) -> None:
    shift(turns["1w"]["line"], "deadline", days=2)


def pause_not_counted(turns: dict[str, Any]) -> None:
    line = turns["2w"]["line"]
    line["time"]["steps"] = [each for each in line["time"]["steps"] if each[0] != "pause"]
    shift(line, "deadline", days=-3)


def days_never_given(turns: dict[str, Any]) -> None:
    line = turns["2b"]["line"]
    line["time"]["steps"] = [
        lengthened(each, days=3) if each[0] == "operator" else each for each in line["time"]["steps"]
    ]
    shift(line, "deadline", days=3)


def outage_not_counted(turns: dict[str, Any]) -> None:
    line = turns["3w"]["line"]
    line["time"]["steps"] = [each for each in line["time"]["steps"] if each[0] != "outage"]
    shift(line, "deadline", hours=-10)


def late_order(turns: dict[str, Any]) -> None:
    line = turns["1b"]["line"]
    line["came"] = line["deadline"]
    shift(line, "came", hours=1)


def smaller_bank(turns: dict[str, Any]) -> None:
    turns["1w"]["line"]["banks"][0] -= 86_400


def unexplained_deadline(turns: dict[str, Any]) -> None:
    turns["end"]["line"]["time"] = None


LIES: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "a flag that fell early": (
        flag_too_early,
        (
            "The deadline of the end of the game was Sun 29 Nov 2026, 04:00:00 UTC, "
            "but its parts add up to Thu 03 Dec 2026, 04:00:00 UTC."
        ),
    ),
    "a flag before the deadline": (
        flag_before_the_deadline,
        (
            "The game ended on time at Tue 01 Dec 2026, 05:00:00 UTC, "
            "but the deadline was Thu 03 Dec 2026, 04:00:00 UTC."
        ),
    ),
    "a turn that began earlier": (
        turn_began_earlier,
        "According to the record, the end of the game didn't begin when the turn before it ended.",
    ),
    "a shorter clock": (
        shorter_clock,
        'The end of the game allowed 2 days, 18:00:00, but by the clock "5d+1d/180h" it should be 6 days, 18:00:00.',
    ),
    "a longer clock": (
        longer_clock,
        'Turn 1w allowed 6 days, 0:00:00, but by the clock "5d+1d/180h" it should be 5 days, 0:00:00.',
    ),
    "a deadline that is later than its parts": (
        deadline_later_than_its_parts,
        (
            "The deadline of turn 1w was Fri 27 Nov 2026, 12:00:00 UTC, "
            "but its parts add up to Wed 25 Nov 2026, 12:00:00 UTC."
        ),
    ),
    "a pause that was not counted": (
        pause_not_counted,
        "The game was paused in turn 2w, but the deadline wasn't moved by exactly that.",
    ),
    "days that nobody granted": (
        days_never_given,
        "The days an admin gave in turn 2b aren't those added to the deadline.",
    ),
    "an outage that was not counted": (
        outage_not_counted,
        "The server was down in turn 3w, but that wasn't added to the deadline.",
    ),
    "an order that came late": (
        late_order,
        (
            "The order of turn 1b came at Thu 26 Nov 2026, 19:00:00 UTC,"
            " but the deadline was Thu 26 Nov 2026, 18:00:00 UTC."
        ),
    ),
    "a smaller bank": (
        smaller_bank,
        "After turn 1w White had a different time bank than the clock gives.",
    ),
    "a deadline without reasons": (
        unexplained_deadline,
        "The record doesn't explain the deadline of the end of the game.",
    ),
}


@pytest.mark.parametrize(("lie", "said"), list(LIES.values()), ids=list(LIES))
def test_a_lie_about_time_is_found_without_emails(
    played: list[bytes], lie: Callable[[dict[str, Any]], None], said: str
) -> None:
    assert prove(reseal_with_lie(played, lie)).sentence == said


class Tampering(NamedTuple):
    """What a dishonest owner does to the row of a running game."""

    statement: str
    said: str


_FOUR_DAYS = 4 * 86_400_000_000
TAMPERINGS = {
    "the deadline alone": Tampering(
        f"UPDATE games SET deadline = deadline - {_FOUR_DAYS}", "The deadline of the end of the game was "
    ),
    "the deadline and hours that did not count": Tampering(
        f"UPDATE games SET deadline = deadline - {_FOUR_DAYS},"
        " time_log = replace(time_log, ']', ',[\"hours\",1795000000000000,0]]')",
        "The deadline of the end of the game was ",
    ),
    "the deadline and the clock": Tampering(
        f"UPDATE games SET deadline = deadline - {_FOUR_DAYS}, clock = '1d',"
        f" time_log = replace(time_log, '{5 * 86_400_000_000}', '{86_400_000_000}')",
        "The seal of the beginning of the game doesn't match",
    ),
}


@pytest.mark.parametrize("tampering", list(TAMPERINGS.values()), ids=list(TAMPERINGS))
def test_a_deadline_moved_during_the_game_is_found(table: Table, tampering: Tampering) -> None:
    """White was given until Wednesday, and lost on Saturday."""
    table.challenge(clock="5d")
    for player in (ANN, BEN):
        table.reply(player, "accept")
    table.play("a2a3", "a7a6", "b2b3", "b7b6")
    assert "Your turn: reply by Wed 25 Nov 2026, 12:00 UTC" in table.last_text(ANN)
    with table.server.store.writing() as connection:
        assert connection.execute(text(tampering.statement)).rowcount == 1
    run_out(table)

    assert '"reason":"time"' in record(table)[-1].decode()
    assert proof(table).sentence.startswith(tampering.said)


def test_an_email_with_another_deadline_is_named(table: Table) -> None:
    play_until_time_runs_out(table)
    changed = [line.replace(b"Wed 25 Nov", b"Sun 29 Nov") for line in emails_to(table)]

    assert "the deadline of turn 1w isn't the record's" in prove(record(table), [changed]).sentence


def test_an_old_record_is_valid_and_says_that_it_proves_no_times(table: Table) -> None:
    """An earlier release sealed no times."""
    table.begin()
    table.play("e2e4", "e7e5")
    table.reply(ANN, "resign resign")
    with table.server.store.writing() as connection:
        for leaf in connection.execute(text("SELECT number, told FROM leaves")).all():
            told = json.dumps([each for each in json.loads(leaf.told) if not is_clock_data(each)])
            values = {"told": told, "number": leaf.number}
            connection.execute(text("UPDATE leaves SET told = :told WHERE number = :number"), values)
    old = reseal_with_lie(record(table), lambda turns: None)

    said = prove(old)
    assert said.holds
    assert "but it is of an older kind, which can't prove times" in said.sentence


def is_clock_data(value: object) -> bool:
    """Clock data is a list with lists in it; time banks are a list of numbers."""
    return isinstance(value, list) and any(not isinstance(each, int) for each in value)
