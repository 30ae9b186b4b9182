"""Incoming emails to seats and to the site are claimed, retried and set aside in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from types import ModuleType
from typing import Any

import pytest
from sqlalchemy import func, select, update

from corr.service.games.game_session import GameSession
from corr.service.mail import email_contents, game_reader, site_reader
from corr.service.mail.email_contents import SeatMessage
from corr.service.mail.inbox_queue import Intake
from corr.service.mail.site_inbox import SiteMessage
from corr.service.players import mailboxes
from corr.store.tables import InboxRow, SiteInboxRow
from tests.support.table import ANN, BEN, Table


@dataclass(frozen=True)
class Kind:
    """One kind of email: how to write one, and what reads, answers and stores it."""

    intake: Intake[Any]
    parser: tuple[ModuleType, str]
    write: Callable[[Table, str], bytes]
    answer: tuple[type | ModuleType, str]
    row: type[InboxRow | SiteInboxRow]


def to_the_seat(table: Table, player: str) -> bytes:
    return table.reply_email(player, "show")


def to_the_site(table: Table, player: str) -> bytes:
    return table.site_email(player, "help")


KINDS = [
    Kind(game_reader.INTAKE, (email_contents, "parse_orders"), to_the_seat, (GameSession, "write"), InboxRow),
    Kind(
        site_reader.INTAKE,
        (site_reader, "parse_game_orders"),
        to_the_site,
        (mailboxes, "write"),
        SiteInboxRow,
    ),
]


@pytest.fixture(params=KINDS, ids=["to a seat", "to the site"])
def kind(request: pytest.FixtureRequest) -> Kind:
    found: Kind = request.param
    return found


def email_to_answer(table: Table, kind: Kind) -> EmailMessage:
    """One of our emails whose reply is of this kind."""
    table.begin()
    table.write_to_site(ANN, "help")
    of_the_game, of_the_site = table.emails_to(ANN)[-2:]
    return of_the_game if kind.row is InboxRow else of_the_site


def list_readings(table: Table, kind: Kind) -> list[str | None]:
    """How each email of this kind was read."""
    with table.server.store.reading() as connection:
        return list(connection.execute(select(kind.row.reading).order_by(kind.row.id)).scalars())


def claim(table: Table, kind: Kind, most: int = 20) -> int:
    return len(kind.intake.claim(table.server, table.clock(), most))


def die(table: Table, kind: Kind, times: int) -> None:
    """Let this many workers die, each with an email claimed."""
    for _ in range(times):
        assert claim(table, kind) == 1
        table.clock.advance(minutes=3)


def read(table: Table, kind: Kind, letter: SeatMessage | SiteMessage) -> None:
    """Let a worker read an email that it has claimed."""
    moment = table.clock()
    kind.intake.act(
        table.server,
        letter,
        moment,
        lambda connection: kind.intake.mark(connection, letter.id, read_at=moment, reading="by hand"),
    )


@contextmanager
def hide_earliest(table: Table, kind: Kind) -> Iterator[None]:
    """Hide the earliest unread email, like one whose transaction commits after that of the next."""
    with table.server.store.writing() as connection:
        waiting = select(func.min(kind.row.id)).where(kind.row.read_at.is_(None))
        earliest = update(kind.row).where(kind.row.id == connection.execute(waiting).scalar_one())
        connection.execute(earliest.values(read_at=table.clock()))
    yield
    with table.server.store.writing() as connection:
        connection.execute(earliest.values(read_at=None))


def work_for_an_hour(table: Table) -> None:
    for _ in range(6):
        table.run_workers()
        table.clock.advance(minutes=10)


def test_an_email_that_kills_ten_workers_is_set_aside_and_its_sender_told(table: Table, kind: Kind) -> None:
    table.begin()
    table.deliver(kind.write(table, ANN))

    die(table, kind, 10)
    table.run_workers()

    assert "it's our fault" in table.last_text(ANN).lower()
    assert list_readings(table, kind)[-1] == "failed"


def test_an_email_that_kills_nine_workers_is_read_as_usual(table: Table, kind: Kind) -> None:
    table.begin()
    table.deliver(kind.write(table, ANN))

    die(table, kind, 9)
    table.run_workers()

    assert list_readings(table, kind)[-1] == "read"


def test_an_email_that_kills_even_the_workers_who_answer_it_is_set_aside_silently(
    table: Table, kind: Kind
) -> None:
    table.begin()
    table.deliver(kind.write(table, ANN))
    before = len(table.emails_to(ANN))

    die(table, kind, 15)
    table.run_workers()

    assert list_readings(table, kind)[-1] == "failed"
    assert len(table.emails_to(ANN)) == before


def test_an_email_claimed_when_a_worker_died_is_claimed_alone(table: Table, kind: Kind) -> None:
    table.begin()
    for player in (ANN, BEN):
        table.deliver(kind.write(table, player))
    assert claim(table, kind) == 2
    table.clock.advance(minutes=3)

    assert claim(table, kind) == 1


def test_an_email_that_breaks_its_reader_is_set_aside_and_its_sender_told(
    table: Table, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a fault is ours: it must not block its sender, or hold back a flag, for ever."""
    table.begin()
    table.deliver(kind.write(table, ANN))
    monkeypatch.setattr(*kind.parser, lambda *_: 1 / 0)

    work_for_an_hour(table)
    monkeypatch.undo()

    assert "it's our fault" in table.last_text(ANN).lower()
    table.deliver(kind.write(table, ANN))
    table.run_workers()
    assert list_readings(table, kind)[-2:] == ["failed", "read"]


def test_it_is_set_aside_even_if_its_sender_cannot_be_told(
    table: Table, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.begin()
    table.deliver(kind.write(table, ANN))
    monkeypatch.setattr(*kind.answer, lambda *_, **__: 1 / 0)

    work_for_an_hour(table)

    assert list_readings(table, kind)[-1] == "failed"


@pytest.mark.parametrize("headers", ["Auto-Submitted: auto-replied", "X-Failed-Recipients: ann@a.example"])
def test_no_program_hears_that_its_email_was_set_aside(table: Table, kind: Kind, headers: str) -> None:
    answered = email_to_answer(table, kind)
    table.deliver(table.reply_email(ANN, "show", to=answered, headers=headers))
    before = len(table.emails_to(ANN))

    die(table, kind, 10)
    table.run_workers()

    assert list_readings(table, kind)[-1] == "failed"
    assert len(table.emails_to(ANN)) == before


def test_a_player_hears_once_a_day_of_unproved_emails_in_their_name(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.begin()
    before = len(table.emails_to(ANN))
    monkeypatch.setattr(site_reader, "parse_game_orders", lambda *_: 1 / 0)

    for _ in range(3):
        table.deliver(table.site_email(ANN, "help", vouched=False))
        work_for_an_hour(table)

    assert len(table.emails_to(ANN)) == before + 1


def test_an_email_that_another_worker_has_read_does_nothing_more(
    table: Table, kind: Kind, caplog: pytest.LogCaptureFixture
) -> None:
    table.begin()
    table.deliver(kind.write(table, ANN))
    (late,) = kind.intake.claim(table.server, table.clock(), 20)
    table.clock.advance(minutes=3)
    table.run_workers()
    before = len(table.emails_to(ANN))

    read(table, kind, late)

    table.run_workers()
    assert list_readings(table, kind)[-1] == "read"
    assert len(table.emails_to(ANN)) == before
    assert "another worker read this email" in caplog.messages


def test_an_email_waits_for_an_earlier_one_that_appears_late(
    table: Table, kind: Kind, caplog: pytest.LogCaptureFixture
) -> None:
    table.begin()
    table.deliver(kind.write(table, ANN))
    table.deliver(kind.write(table, ANN))
    with hide_earliest(table, kind):
        (later,) = kind.intake.claim(table.server, table.clock(), 20)

    read(table, kind, later)

    assert "an email waits for an earlier one" in caplog.messages
    table.run_workers()
    assert list_readings(table, kind)[-2:] == ["read", "read"]


def test_the_log_mentions_a_bounce(table: Table, kind: Kind, caplog: pytest.LogCaptureFixture) -> None:
    answered = email_to_answer(table, kind)
    table.reply(ANN, "No such user", to=answered, headers="X-Failed-Recipients: ann@a.example")

    assert list_readings(table, kind)[-1] == "automatic: bounce"
    assert any(message.startswith("received a bounce") for message in caplog.messages)
