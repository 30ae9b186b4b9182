"""Emails in people's own words do what they meant, or are asked about; none acts wrongly."""

from __future__ import annotations

import json
import re
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from sqlalchemy import select

from corr.store.tables import ChallengeRow, SiteOutboxRow
from tests.server.orders.test_answers import newest_answer, outcome_of, proposed
from tests.support.table import ANN, EVE, FAY, NEW_GAMES, Table, text_of

_ESCAPES = re.compile(r"((?:\\u[0-9a-f]{4})+)")
_TOPICS = {
    "play": "to play",
    "": "to play",
    "events": "to play",
    "bot": "of bots",
    "learn": "of lessons",
    "unsubscribe": "of fewer emails",
    "vacation": "of vacations",
}


class Row(NamedTuple):
    """An email and what it should do; empty if it must only do nothing."""

    kind: str
    does: str
    written: str

    @property
    def parts(self) -> tuple[str, str]:
        """Its own subject, if any, and its text."""
        unescaped_newlines = self.written.removeprefix("* ").replace("\\n", "\n")
        decoded = _ESCAPES.sub(lambda found: json.loads(f'"{found[1]}"'), unescaped_newlines)
        subject, mark, text = decoded.partition(" ::")
        return (subject, text.strip()) if mark else ("", decoded)


def rows(name: str) -> list[Row]:
    lines = (Path(__file__).parent / name).read_text("utf-8").splitlines()
    parts = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [Row(each[0], each[1] if each[2:] else "", each[-1]) for each in parts]


def with_subject(raw: bytes, row: Row) -> bytes:
    """The email with the row's own subject, if any, and then without quoted text."""
    subject, text = row.parts
    if not subject:
        return raw
    head = re.sub(rb"Subject: [^\r]*", b"Subject: " + subject.encode(), raw.partition(b"\r\n\r\n")[0])
    return b"\r\n".join((head, b"", text.encode(), b""))


def first(table: Table, row: Row) -> str:
    """What a first email from a stranger does."""
    table.deliver(with_subject(table.site_email(EVE, row.parts[1], name="Eve"), row))
    table.read_emails()
    with table.server.store.reading() as connection:
        query = select(SiteOutboxRow.kind, SiteOutboxRow.words).order_by(SiteOutboxRow.id.desc()).limit(1)
        kind, words = connection.execute(query).one()
    answer = json.loads(words)
    if kind == "confirm":
        return f"begins {answer['order']}"
    if answer["puzzled"]:
        return "asks"
    return "; ".join(item["order"] for item in answer["items"]) or f"tells {_TOPICS[answer['topic']]}"


def accept(table: Table, row: Row) -> str:
    """What a reply to an invitation does."""
    table.deliver(with_subject(table.reply_email(FAY, row.parts[1]), row))
    table.read_emails()
    with table.server.store.reading() as connection:
        state = connection.execute(select(ChallengeRow.state)).scalar_one()
    return {"accepted": "accept", "declined": "decline", "open": "asks"}[state]


def move(table: Table, row: Row) -> str:
    """What a reply does in a game where it is Ann's turn."""
    table.deliver(with_subject(table.reply_email(ANN, row.parts[1]), row))
    table.read_emails()
    words = newest_answer(table)
    if words.get("items"):
        return "plays " + outcome_of(words).removesuffix(" moved")
    meant = proposed(table, words)
    return "asks" if meant == "-" else f"proposes {meant}"


HANDLERS = {"first": first, "accept": accept, "move": move, "yes": move}
EFFECTS = ("begins", "accept", "decline", "plays")


def starts(table: Table, folder: Path) -> dict[str, Table]:
    """The server before each kind of email: blank, with an invitation, with a game, with a proposal."""
    blank = table.copy_to(folder / "blank")
    table.write_to_site(EVE, f"challenge {FAY} wild16")
    table.reply(EVE, "confirm")
    invited = table.copy_to(folder / "invited")
    table.reset_to(NEW_GAMES["wild16"])
    table.reply(ANN, "Nf3")
    asked = table.copy_to(folder / "asked")
    return {"first": blank, "accept": invited, "move": NEW_GAMES["wild16"], "yes": asked}


def run(table: Table, folder: Path, name: str) -> list[tuple[Row, str]]:
    """Send each email of a table; return what it did."""
    start, done = starts(table, folder), []
    for row in rows(name):
        table.reset_to(start[row.kind])
        done.append((row, HANDLERS[row.kind](table, row)))
    return done


def test_people_are_understood_and_nothing_acts_wrongly(table: Table, tmp_path: Path) -> None:
    done = run(table, tmp_path, "own_words.tsv")
    mistakes = [(row.written, row.does, did) for row, did in done if did != row.does]
    as_meant = len(done) - len(mistakes)

    assert [each for each in mistakes if each[2].startswith(EFFECTS)] == []
    assert as_meant >= 114, f"{as_meant} of {len(done)} did what was meant: {mistakes}"


def test_doubts_quotations_and_signatures_do_not_act(table: Table, tmp_path: Path) -> None:
    acted = [
        (row.written, did) for row, did in run(table, tmp_path, "hostile.tsv") if did.startswith(EFFECTS)
    ]

    assert acted == []


def test_our_own_lines_never_act_however_they_are_wrapped(table: Table, tmp_path: Path) -> None:
    for kind, start in starts(table, tmp_path).items():
        if kind == "first":
            continue
        table.reset_to(start)
        ours = text_of(table.last_email(FAY if kind == "accept" else ANN)).split("\n\n")
        wrapped = {
            "\n".join(wrap(" ".join(piece.split()), width)) for piece in ours for width in (30, 60, 72)
        }
        for text in sorted(wrapped - {""}):
            table.reset_to(start)
            assert not HANDLERS[kind](table, Row(kind, "", text)).startswith(EFFECTS), text


def test_the_table_has_forty_emails_of_each_kind_and_half_are_real() -> None:
    for kind in ("first", "accept", "move"):
        of_kind = [row for row in rows("own_words.tsv") if row.kind == kind]
        assert len({row.written for row in of_kind}) == len(of_kind) == 40
        assert sum(row.written.startswith("* ") for row in of_kind) >= 20
