"""Splits what an email says into blocks, the one source of its text and of its HTML."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

_COLUMNS = 72
_LAST_WORDS = 3
#: The widest a table's first column gets; a longer cell has a line of its own.
_FIRST_COLUMN = 24
_BOARD = "[board]"
#: The hidden prefix of each line that stays unwrapped, even of an empty one.
_NOTE_MARK = "[note]"
#: The hidden prefix of each row of a table with two columns, and the separator between its cells.
_ROW, _CELL_SEPARATOR = "[row]", " :: "
_LINK = re.compile(r"https?://\S+")
#: The hidden prefix of a template's line: the time, what the umpire says, how to answer, the board in words, what the
#: board's letters mean where it is not drawn.
_MARK = re.compile(r"\[(clock|umpire|how|men|signs)\](?: |$)")


@dataclass(frozen=True, slots=True)
class Block:
    """A block of an email: a paragraph of some kind, lines that a person wrote, a note, a link, or the board."""

    kind: str
    lines: tuple[str, ...]

    @property
    def quoted(self) -> str:
        """The text of its lines without their marks."""
        return " ".join(line.removeprefix("| ") for line in self.lines)

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The two cells of each row of a table."""
        return list(zip(self.lines[::2], self.lines[1::2], strict=True))


def split_blocks(text: str) -> list[Block]:
    pieces = [piece.strip() for piece in re.split(r"\n[ \t]*\n", text)]
    blocks = [_block(piece) for piece in pieces if piece]
    told = (block for block in blocks if block.kind == "board" or any(block.lines))
    return [block for kind, run in groupby(told, attrgetter("kind")) for block in _join_rows(kind, run)]


def _join_rows(kind: str, run: Iterable[Block]) -> Iterable[Block]:
    return [Block(kind, tuple(cell for block in run for cell in block.lines))] if kind == "rows" else run


def _block(piece: str) -> Block:
    lines = tuple(line.strip() for line in piece.split("\n") if line.strip())
    if piece == _BOARD:
        return Block("board", ())
    if lines[0].startswith("| "):
        return Block("quoted", lines)
    if lines[0].startswith(_NOTE_MARK):
        return Block("note", tuple(line.removeprefix(_NOTE_MARK).strip() for line in lines))
    if lines[0].startswith(_ROW):
        cells = (line.removeprefix(_ROW).strip().split(_CELL_SEPARATOR) for line in lines)
        return Block("rows", tuple(cell for row in cells for cell in row))
    if len(lines) == 1 and _LINK.fullmatch(lines[0]):
        return Block("link", lines)
    return _paragraph(lines)


def _paragraph(lines: tuple[str, ...]) -> Block:
    """Build a paragraph; put the time at its end, if any, on a line of its own."""
    for at, line in enumerate(lines):
        if line[0] == "[" and (mark := _MARK.match(line)):
            before, marked = " ".join(lines[:at]), " ".join((line[mark.end() :], *lines[at + 1 :])).strip()
            return Block(mark[1] if marked else "said", tuple(filter(None, (before, marked))))
    return Block("said", (" ".join(lines),))


def wrap_paragraph(paragraph: str) -> str:
    """Wrap a paragraph to an email's width, without breaking words.

    The last line has at least three words: "again." alone, or "accept", would read as an order.
    """
    lines: list[str] = []
    line = ""
    for word in paragraph.split(" "):
        if line and len(line) + 1 + len(word) > _COLUMNS:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    if lines and line.count(" ") < _LAST_WORDS - 1:
        words = f"{lines.pop()} {line}".split(" ")
        lines.append(" ".join(words[:-_LAST_WORDS]))
        line = " ".join(words[-_LAST_WORDS:])
    return "\n".join([*lines, line])


def format_table(rows: list[tuple[str, str]]) -> str:
    """Format a table of two columns to an email's width."""
    longest = max(len(first) for first, _ in rows)
    margin = " " * (min(longest, _FIRST_COLUMN) + 2)
    return "\n".join(_row(first, second, margin) for first, second in rows)


def _row(first: str, second: str, margin: str) -> str:
    """Format a row; put a first cell too long for its column on its own line."""
    lines = textwrap.wrap(second, _COLUMNS, initial_indent=margin, subsequent_indent=margin)
    if len(first) > len(margin) - 2:
        return "\n".join((first, *lines))
    return "\n".join((first.ljust(len(margin)) + lines[0].strip(), *lines[1:]))


def order_for_html(blocks: list[Block]) -> list[Block]:
    """Order the blocks for HTML: how to answer, and the buttons, come before the board."""
    board = next((at for at, block in enumerate(blocks) if block.kind == "board"), None)
    if board is None:
        said = [at + 1 for at, block in enumerate(blocks) if block.kind in ("umpire", "how")]
        told = max(said, default=len(blocks))
        return [*blocks[:told], Block("deeds", ()), *blocks[told:]]
    how = [block for block in blocks[board:] if block.kind == "how"]
    rest = [block for block in blocks[board:] if block.kind != "how"]
    return [*blocks[:board], *how, Block("deeds", ()), *rest]
