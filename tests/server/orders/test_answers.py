"""How we answer emails as people write them, each in a new game: `orders.tsv`.

A row has the email, with `\\n` for a line break and `\\u` for a character by number; the variant; what was done
with each order, or the first words of why a line is unclear, or `prose`; and what we propose, or `-`.
"""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import select

from corr.rules.variants import UMPIRES
from corr.store.tables import EmailWordsRow, OutboxRow
from corr.words.board import SQUARES
from tests.support.table import ANN, Table, text_of

_NEWEST_ANSWER = (
    select(EmailWordsRow.words)
    .join(OutboxRow, OutboxRow.id == EmailWordsRow.letter_id)
    .where(OutboxRow.kind == "answer")
    .order_by(OutboxRow.id.desc())
    .limit(1)
)
_WORDS_OF_REASON = 4


ALL_MOVES = [one + other for one in SQUARES for other in SQUARES if one != other]
#: Very long emails.
LONG = {
    "a thousand tries on a line": ", ".join(ALL_MOVES[:1000]),
    "a thousand tries, wrapped": ",\n".join(", ".join(ALL_MOVES[at : at + 10]) for at in range(0, 1000, 10)),
    "two hundred tries": ", ".join(ALL_MOVES[:200]),
    "two hundred tries and a typo": ", ".join([*ALL_MOVES[:200], "Nf3"]),
    "a question with many tries": f"any? yes: {', '.join(ALL_MOVES[:90])} / no: {', '.join(ALL_MOVES[90:180])}",
    "a thousand moves": "\n".join(ALL_MOVES[:1000]),
    "ten thousand characters": f"e2e4 {'x' * 10_000}",
    "ten thousand characters of four bytes": f"e2e4 {chr(0x1F600) * 500}\n" * 20,
    "two thousand words": "hello there " * 1000,
    "five thousand lines": "\n".join(f"line {number} of prose {'y' * 60}" for number in range(4900)),
    "four thousand orders": "\n".join(f"rules x{number}" for number in range(4000)),
}
MAX_QUOTED_BYTES = 4096


class Row(NamedTuple):
    """An email, and our answer."""

    email: str
    variant: str
    outcome: str
    proposed: str

    @property
    def text(self) -> str:
        shown = self.email.replace("\\n", "\n")
        return re.sub(r"\\u([0-9a-f]{4})", lambda sign: chr(int(sign[1], 16)), shown)


def rows() -> list[Row]:
    text = (Path(__file__).parent / "orders.tsv").read_text("utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [Row(*line) for line in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]


def newest_answer(table: Table) -> dict:
    """The data of the newest answer."""
    with table.server.store.reading() as connection:
        return json.loads(connection.execute(_NEWEST_ANSWER).scalar_one())


def outcome_of(words: dict) -> str:
    if puzzled := words.get("puzzled"):
        return "puzzled: " + " ".join(puzzled["why"].split()[:_WORDS_OF_REASON])
    return "; ".join(f"{item['order']} {item['note']}" for item in words["items"]) or "prose"


def proposed(table: Table, words: dict) -> str:
    """The orders that the answer proposes; "-" if the email was understood."""
    if "puzzled" not in words and words["items"]:
        return "-"
    table.send_emails()
    behind = re.search(r"Did you mean .*?\n\n(.*?)\n\n(?!\| )", text_of(table.last_email(ANN)), re.DOTALL)
    orders = behind[1].split("\n\n") if behind else []
    return " or ".join(" ".join(line[2:] for line in order.splitlines()) for order in orders) or "-"


@pytest.mark.parametrize("variant", UMPIRES)
def test_emails_are_answered_as_the_table_says(table: Table, variant: str) -> None:
    actual = []
    for row in rows():
        if row.variant == variant:
            table.reset_to_new_game(variant)
            table.deliver(table.reply_email(ANN, row.text))
            table.read_emails()
            words = newest_answer(table)
            actual.append(row._replace(outcome=outcome_of(words), proposed=proposed(table, words)))

    assert actual == [row for row in rows() if row.variant == variant]


@pytest.mark.parametrize("email", LONG)
def test_an_answer_quotes_only_so_much_of_the_email(table: Table, email: str) -> None:
    for variant in ("classic", "wild16"):
        table.reset_to_new_game(variant)
        table.reply(ANN, LONG[email])

        said = text_of(table.last_email(ANN))
        quoted = [line for line in said.splitlines() if line.startswith("| ")]
        assert len("\n".join(quoted).encode()) <= MAX_QUOTED_BYTES
        assert len(said) < 2 * MAX_QUOTED_BYTES


def test_the_table_is_long_enough_and_has_no_duplicates() -> None:
    assert len(rows()) >= 250
    assert len({(row.email, row.variant) for row in rows()}) == len(rows())
    assert {row.variant for row in rows()} == {*UMPIRES}
