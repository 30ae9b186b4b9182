"""Letters to seats and letters to the site are taken in hand, let rest and put aside alike, and their writers told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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
    """One kind of letters: how one is written, and what reads, answers and keeps it."""

    intake: Intake[Any]
    parser: tuple[ModuleType, str]
    write: Callable[[Table, str], bytes]
    answer: tuple[type | ModuleType, str]
    row: type[InboxRow | SiteInboxRow]


def to_the_seat(table: Table, player: str) -> bytes:
    return table.letter(player, "show")


def to_the_site(table: Table, player: str) -> bytes:
    return table.unasked(player, "help")


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


def readings(table: Table, kind: Kind) -> list[str | None]:
    """How all letters of a kind were read."""
    with table.server.store.reading() as connection:
        return list(connection.execute(select(kind.row.reading).order_by(kind.row.id)).scalars())


def claim(table: Table, kind: Kind, most: int = 20) -> int:
    return len(kind.intake.claim(table.server, table.clock(), most))


def die(table: Table, kind: Kind, times: int) -> None:
    """Let so many workers die with a letter in hand."""
    for _ in range(times):
        assert claim(table, kind) == 1
        table.clock.pass_by(minutes=3)


def read(table: Table, kind: Kind, letter: SeatMessage | SiteMessage) -> None:
    """Let a worker read a letter that it has in hand."""
    moment = table.clock()
    kind.intake.act(
        table.server,
        letter,
        moment,
        lambda connection: kind.intake.mark(connection, letter.id, read_at=moment, reading="by hand"),
    )


@contextmanager
def out_of_sight(table: Table, kind: Kind) -> Iterator[None]:
    """The earliest letter that waits is not there yet, as one whose transaction ends after that of the next."""
    with table.server.store.writing() as connection:
        waiting = select(func.min(kind.row.id)).where(kind.row.read_at.is_(None))
        earliest = update(kind.row).where(kind.row.id == connection.execute(waiting).scalar_one())
        connection.execute(earliest.values(read_at=table.clock()))
    yield
    with table.server.store.writing() as connection:
        connection.execute(earliest.values(read_at=None))


def work_on(table: Table) -> None:
    for _ in range(6):
        table.work()
        table.clock.pass_by(minutes=10)


def test_a_letter_that_kills_ten_workers_is_put_aside_and_its_writer_told(table: Table, kind: Kind) -> None:
    table.begin()
    table.post(kind.write(table, ANN))

    die(table, kind, 10)
    table.work()

    assert "it's our fault" in table.says(ANN).lower()
    assert readings(table, kind)[-1] == "failed"


def test_one_that_kills_nine_is_read_as_any_other(table: Table, kind: Kind) -> None:
    table.begin()
    table.post(kind.write(table, ANN))

    die(table, kind, 9)
    table.work()

    assert readings(table, kind)[-1] == "read"


def test_one_that_kills_even_those_who_would_tell_of_it_is_put_aside_untold(table: Table, kind: Kind) -> None:
    table.begin()
    table.post(kind.write(table, ANN))
    before = len(table.letters(ANN))

    die(table, kind, 15)
    table.work()

    assert readings(table, kind)[-1] == "failed"
    assert len(table.letters(ANN)) == before


def test_what_was_in_hand_when_a_worker_died_comes_alone(table: Table, kind: Kind) -> None:
    table.begin()
    for player in (ANN, BEN):
        table.post(kind.write(table, player))
    assert claim(table, kind) == 2
    table.clock.pass_by(minutes=3)

    assert claim(table, kind) == 1


def test_a_letter_that_breaks_its_reader_is_put_aside_and_its_writer_told(
    table: Table, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of ours, made here by hand: it must not hold up who wrote it, nor the flag, for ever."""
    table.begin()
    table.post(kind.write(table, ANN))
    monkeypatch.setattr(*kind.parser, lambda *_: 1 / 0)

    work_on(table)
    monkeypatch.undo()

    assert "it's our fault" in table.says(ANN).lower()
    table.post(kind.write(table, ANN))
    table.work()
    assert readings(table, kind)[-2:] == ["failed", "read"]


def test_it_is_put_aside_also_where_its_writer_cannot_be_told(
    table: Table, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.begin()
    table.post(kind.write(table, ANN))
    monkeypatch.setattr(*kind.answer, lambda *_, **__: 1 / 0)

    work_on(table)

    assert readings(table, kind)[-1] == "failed"


@pytest.mark.parametrize("headers", ["Auto-Submitted: auto-replied", "X-Failed-Recipients: ann@a.example"])
def test_no_program_is_told_that_its_letter_was_put_aside(table: Table, kind: Kind, headers: str) -> None:
    table.begin()
    table.write(ANN, "help")
    of_the_game, of_the_site = table.letters(ANN)[-2:]
    answered = of_the_game if kind.row is InboxRow else of_the_site
    table.post(table.letter(ANN, "show", to=answered, headers=headers))
    before = len(table.letters(ANN))

    die(table, kind, 10)
    table.work()

    assert readings(table, kind)[-1] == "failed"
    assert len(table.letters(ANN)) == before


def test_in_whose_name_somebody_writes_is_told_of_it_once_a_day(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.begin()
    before = len(table.letters(ANN))
    monkeypatch.setattr(site_reader, "parse_game_orders", lambda *_: 1 / 0)

    for _ in range(3):
        table.post(table.unasked(ANN, "help", vouched=False))
        work_on(table)

    assert len(table.letters(ANN)) == before + 1


def test_a_letter_that_another_worker_has_read_meanwhile_does_nothing_more(
    table: Table, kind: Kind, caplog: pytest.LogCaptureFixture
) -> None:
    table.begin()
    table.post(kind.write(table, ANN))
    (late,) = kind.intake.claim(table.server, table.clock(), 20)
    table.clock.pass_by(minutes=3)
    table.work()
    before = len(table.letters(ANN))

    read(table, kind, late)

    table.work()
    assert readings(table, kind)[-1] == "read"
    assert len(table.letters(ANN)) == before
    assert "another worker read this email" in caplog.messages


def test_a_letter_before_which_an_earlier_one_comes_to_light_is_read_right_after_it(
    table: Table, kind: Kind, caplog: pytest.LogCaptureFixture
) -> None:
    table.begin()
    table.post(kind.write(table, ANN))
    table.post(kind.write(table, ANN))
    with out_of_sight(table, kind):
        (later,) = kind.intake.claim(table.server, table.clock(), 20)

    read(table, kind, later)

    assert "an email waits for an earlier one" in caplog.messages
    table.work()
    assert readings(table, kind)[-2:] == ["read", "read"]


def test_the_log_tells_of_what_came_back(table: Table, kind: Kind, caplog: pytest.LogCaptureFixture) -> None:
    table.begin()
    table.write(ANN, "help")
    of_the_game, of_the_site = table.letters(ANN)[-2:]
    answered = of_the_game if kind.row is InboxRow else of_the_site
    table.post(table.letter(ANN, "No such user", to=answered, headers="X-Failed-Recipients: ann@a.example"))

    table.work()

    assert readings(table, kind)[-1] == "automatic: bounce"
    assert any(message.startswith("received a bounce") for message in caplog.messages)
