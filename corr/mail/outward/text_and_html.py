"""Splits an email's rendered template into blocks, from which we make its text, with its line width, and its HTML."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import attrgetter

_COLUMNS = 72
_LAST_WORDS = 3
_FIRST_COLUMN = 24  # the widest a table's first column gets; a longer cell has a line of its own
_BOARD = "[board]"
_NOTE_MARK = "[note]"  # the hidden prefix of each line that stays unwrapped, even of an empty one
#: The hidden prefix of each row of a table with two columns, and the separator between its cells.
_ROW, _CELL_SEPARATOR = "[row]", " :: "
#: A link, and the hidden prefix of the line before it, which HTML shows on a button instead.
_LINK, _BUTTON = re.compile(r"https?://\S+"), "[button]"
#: The hidden prefix of a line: time, umpire's words, how to reply, board in words, meaning of its letters.
_MARK = re.compile(r"\[(clock|umpire|how|men|signs)\](?: |$)")


@dataclass(frozen=True, slots=True)
class Block:
    """A block of an email: a paragraph of some kind, lines that a person wrote, a note, a link, or the board."""

    kind: str
    lines: tuple[str, ...]

    @property
    def quoted(self) -> str:
        """The lines as one text, without the bar before each."""
        return " ".join(line.removeprefix("| ") for line in self.lines)

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The two cells of each row of a table."""
        return list(zip(self.lines[::2], self.lines[1::2], strict=True))


def split_blocks(text: str) -> list[Block]:
    """Split a rendered template into its blocks: paragraphs, tables, notes, the board."""
    pieces = [piece.strip() for piece in re.split(r"\n[ \t]*\n", text)]
    blocks = [_block(piece) for piece in pieces if piece]
    told = (block for block in blocks if block.kind == "board" or any(block.lines))
    return [block for kind, run in groupby(told, attrgetter("kind")) for block in _join_rows(kind, run)]


def _join_rows(kind: str, run: Iterable[Block]) -> Iterable[Block]:
    """Join neighbouring rows of a table into one block."""
    return [Block(kind, tuple(cell for block in run for cell in block.lines))] if kind == "rows" else run


@lru_cache(maxsize=256)
def _block(piece: str) -> Block:
    """Make a block of a piece of template between empty lines."""
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
    if _LINK.fullmatch(lines[-1]) and (len(lines) == 1 or lines[0].startswith(_BUTTON)):
        return Block("link", (lines[-1], *(line.removeprefix(_BUTTON).strip() for line in lines[:-1])))
    return _paragraph(lines)


def _paragraph(lines: tuple[str, ...]) -> Block:
    """Make a paragraph; a line with a mark such as `[clock]` ends it, and gives its kind."""
    for at, line in enumerate(lines):
        if line[0] == "[" and (mark := _MARK.match(line)):
            before, marked = " ".join(lines[:at]), " ".join((line[mark.end() :], *lines[at + 1 :])).strip()
            return Block(mark[1] if marked else "said", tuple(filter(None, (before, marked))))
    return Block("said", (" ".join(lines),))


@lru_cache(maxsize=256)
def wrap_paragraph(paragraph: str) -> str:
    """Wrap a paragraph, with three words or more on its last line, which alone might be an order."""
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
    """Return the blocks for HTML, with how to answer and the buttons before the board."""
    board = next((at for at, block in enumerate(blocks) if block.kind == "board"), None)
    if board is None:
        said = [at + 1 for at, block in enumerate(blocks) if block.kind in ("umpire", "how")]
        told = max(said, default=len(blocks))
        return [*blocks[:told], Block("deeds", ()), *blocks[told:]]
    how = [block for block in blocks[board:] if block.kind == "how"]
    rest = [block for block in blocks[board:] if block.kind != "how"]
    return [*blocks[:board], *how, Block("deeds", ()), *rest]
