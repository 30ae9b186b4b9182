"""Writes a game's record as a PGN file in UTF-8.

Each move begins a line, so that an email could not mean any line as an order. No name or sentence can leave its
place: a tag is one line with its quotes escaped, and a comment holds no braces. Text that people worded is cut to
its line; a position is never cut.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from corr.rules.retold.pgn_record import Record
from corr.words.board import Side

_COLUMNS = 79
_LONGEST_WORD = 60
_UNCUT = ("FEN",)
_BRACES = str.maketrans("{}", "()")


def clean_record(record: Record) -> Record:
    """Return the record in a form that a file can hold."""
    return Record(
        tuple((name, _tag_value(name, value)) for name, value in record.tags),
        record.moves,
        tuple(tuple(filter(None, map(_comment, said))) for said in record.comments),
        record.result,
    )


def write_pgn(record: Record) -> str:
    held = clean_record(record)
    tags = (f'[{name} "{_escape(value)}"]' for name, value in held.tags)
    lines = (
        line
        for piece in _movetext(held)
        for line in textwrap.wrap(piece, _COLUMNS, break_long_words=False, break_on_hyphens=False)
    )
    return "\n".join([*tags, "", *lines, ""])


def _printable(text: str) -> str:
    """Put text on one line, without invisible marks and those that change its direction."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _tag_value(name: str, text: str) -> str:
    """Return a tag's value, cut to its line if people have worded it."""
    value = _printable(text)
    return (value if name in _UNCUT else _cut_value(value, _COLUMNS - len(f'[{name} ""]'))) or "?"


def _cut_value(value: str, room: int) -> str:
    while len(_escape(value)) > room:
        value = value[:-1].rstrip()
    return value


def _comment(text: str) -> str:
    words = _printable(text.translate(_BRACES))
    return re.sub(rf"(\S{{{_LONGEST_WORD}}})(?=\S)", r"\1 ", words)


def _movetext(record: Record) -> Iterator[str]:
    first, *after = (" ".join(f"{{{said}}}" for said in each) for each in record.comments)
    yield first
    begins = int(_first_mover(record) is Side.BLACK)
    for ply, (move, said) in enumerate(zip(record.moves, after, strict=True), start=begins):
        yield f"{ply // 2 + 1}{'...' if ply % 2 else '.'} {move} {said}"
    yield record.result


def _first_mover(record: Record) -> Side:
    fen = dict(record.tags).get("FEN", "w w").split()
    return Side.BLACK if fen[1] == "b" else Side.WHITE
