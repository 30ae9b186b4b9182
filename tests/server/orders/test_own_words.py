"""What people write in their own words does what they meant, or is asked about; nothing ever acts wrongly."""

from __future__ import annotations

import json
import re
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from sqlalchemy import select

from corr.store.tables import ChallengeRow, SiteOutboxRow
from tests.server.orders.test_letters import answered, comes_back, proposed
from tests.support.table import ANN, BEGUN, EVE, FAY, Table, text_of

_SIGN = re.compile(r"((?:\\u[0-9a-f]{4})+)")
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
    """An email, and what it should do, unless it should only do nothing."""

    kind: str
    does: str
    written: str

    @property
    def parts(self) -> tuple[str, str]:
        """Its Subject, if it has one of its own, and its text."""
        shown = self.written.removeprefix("* ").replace("\\n", "\n")
        signs = _SIGN.sub(lambda found: json.loads(f'"{found[1]}"'), shown)
        subject, mark, text = signs.partition(" ::")
        return (subject, text.strip()) if mark else ("", signs)


def rows(name: str) -> list[Row]:
    lines = (Path(__file__).parent / name).read_text("utf-8").splitlines()
    parts = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [Row(each[0], each[1] if each[2:] else "", each[-1]) for each in parts]


def told(raw: bytes, row: Row) -> bytes:
    """The email with the row's own Subject, and then without a quotation."""
    subject, text = row.parts
    if not subject:
        return raw
    head = re.sub(rb"Subject: [^\r]*", b"Subject: " + subject.encode(), raw.partition(b"\r\n\r\n")[0])
    return b"\r\n".join((head, b"", text.encode(), b""))


def first(table: Table, row: Row) -> str:
    """What a first email from a stranger does."""
    table.post(told(table.unasked(EVE, row.parts[1], name="Eve"), row))
    table.read()
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
    """What an answer to an invitation does."""
    table.post(told(table.letter(FAY, row.parts[1]), row))
    table.read()
    with table.server.store.reading() as connection:
        state = connection.execute(select(ChallengeRow.state)).scalar_one()
    return {"accepted": "accept", "declined": "decline", "open": "asks"}[state]


def move(table: Table, row: Row) -> str:
    """What a reply in a game does, whose turn it is."""
    table.post(told(table.letter(ANN, row.parts[1]), row))
    table.read()
    words = answered(table)
    if words.get("items"):
        return "plays " + comes_back(words).removesuffix(" moved")
    meant = proposed(table, words)
    return "asks" if meant == "-" else f"proposes {meant}"


DOES = {"first": first, "accept": accept, "move": move, "yes": move}
ACTS = ("begins", "accept", "decline", "plays")


def starts(table: Table, folder: Path) -> dict[str, Table]:
    """Where each kind of email arrives: nobody is known, Eve has invited Fay, and a game has begun."""
    blank = table.copied(folder / "blank")
    table.write(EVE, f"challenge {FAY} wild16")
    table.reply(EVE, "confirm")
    invited = table.copied(folder / "invited")
    table.start_from(BEGUN["wild16"])
    table.reply(ANN, "Nf3")
    asked = table.copied(folder / "asked")
    return {"first": blank, "accept": invited, "move": BEGUN["wild16"], "yes": asked}


def run(table: Table, folder: Path, name: str) -> list[tuple[Row, str]]:
    """Each email of a table, with what it did."""
    start, done = starts(table, folder), []
    for row in rows(name):
        table.start_from(start[row.kind])
        done.append((row, DOES[row.kind](table, row)))
    return done


def test_people_are_understood_and_nothing_acts_wrongly(table: Table, tmp_path: Path) -> None:
    done = run(table, tmp_path, "own_words.tsv")
    others = [(row.written, row.does, did) for row, did in done if did != row.does]
    as_meant = len(done) - len(others)

    assert [each for each in others if each[2].startswith(ACTS)] == []
    assert as_meant >= 114, f"{as_meant} of {len(done)} did what was meant: {others}"


def test_no_doubt_quotation_or_signature_acts(table: Table, tmp_path: Path) -> None:
    acted = [(row.written, did) for row, did in run(table, tmp_path, "hostile.tsv") if did.startswith(ACTS)]

    assert acted == []


def test_no_line_of_ours_answers_us_however_it_is_wrapped(table: Table, tmp_path: Path) -> None:
    for kind, start in starts(table, tmp_path).items():
        if kind == "first":
            continue
        table.start_from(start)
        ours = text_of(table.newest(FAY if kind == "accept" else ANN)).split("\n\n")
        wrapped = {
            "\n".join(wrap(" ".join(piece.split()), width)) for piece in ours for width in (30, 60, 72)
        }
        for text in sorted(wrapped - {""}):
            table.start_from(start)
            assert not DOES[kind](table, Row(kind, "", text)).startswith(ACTS), text


def test_the_table_has_forty_of_each_and_half_of_them_are_real() -> None:
    for kind in ("first", "accept", "move"):
        of_kind = [row for row in rows("own_words.tsv") if row.kind == kind]
        assert len({row.written for row in of_kind}) == len(of_kind) == 40
        assert sum(row.written.startswith("* ") for row in of_kind) >= 20
