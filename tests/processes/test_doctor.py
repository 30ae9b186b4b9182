"""`corr doctor` names everything that is wrong, with a remedy."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from sqlalchemy import select

from corr.images import board_image
from corr.mail.outward import compose
from corr.mail.outward.transport import Delivery, DeliveryFate
from corr.mail.smtp_server import ListenAddress, Listener, SmtpProtocol
from corr.service.admin import statistics
from corr.service.mail import game_emails
from corr.service.mail.delivery import DeliveryMark
from corr.service.mail.entrance import EmailEntrance
from corr.service.server import wall_clock
from corr.store.tables import ComposeFaultRow
from tests.support.broken_parts import SECRET, break_part
from tests.support.command_line import corr
from tests.support.database_servers import HOST, PostgresServer, RedisServer, free_port
from tests.support.smarthost import LOGIN, REMOTE_NAME, smarthost, tls_context
from tests.support.table import ANN, BEN, DOMAIN, Table


@pytest.fixture
def environ(table: Table, tmp_path: Path) -> dict[str, str]:
    """The settings of a server of which nothing runs."""
    return {
        "CORR_DATABASE_URL": (tmp_path / "database").read_text(),
        "CORR_MAIL_DOMAIN": DOMAIN,
        "CORR_SMTP_URL": f"spool:{tmp_path / 'spool'}",
        "CORR_REDIS_URL": f"redis://{HOST}:1/0",
        "CORR_SMTP_LISTEN": f"{HOST}:{free_port()}",
        "CORR_WEB_LISTEN": f"{HOST}:{free_port()}",
    }


def findings(environ: dict[str, str]) -> dict[str, str]:
    """The doctor's findings and advice by subject."""
    said: dict[str, str] = {}
    what = ""
    for line in corr("doctor", env=environ).output.splitlines():
        if line.startswith(" "):
            said[what] += " " + line.strip()
        else:
            mark, what, rest = line.split(maxsplit=2)
            said[what] = f"{said[what]} {mark} {rest}" if what in said else f"{mark} {rest}"
    return said


def test_services_that_do_not_answer_are_named_with_a_remedy(environ: dict[str, str]) -> None:
    said = findings(environ)

    assert said["database"].startswith(("ok SQLite 3", "ok PostgreSQL 1"))
    assert said["broker"].startswith("WRONG Redis doesn't answer")
    assert said["mail"].startswith("WRONG Nothing accepts email")
    assert said["mail"].endswith("Start the Procfile's `mail`: corr listen")
    assert said["web"].startswith("WRONG Nothing answers")
    assert said["sweep"] == (
        "WRONG beat hasn't checked the deadlines yet. "
        "Start `beat` and `worker`. If you just did, run the doctor again in half a minute."
    )
    assert said["post"].startswith("ok emails go into the folder")
    assert said["unread"] == "ok none"
    assert corr("doctor", env=environ).exit_code == 1


def test_services_that_answer_are_well(environ: dict[str, str], table: Table, redis: RedisServer) -> None:
    host, port = environ["CORR_SMTP_LISTEN"].split(":")
    place = ListenAddress(host, int(port), SmtpProtocol)
    listener = Listener(EmailEntrance(table.server, lambda _: None), place, DOMAIN)
    listener.start()
    statistics.record_run(table.server, "sweep", wall_clock())

    said = findings(environ | {"CORR_REDIS_URL": redis.url})
    listener.stop()

    assert said["broker"] == "ok Redis answers, and never evicts keys"
    assert said["mail"].startswith("ok corr accepts email at")
    assert re.match(r"ok beat last checked the deadlines \d+ s ago", said["sweep"])


def test_an_unknown_setting_is_named_with_the_nearest_one(environ: dict[str, str]) -> None:
    said = findings(environ | {"CORR_SMPT_URL": "smtp://127.0.0.1", "CORR_FAVOURITE_COLOUR": "red"})

    assert (
        "CORR_SMPT_URL is set, but corr has no such setting. Did you mean CORR_SMTP_URL?" in said["settings"]
    )
    assert (
        "CORR_FAVOURITE_COLOUR is set, but corr has no such setting. Known settings: CORR_DATABASE_URL, "
        in said["settings"]
    )


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("CORR_DATABASE_URL", "", "CORR_DATABASE_URL isn't set"),
        ("CORR_DATABASE_URL", "mysql://127.0.0.1/corr", "CORR_DATABASE_URL names mysql"),
        ("CORR_DATABASE_URL", "no address", "Can't use CORR_DATABASE_URL"),
        (
            "CORR_MAIL_DOMAIN",
            "play example.org",
            "CORR_MAIL_DOMAIN is 'play example.org', which isn't a domain. Write a name",
        ),
        (
            "CORR_MAIL_DOMAIN",
            " play.example.org",
            "CORR_MAIL_DOMAIN is ' play.example.org', which isn't a domain. Write a name",
        ),
        ("CORR_MAIL_DOMAIN", "umpire@play.example.org", "CORR_MAIL_DOMAIN is 'umpire@play.example.org'"),
        (
            "CORR_SMTP_URL",
            "127.0.0.1:25",
            "CORR_SMTP_URL is '127.0.0.1:25', which isn't the address of a mail server. Write smtp://HOST:PORT",
        ),
        (
            "CORR_REDIS_URL",
            "127.0.0.1:6379",
            "CORR_REDIS_URL is '127.0.0.1:6379', which isn't a Redis address. Write redis://",
        ),
        ("CORR_LOG_LEVEL", "loud", "CORR_LOG_LEVEL is 'loud', which isn't a level. Write one of DEBUG, INFO"),
        ("CORR_SMTP_LISTEN", "here", '"here" isn\'t an address to listen on'),
        ("CORR_SMTP_KEY", "/key.pem", "CORR_SMTP_KEY is set, but CORR_SMTP_CERT isn't. Set both"),
        ("CORR_DKIM_KEY", "/key.pem", "Only one of CORR_DKIM_KEY and CORR_DKIM_SELECTOR is set"),
        ("CORR_DKIM_SELECTOR", "corr", "Only one of CORR_DKIM_KEY and CORR_DKIM_SELECTOR is set"),
        ("CORR_HOOK_KEY", "guess me", "CORR_HOOK_KEY is too short. Write at least 32 random characters"),
        ("CORR_IMAP_URL", "imap.example.org", "CORR_IMAP_URL has no mailbox"),
    ],
)
def test_an_invalid_setting_is_explained(
    environ: dict[str, str], key: str, value: str, sentence: str
) -> None:
    assert sentence in findings(environ | {key: value})["settings"]


def test_a_full_disk_is_reported(environ: dict[str, str]) -> None:
    """/proc never has free space."""
    assert " MB free at " in findings(environ)["disk"]
    said = findings(environ | {"CORR_SMTP_URL": "spool:/proc"})["disk"]

    assert "WRONG The disk at /proc is almost full: 0 MB left." in said


@pytest.mark.parametrize(
    ("url", "advice"),
    [
        ("sqlite:////nowhere/at/all.sqlite", "The folder /nowhere/at doesn't exist. Create it"),
        ("postgresql://127.0.0.1:1/corr", "Start it, or set CORR_DATABASE_URL to its address."),
    ],
)
def test_a_missing_database_is_named_with_a_remedy(environ: dict[str, str], url: str, advice: str) -> None:
    assert advice in findings(environ | {"CORR_DATABASE_URL": url})["database"]


def test_late_and_dead_emails_are_reported(environ: dict[str, str], table: Table) -> None:
    table.begin()
    for player in (ANN, BEN):
        table.deliver(table.reply_email(player, "show"))
    table.read_emails()
    (row, *_) = game_emails.OUTBOX.claim(table.server, table.clock(), 1)
    given_up = DeliveryMark(row, Delivery(DeliveryFate.NEVER, "no such box"), table.clock())
    game_emails.OUTBOX.mark(table.server.store, [given_up])
    table.deliver(table.reply_email(ANN, "help"))

    said = findings(environ)

    assert said["unread"].startswith("WRONG 1, the oldest")
    assert said["unsent"].startswith("WRONG 1, the oldest")
    assert said["dead"] == "WRONG undelivered emails: 1. Fix the cause, then run: corr letter resend"


def test_abandoned_emails_are_sent_again_on_the_operators_command(
    environ: dict[str, str], table: Table
) -> None:
    table.begin()
    table.deliver(table.reply_email(ANN, "show"))
    table.read_emails()
    (row, *_) = game_emails.OUTBOX.claim(table.server, table.clock(), 1)
    given_up = DeliveryMark(row, Delivery(DeliveryFate.NEVER, "no such box"), table.clock())
    game_emails.OUTBOX.mark(table.server.store, [given_up])
    del environ["CORR_REDIS_URL"]

    assert corr("letter", "resend", env=environ).output == "Emails queued to be sent again: 1.\n"
    table.clock.moment = wall_clock()
    table.send_emails()
    assert "Here is your board." in table.last_text(ANN)


@pytest.mark.parametrize(
    ("answer", "finding"),
    [
        ("250 ok", "ok smtp://{host}:{port} accepts email for any address"),
        (
            "554 5.7.1 Relay access denied",
            "WRONG smtp://{host}:{port} refuses email to other domains: 554 5.7.1 Relay access denied.",
        ),
    ],
)
def test_a_mail_server_that_refuses_to_relay_is_reported(
    environ: dict[str, str], answer: str, finding: str
) -> None:
    class Relay:
        async def handle_RCPT(self, _server, _session, _envelope, _address, _options) -> str:  # noqa: N802
            return answer

    port = free_port()
    relay = Controller(Relay(), hostname=HOST, port=port)
    relay.start()
    said = findings(environ | {"CORR_SMTP_URL": f"smtp://{HOST}:{port}"})
    relay.stop()

    assert said["post"].startswith(finding.format(host=HOST, port=port))


def test_a_failed_login_at_the_mail_server_is_reported(environ: dict[str, str]) -> None:
    with smarthost(None, asks=True) as heard:
        said = findings(environ | {"CORR_SMTP_URL": f"smtp://corr:hunter2@{HOST}:{heard.port}"})["post"]

    assert said.startswith(f"WRONG smtp://{HOST}:{heard.port} refuses to sign in corr: 535 ")
    assert "Check the name and the password in CORR_SMTP_URL" in said
    assert "hunter2" not in said


def test_a_mail_server_without_a_valid_certificate_is_reported(
    environ: dict[str, str], tmp_path: Path
) -> None:
    with smarthost(tls_context(tmp_path), at_once=True) as heard:
        said = findings(environ | {"CORR_SMTP_URL": f"smtps://{HOST}:{heard.port}"})["post"]

    assert said.startswith(f"WRONG smtps://{HOST}:{heard.port} has a bad certificate: self")
    assert "make this machine trust the issuer." in said


def test_a_password_in_clear_text_is_reported(environ: dict[str, str]) -> None:
    with smarthost(None, asks=True) as heard:
        said = findings(environ | {"CORR_SMTP_URL": f"smtp://{LOGIN}@{REMOTE_NAME}:{heard.port}"})["post"]

    assert said.startswith(f"WRONG smtp://{REMOTE_NAME}:{heard.port} takes no password")
    assert heard.logins == []


@pytest.mark.databases("postgresql")
def test_the_websites_role_is_checked(
    environ: dict[str, str], table: Table, postgres: PostgresServer
) -> None:
    url = environ["CORR_DATABASE_URL"]
    postgres.run("DROP ROLE IF EXISTS corr_pages", "CREATE ROLE corr_pages LOGIN")
    environ["CORR_WEB_DATABASE_URL"] = url.replace("postgres@", "corr_pages@")

    before = findings(environ)["pages"]
    granted = corr("db", "grant", "corr_pages", env=environ)
    after = findings(environ)["pages"]
    as_owner = findings(environ | {"CORR_WEB_DATABASE_URL": url})["pages"]
    with table.server.store.writing() as connection:
        connection.exec_driver_sql("DROP OWNED BY corr_pages")

    assert before.startswith("WRONG corr_pages can't read what the pages need: permission denied")
    assert before.endswith("Run: corr db grant corr_pages")
    assert (
        granted.output
        == "The role corr_pages can now do what the pages need, and can't read hidden positions.\n"
    )
    assert after == "ok corr_pages can read what the pages need, and no hidden position"
    assert as_owner.startswith("WRONG postgres can read hidden positions.")


@pytest.mark.databases("postgresql")
def test_a_postgresql_that_may_lose_emails_is_reported(environ: dict[str, str]) -> None:
    assert "PostgreSQL's fsync is off" in findings(environ)["database"]


def test_failed_parts_of_emails_are_reported_without_anything_of_the_game(
    environ: dict[str, str], table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert findings(environ)["alarms"] == "ok all recent emails were complete"
    table.clock.moment = wall_clock()
    with monkeypatch.context() as broken:
        break_part(broken, board_image, "png")
        table.begin_by_email()
    with monkeypatch.context() as broken:
        break_part(broken, compose, "render")
        table.play("e2e4")

    said = findings(environ)["alarms"]

    today = table.clock().date()
    assert re.search(
        (f"WRONG emails went out without their picture: KeyError at compose.py:\\d+, last on {today}\\."),
        said,
    )
    assert "WRONG emails went out without their usual text and layout: KeyError at compose.py:" in said
    assert said.count("WRONG") == 2
    assert not re.search(rf"{SECRET}|ann|ben|e2e4", said)


def test_an_alarm_is_recorded_once_a_day(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise its time would reveal emails, such as answers to an opponent's refused tries."""
    break_part(monkeypatch, board_image, "png")
    table.begin_by_email()
    rung = recorded_alarms(table)
    table.clock.advance(hours=5)
    table.reply(ANN, "e2e5")
    assert recorded_alarms(table) == rung
    table.clock.advance(hours=20)
    table.reply(ANN, "e2e5")
    assert [at for (at,) in recorded_alarms(table)] == [table.clock()]


def recorded_alarms(table: Table) -> list[tuple[object, ...]]:
    with table.server.store.reading() as connection:
        return [tuple(row) for row in connection.execute(select(ComposeFaultRow.rung_at))]
