"""The `corr` command: every error is a sentence that an operator can act on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corr.service.admin import statistics
from corr.service.games import finished, outages
from tests.support.command_line import corr
from tests.support.table import ANN, BEN, DOMAIN, Table

EMAILS = Path(__file__).parents[1] / "letters"


@pytest.fixture
def environ(table: Table, tmp_path: Path) -> dict[str, str]:
    """The settings of the table's server."""
    return {
        "CORR_DATABASE_URL": (tmp_path / "database").read_text(),
        "CORR_MAIL_DOMAIN": DOMAIN,
        "CORR_SMTP_URL": f"spool:{tmp_path / 'spool'}",
    }


@pytest.mark.parametrize("key", ["CORR_DATABASE_URL", "CORR_MAIL_DOMAIN"])
def test_a_missing_setting_is_named(environ: dict[str, str], key: str) -> None:
    del environ[key]

    result = corr("challenge", "ann@a.example", "ben@b.example", "wild16", env=environ)

    assert result.exit_code == 1
    assert f"{key} isn't set. Set it in the environment, for example {key}=" in result.output


def test_a_listener_without_a_broker_names_the_key(environ: dict[str, str]) -> None:
    result = corr("listen", env=environ)

    assert result.exit_code == 1
    assert "CORR_REDIS_URL isn't set" in result.output


def test_a_database_without_tables_names_the_command_that_makes_them(tmp_path: Path) -> None:
    env = {"CORR_DATABASE_URL": f"sqlite:///{tmp_path / 'new.sqlite'}", "CORR_MAIL_DOMAIN": DOMAIN}

    assert "Run: corr db upgrade" in corr("challenge", ANN, ANN, "wild16", env=env).output
    assert corr("db", "upgrade", env=env).exit_code == 0
    assert "Proposed game" in corr("challenge", ANN, ANN, "wild16", env=env).output


def test_a_database_that_cannot_be_opened_is_reported_in_a_sentence(environ: dict[str, str]) -> None:
    environ["CORR_DATABASE_URL"] = "sqlite:////nowhere/at/all.sqlite"

    result = corr("challenge", ANN, ANN, "wild16", env=environ)

    assert "The database doesn't answer: unable to open database file" in result.output


def test_a_challenge_from_the_command_line_sends_two_emails(environ: dict[str, str], table: Table) -> None:
    result = corr("challenge", f"Ann <{ANN}>", "ben@b.example", "wild16", "--clock", "5d", env=environ)
    table.clock.advance(days=36_500)
    table.send_emails()

    assert result.exit_code == 0
    assert "Hello Ann!" in table.last_text(ANN)
    assert "with 5 days for each move" in table.last_text(ANN)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nobody", ANN, "wild16"), '"nobody" isn\'t an email address'),
        ((ANN, "a@b\nBcc: c@d", "wild16"), "isn't an email address"),
        ((ANN, ANN, "chess960"), 'There is no variant called "chess960"'),
        ((ANN, ANN, "wild16", "--clock", "0d"), '"0d" isn\'t a clock'),
    ],
)
def test_an_impossible_challenge_is_refused_with_the_reason(
    environ: dict[str, str], arguments: tuple[str, ...], sentence: str
) -> None:
    result = corr("challenge", *arguments, env=environ)

    assert result.exit_code == 1
    assert sentence in result.output


def test_hours_shows_outages_and_what_a_sweep_would_do(environ: dict[str, str], table: Table) -> None:
    table.begin()
    assert corr("hours", env=environ).output == "Time-outs count as usual.\n"
    statistics.record_run(table.server, outages.SWEEP_SIGN, table.clock())
    table.clock.advance(days=36_500)
    table.sweep()

    outage = "The server was down from Fri 20 Nov 2026, 12:00 UTC to Sun 27 Oct 2126, 12:00 UTC."
    until = (
        "No player can lose on time before Sun 27 Oct 2126, 13:00 UTC."
        " If the clock is right, run: corr hours --trust"
    )
    assert corr("hours", env=environ).output.splitlines() == [until, outage]
    due = corr("hours", "--at", "2126-10-29 12:00", "--dry-run", env=environ).output
    assert due.endswith("  sends a reminder\n")
    assert corr("hours", "--at", "2126-10-27", "--dry-run", env=environ).output.startswith(
        "Nothing is due at "
    )


def test_an_operator_can_confirm_that_the_clock_is_right(environ: dict[str, str], table: Table) -> None:
    table.clock.advance(days=-36_500)
    statistics.record_run(table.server, outages.SWEEP_SIGN, table.clock())
    table.clock.advance(hours=10)
    table.sweep()

    lines = corr("hours", "--trust", env=environ).output.splitlines()
    assert lines == [
        "Time-outs count as usual.",
        "The server was down from Wed 15 Dec 1926, 12:00 UTC to Wed 15 Dec 1926, 22:00 UTC.",
    ]
    with table.server.store.reading() as connection:
        (outage,) = outages.list_outages(connection, 2)
    assert outage.flags_from == outage.ended_at


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--at", "yesterday", "--dry-run"), '"yesterday" isn\'t a time. Write it like "2026-12-24 18:00".'),
        (("--at", "2026-12-24 18:00"), "Please use --at and --dry-run together."),
        (("--dry-run",), "Please use --at and --dry-run together."),
    ],
)
def test_bad_options_of_hours_are_explained(
    environ: dict[str, str], arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in corr("hours", *arguments, env=environ).output


def test_a_seat_gets_new_addresses_from_the_command_line(environ: dict[str, str], table: Table) -> None:
    code = table.challenge()
    old = table.last_email(ANN)["Reply-To"]

    result = corr("seat", "rekey", code, "white", env=environ)
    table.clock.advance(days=36_500)
    table.send_emails()

    assert result.output == f"white in game {code} has a new address. The old ones no longer work.\n"
    assert "An admin has given you a new reply address for this game" in table.last_text(ANN)
    assert table.last_email(ANN)["Reply-To"] != old
    assert "There is no game" in corr("seat", "rekey", "zzzzz", "white", env=environ).output


def test_the_umpire_command_answers_line_by_line() -> None:
    result = corr("umpire", "wild16", "--reveal", stdin="e2e4\ne7e4\n")

    answers = [json.loads(line) for line in result.output.splitlines()]
    assert [answer["verdict"] for answer in answers] == ["told", "moved", "refused"]
    assert answers[2]["white"] is None
    assert answers[2]["fen"] == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def test_an_unknown_umpire_is_refused_with_the_known_ones() -> None:
    result = corr("umpire", "chess")

    assert result.exit_code == 1
    assert "wild16" in result.output


def test_an_email_file_is_read_as_json() -> None:
    result = corr("letter", "read", str(EMAILS / "chatty.eml"))

    report = json.loads(result.output)
    assert report["orders"] == ["e2e4"]
    assert report["ignored"][0] == "Thanks, nice one!"
    assert set(report) == {"automatic", "message_id", "from", "to", "orders", "puzzled", "ignored"}


def test_deliver_accepts_an_email_by_envelope_or_by_headers(environ: dict[str, str], table: Table) -> None:
    table.begin()
    address = table.last_email(ANN)["Reply-To"]

    assert corr("deliver", "--to", address, env=environ, stdin=table.reply_email(ANN, "show")).exit_code == 0
    assert corr("deliver", env=environ, stdin=table.reply_email(ANN, "note it came")).exit_code == 0
    table.run_workers()

    assert "Noted. Only you" in table.last_text(ANN)


def test_delivers_exit_codes_tell_the_mail_server_what_to_do(environ: dict[str, str]) -> None:
    unknown = corr("deliver", "--to", f"nobody@{DOMAIN}", env=environ, stdin="e2e4\r\n")
    environ["CORR_DATABASE_URL"] = "sqlite:////nowhere/at/all.sqlite"
    unavailable = corr("deliver", "--to", f"nobody@{DOMAIN}", env=environ, stdin="e2e4\r\n")

    assert unknown.exit_code == 67
    assert "There is no such address here" in unknown.output
    assert unavailable.exit_code == 75
    assert "Please try again later" in unavailable.output


def test_only_a_finished_game_is_printed_as_pgn(environ: dict[str, str], table: Table) -> None:
    code = table.challenge(f"Zoë <{ANN}>")
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")

    running = corr("pgn", code, env=environ)
    table.reply(ANN, "resign resign")
    over = corr("pgn", code, env=environ)

    assert (running.exit_code, running.stdout) == (1, "")
    assert f"Game {code} isn't over" in running.output
    assert over.exit_code == 0
    assert over.stdout_bytes.decode() == finished.pgn(table.server, code)
    assert '[White "Zoë"]' in over.stdout_bytes.decode()
    assert "There is no game" in corr("pgn", "nosuch", env=environ).output


def test_players_are_added_listed_exported_and_deleted(environ: dict[str, str]) -> None:
    assert corr("player", "add", "Ann", ANN, env=environ).output == f"Email from {ANN} now counts as Ann's.\n"
    assert corr("player", "add", "ann", "ann@work.example", env=environ).exit_code == 0
    assert corr("player", "list", env=environ).output == f"Ann: {ANN}, ann@work.example, 0 games\n"
    assert json.loads(corr("player", "export", "Ann", env=environ).output)["addresses"] == [
        ANN,
        "ann@work.example",
    ]
    lost = corr("player", "lost-passkeys", "Ann", env=environ)
    assert lost.output == "Removed Ann's passkeys: 0.\n"
    assert corr("player", "forget", "Ann", "--yes", env=environ).output == "Deleted Ann.\n"
    assert corr("player", "list", env=environ).output == "Somebody: no address, 0 games\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("add", "resign", ANN), "This name would look like a command in an email"),
        (("add", "Ann", "nobody"), "That isn't an email address"),
        (("add", "Ann", f"ann@{DOMAIN}"), "That is one of the umpire's own addresses."),
        (("export", "Zoe"), "There is no player called Zoe."),
        (("forget", "Zoe", "--yes"), "There is no player called Zoe."),
    ],
)
def test_player_errors_are_sentences(
    environ: dict[str, str], arguments: tuple[str, ...], sentence: str
) -> None:
    result = corr("player", *arguments, env=environ)

    assert result.exit_code == 1
    assert sentence in result.output
