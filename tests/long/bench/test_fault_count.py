"""The independent check of the fault runs finds each kind of damage to a sound game."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from bench.faults.count import Evidence, Row, Sent, message_id, unpacked
from bench.faults.players import Prepared
from bench.faults.post import Letter
from bench.mail import Received
from tests.support.table import ANN, BEN, Table

MOVES = ("e2e4", "e7e5", "g1f3")
DAMAGES = {
    "delete from originals where letter_id = 4": "accepted emails judged not exactly once",
    "update inbox set read_at = null where id = 4": "accepted emails judged not exactly once",
    "update inbox set reading = 'failed' where id = 4": "accepted emails judged not exactly once",
    "update originals set raw = cast('x' as blob) where letter_id = 4": "accepted emails judged not exactly once",
    "update outbox set inbox_id = 3 where inbox_id = 4": "accepted emails judged not exactly once",
    "delete from orders where ply = 1": "games with a move made twice, left out, or other than written",
    "update orders set ply = 0": "games with a move made twice, left out, or other than written",
    "update orders set text = 'e7e6' where ply = 1": "games with a move made twice, left out, or other than written",
    "update games set ply = 4": "games with a move made twice, left out, or other than written",
    "update outbox set sent_at = null where id = 5": "emails never sent",
    "update outbox set dead_at = 1 where id = 5": "emails never sent",
    "update games set reason = 'time'": "games without their right end",
    "update games set state = 'running'": "games without their right end",
}


@pytest.fixture
def played(table: Table) -> Iterator[tuple[Table, sqlite3.Connection]]:
    """A game that was played and resigned, and its database."""
    table.begin()
    table.play(*MOVES)
    table.reply(BEN, "resign resign")
    with closing(sqlite3.connect(table.spool.parent / "corr.sqlite")) as tables:
        yield table, tables


def evidence(table: Table, tables: sqlite3.Connection) -> Evidence:
    written = [
        Letter(message_id(raw), ANN if b"From: ann" in raw else BEN, "", raw, accepted=1)
        for raw in (
            unpacked(kept) for (kept,) in tables.execute("select raw from originals order by letter_id")
        )
    ]
    return Evidence(lambda question: ask(tables, question), written, received(table), prepared(tables))


def ask(tables: sqlite3.Connection, question: str) -> list[Row]:
    return tables.execute(question).fetchall()


def received(table: Table) -> list[Received]:
    """The emails in the spool, with the recipient noted above each."""
    raws = [path.read_bytes() for path in sorted(table.spool.glob("*.eml"))]
    headers = [raw.split(b"\r\n", 2) for raw in raws]
    return [Received(recipient.split(b": ")[1].decode(), raw) for _, recipient, raw in headers]


def prepared(tables: sqlite3.Connection) -> dict[str, Prepared]:
    code = tables.execute("select code from games").fetchone()[0]
    return {code: Prepared(MOVES, (), "resigned")}


def find_faults(found: Evidence) -> set[str]:
    return {heading for heading, faults in found.judge().items() if faults}


def test_a_sound_game_has_no_faults(played: tuple[Table, sqlite3.Connection]) -> None:
    assert find_faults(evidence(*played)) == set()


@pytest.mark.parametrize(("damage", "heading"), DAMAGES.items())
def test_damage_to_the_tables_is_found(
    played: tuple[Table, sqlite3.Connection], damage: str, heading: str
) -> None:
    table, tables = played
    sound = evidence(table, tables)

    tables.execute(damage)

    assert heading in find_faults(Evidence(sound.ask, sound.written, sound.received, sound.prepared))


@pytest.mark.parametrize(
    "damage",
    [
        "update outbox set sent_at = null where kind = 'turn'",
        "update outbox set sent_at = sent_at + 3600000000 where kind = 'turn'",
        "update games set ended_at = ended_at - 3600000000",
    ],
)
def test_a_flag_without_notice_or_too_early_is_found(table: Table, damage: str) -> None:
    table.begin()
    table.play("e2e4", "e7e5", "d2d4", "d7d5")
    table.clock.advance(minutes=1)
    table.play("e4d5")
    table.clock.advance(days=3, minutes=3)
    table.sweep()
    heading = "players flagged untold, or before their time"
    with closing(sqlite3.connect(table.spool.parent / "corr.sqlite")) as tables:
        assert heading not in find_faults(evidence(table, tables))

        tables.execute(damage)

        assert heading in find_faults(evidence(table, tables))


def test_damage_to_the_mail_is_found(played: tuple[Table, sqlite3.Connection]) -> None:
    sound = evidence(*played)
    first, *others = sound.received
    misdelivered = replace(first, recipient="eve@e.example")
    altered = replace(first, raw=first.raw + b"x")
    refused = [replace(sound.written[0], refused="550 no"), *sound.written[1:]]

    def judged(written: list[Letter], letters: list[Received]) -> set[str]:
        return find_faults(Evidence(sound.ask, written, letters, sound.prepared))

    assert judged(sound.written, others) == {"emails never sent"}
    assert judged(sound.written, [*sound.received, misdelivered]) == {"emails to a wrong address"}
    assert judged(sound.written, [*sound.received, altered]) == {"two different emails under one Message-ID"}
    assert judged(refused, sound.received) == {"emails of players refused for good"}
    assert judged(sound.written[1:], sound.received) == {"accepted emails judged not exactly once"}


def test_an_answer_may_be_merged_into_the_next_turn_email(table: Table) -> None:
    table.begin()
    table.play("e2e4")
    table.reply(BEN, "e7e5\nif no capture: d7d6")
    table.reply(ANN, "g1f3")
    table.reply(BEN, "resign resign")
    with closing(sqlite3.connect(table.spool.parent / "corr.sqlite")) as tables:
        found = evidence(table, tables)
        match = {code: Prepared((*MOVES, "d7d6"), (), "resigned") for code in found.prepared}
        merged = next(each for each in found.received if "Then ben moved." in each.text)

        assert find_faults(with_mail(found, match, found.received)) == set()
        others = [each for each in found.received if each is not merged]
        assert find_faults(with_mail(found, match, others)) == {
            "emails never sent",
            "accepted emails judged not exactly once",
        }


def with_mail(found: Evidence, match: dict[str, Prepared], letters: list[Received]) -> Evidence:
    return Evidence(found.ask, found.written, letters, match)


def test_a_delayed_turn_email_may_be_replaced_by_a_later_one(
    played: tuple[Table, sqlite3.Connection],
) -> None:
    table, tables = played
    sound = evidence(table, tables)
    first, *_, last = (sent for sent in sound.sent if sent.seat.side == "white" and sent.kind == "turn")

    def without(*lost: Sent) -> set[str]:
        arrived = [each for sent in sound.sent if sent not in lost for each in sound.arrived[sent.name]]
        return find_faults(Evidence(sound.ask, sound.written, arrived, sound.prepared))

    assert without(first) == {"emails never sent"}

    tables.execute("update outbox set tries = 2")

    assert without(first) == set()
    assert without(first, last) == {"emails never sent"}
