"""No line of a letter that we send may be read as an order, however it is quoted, wrapped or flattened."""

from __future__ import annotations

import textwrap

import pytest
from table import ANN, BEN, Table, html_of, text_of

from corr.mail.html import flattened
from corr.orders import kind_of

NAMES = ("e2e4", "resign resign", "Accept", "px", "O-O", "draw?", "a1a2, b1b2", "| e2e4", "Nf3")
HOSTILE = """\
e2e5, e4e5
note e2e4
help
rules
show
"""


def game_with(table: Table, name: str) -> list:
    """Every kind of letter, with a hostile name in it and hostile lines quoted."""
    table.challenge(f'"{name}" <{ANN}>', f'"{name}" <{BEN}>')
    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    for text in (
        "e2e5",
        "e2e4 looks good",
        HOSTILE,
        "e2e4\n\nA long goodbye:\nx e2e4\nresign is what I shall never do",
    ):
        table.reply(ANN, text)
    for text in ("accept", "resign", "d7d5\ndraw?"):
        table.reply(BEN, text)
    table.clock.pass_by(days=2, hours=12)
    table.sweep()
    for text in ("decline", "e4d5", "help me please"):
        table.reply(ANN, text)
    table.reply(BEN, "d8d5", sender="eve@e.example")
    table.reply(BEN, "resign resign")
    return [letter for player in (ANN, BEN) for letter in table.letters(player)]


def wrapped(text: str, columns: int) -> list[str]:
    """Lines as a mail program breaks them: each long line anew, short ones left alone."""
    return [piece for line in text.splitlines() for piece in textwrap.wrap(line, columns) or [""]]


def filled(text: str, columns: int) -> list[str]:
    """Lines as a mail program breaks them that first joins paragraphs."""
    return [
        piece for block in text.split("\n\n") for piece in textwrap.wrap(" ".join(block.split("\n")), columns)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_no_line_that_we_send_reads_as_an_order(table: Table, name: str) -> None:
    letters = game_with(table, name)

    assert len(letters) > 20
    for letter in letters:
        for text in (text_of(letter), "\n".join(flattened(html_of(letter)))):
            lines = text.splitlines()
            for columns in (60, 66, 72, 76):
                lines += wrapped(text, columns)
            if text == text_of(letter):
                quoted = [line for line in text.split("\n\n") if not line.startswith("| ")]
                for columns in (60, 66, 72, 76):
                    lines += filled("\n\n".join(quoted), columns)
            assert [line for line in lines if kind_of(line) == "order"] == []
            assert [line for line in lines if kind_of(line) == "puzzling"] == []
