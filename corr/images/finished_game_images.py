"""Draws a finished game: a strip of small boards, and for sharing what both sides saw beside the whole board."""

from __future__ import annotations

import struct
import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, pairwise
from typing import NamedTuple, TypeAlias

from corr.images import board_image
from corr.words.replay import Replay
from corr.words.slips import Sight, SquareMarks, fade_sign

#: The size of a square and a board, and the distance from one board to the next.
SQUARE = board_image.SQUARE // 2
BOARD, PITCH = 8 * SQUARE, 8 * SQUARE + 8
#: The columns and the most boards of a strip, and the most moves of a GIF.
COLUMNS, MOST_BOARDS, MOST_GIF_MOVES = 6, 18, 110
#: In an email the strip is narrower, and loses whole rows if it would be too large.
EMAIL_COLUMNS, EMAIL_BOARDS = 4, 12
#: A picture to share: its size, the gap around boards, and where its texts and boards begin. Sites that show pictures
#: beside a link cut off what is wider than this.
SHARED_WIDTH, SHARED_HEIGHT, GAP = 600, 315, 6
_HEADING_TOP, _LABELS_TOP, _BOARDS_TOP, _CAPTION_TOP = 8, 32, 56, 253
#: The lines below the boards are the move, and the umpire's words in at most so many lines of so many letters.
_WORD_LINES, _WORD_LETTERS = 2, 74
#: How long a move is shown, the last one, and a part of a move, in hundredths of a second.
_BEAT, _END, _BLINK = 100, 400, 2
_DEPTH, _CODES = 4, 4096
_CLEAR = b"\0"
_CLEAR_SQUARE = (_CLEAR * SQUARE,) * SQUARE
_SPACE, _ELLIPSIS = 4, "..."

DrawnSquare: TypeAlias = tuple[str, tuple[str, ...]]  # a square's sign, and its marks
Rows: TypeAlias = tuple[bytes, ...]


class StripBoard(NamedTuple):
    """A small board on the strip: the number of the half-move it shows, and its place."""

    number: int
    x: int
    y: int


class SharedFrame(NamedTuple):
    """What both sides saw and the whole board after a half-move, and what stands below them."""

    boards: tuple[tuple[Sight, SquareMarks], ...]  # White's, the whole one, Black's
    caption: str
    words: str  # the umpire's


class Lettering(NamedTuple):
    """What stands above the boards of a picture to share, all in letters that `spell` returns."""

    heading: str
    labels: tuple[str, ...]  # of each board


class StripLayout(NamedTuple):
    width: int
    height: int
    frames: tuple[StripBoard, ...]


def lay_out_strip(last: int, boards: int = MOST_BOARDS, columns: int = COLUMNS) -> StripLayout:
    """Lay out boards for all positions of a game, or for as many as fit, evenly spaced."""
    frames = tuple(
        StripBoard(number, at % columns * PITCH, at // columns * PITCH)
        for at, number in enumerate(choose_steps(last, boards))
    )
    return StripLayout(max(frame.x for frame in frames) + BOARD, frames[-1].y + BOARD, frames)


def choose_steps(last: int, most: int = MOST_GIF_MOVES) -> tuple[int, ...]:
    """Choose which positions to show, by number: all, or at most so many, evenly spaced."""
    if last < most:
        return tuple(range(last + 1))
    return tuple(round(at * last / (most - 1)) for at in range(most))


def png(sights: Sequence[Sight]) -> bytes:
    """Draw the boards of a strip as a PNG."""
    return _draw_png(sights, COLUMNS, _paper())


def draw_email_strip(replay: Replay, most: int) -> bytes:
    """Draw a strip for an email, within `most` bytes; empty if it would show no move."""
    for boards in range(EMAIL_BOARDS, 0, -EMAIL_COLUMNS) if replay.last else ():
        frames = lay_out_strip(replay.last, boards, EMAIL_COLUMNS).frames
        strip = _draw_png([replay.sight(frame.number, None) for frame in frames], EMAIL_COLUMNS, _CLEAR)
        if len(strip) <= most:
            return strip
    return b""


def _draw_png(sights: Sequence[Sight], columns: int, paper: bytes) -> bytes:
    """Draw small boards in rows, on a background of the color `paper`."""
    rows = list(_arrange_boards([_board(_squares(sight)) for sight in sights], columns, paper))
    packed = b"".join(b"\0" + _pack_row(row) for row in rows)
    return board_image.encode_png(
        len(rows[0]), len(rows), board_image.palette(), [board_image.deflate_rows(packed)]
    )


def _arrange_boards(boards: list[Rows], columns: int, paper: bytes) -> Iterator[bytes]:
    """Yield the pixel rows of all boards, one row of boards below the other."""
    width = min(columns, len(boards)) * PITCH - PITCH + BOARD
    for at in range(0, len(boards), columns):
        if at:
            yield from [paper * width] * (PITCH - BOARD)
        for row in zip(*boards[at : at + columns], strict=True):
            yield (paper * (PITCH - BOARD)).join(row).ljust(width, paper)


def _pack_row(row: bytes) -> bytes:
    return bytes(left << 4 | right for left, right in zip(row[::2], row[1::2], strict=True))


def spell(text: str) -> str:
    """Return a text in the letters that pictures have, without accents; empty if it has others."""
    split = unicodedata.normalize("NFKD", text)
    plain = "".join(sign for sign in split if not unicodedata.combining(sign))
    return plain if set(plain) <= {" ", *board_image.LETTERS} else ""


def draw_shared(frame: SharedFrame, lettering: Lettering) -> bytes:
    """Draw one moment of a game for sharing, as a PNG."""
    rows = [_pack_row(row) for row in _all_rows(frame, lettering)]
    packed = board_image.deflate_rows(b"\0" + b"\0".join(rows))
    return board_image.encode_png(SHARED_WIDTH, SHARED_HEIGHT, board_image.palette(), [packed])


def gif(frames: Sequence[SharedFrame], lettering: Lettering) -> bytes:
    """Draw a game for sharing, as an animated GIF: the first frame, then what changes with each move."""
    pauses = [_BEAT] * (len(frames) - 1) + [_END]
    parts = [_part(0, 0, _all_rows(frames[0], lettering), pauses[0])]
    for (before, after), pause in zip(pairwise(frames), pauses[1:], strict=True):
        # Small parts one after another are a third of one that reaches over all boards, and 0.02 seconds aren't seen.
        *early, last = _changed_parts(before, after)
        parts += [_part(*each, _BLINK) for each in early]
        parts.append(_part(*last, pause - _BLINK * len(early)))
    head = b"GIF89a" + struct.pack("<HHBBB", SHARED_WIDTH, SHARED_HEIGHT, 0xF0 | _DEPTH - 1, 0, 0)
    colors = board_image.palette().ljust(3 << _DEPTH, b"\0")
    again = b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
    return b"".join([head, colors, again, *parts, b";"])


def _all_rows(frame: SharedFrame, lettering: Lettering) -> list[bytes]:
    """Return all pixel rows of a picture to share."""
    blank, gap = _paper() * SHARED_WIDTH, _paper() * GAP
    labels = zip(*(_write(label, BOARD) for label in lettering.labels), strict=True)
    boards = zip(*(_board(_squares(*each)) for each in frame.boards), strict=True)
    rows = [blank] * SHARED_HEIGHT
    for top, drawn in (
        (_HEADING_TOP, _write(lettering.heading, SHARED_WIDTH)),
        (_LABELS_TOP, [gap + gap.join(row) + gap for row in labels]),
        (_BOARDS_TOP, [gap + gap.join(row) + gap for row in boards]),
        (_CAPTION_TOP, [row for line in _caption_lines(frame) for row in _write(line, SHARED_WIDTH)]),
    ):
        rows[top : top + len(drawn)] = drawn
    return rows


def _changed_parts(before: SharedFrame, after: SharedFrame) -> Iterator[tuple[int, int, Rows]]:
    """Yield what a move changes: the left, the top and the rows of each part."""
    for column, each in enumerate(zip(before.boards, after.boards, strict=True)):
        old, new = (_squares(*board) for board in each)
        changed = {square for square in range(64) if old[square] != new[square]}
        marked = {square for square in changed if new[square][1]}
        # What was marked and what is marked now may lie far apart, and a part around both would be large.
        for found in filter(None, (changed - marked, marked)):
            yield _draw_changed(new, found, GAP + column * (BOARD + GAP))
    for number, texts in enumerate(zip(_caption_lines(before), _caption_lines(after), strict=True)):
        if texts[0] != texts[1]:
            width = min(SHARED_WIDTH, max(len(_join_letters(text)[0]) for text in texts) + 1 & ~1)
            top = _CAPTION_TOP + number * board_image.LETTER_HEIGHT
            yield (SHARED_WIDTH - width) // 2, top, _write(texts[1], width)


def _caption_lines(frame: SharedFrame) -> list[str]:
    """Return the lines below the boards; words that don't fit are cut off."""
    said = textwrap.wrap(frame.words, _WORD_LETTERS, max_lines=_WORD_LINES, placeholder=_ELLIPSIS)
    return [frame.caption, *said, *[""] * (_WORD_LINES - len(said))]


def _draw_changed(drawn: Sequence[DrawnSquare], found: set[int], left: int) -> tuple[int, int, Rows]:
    """Draw the rectangle around some squares of a small board, and clear all others in it."""
    files, ranks = [square % 8 for square in found], [square // 8 for square in found]
    rows: list[bytes] = []
    for rank in range(min(ranks), max(ranks) + 1):
        squares = range(8 * rank + min(files), 8 * rank + max(files) + 1)
        tiles = [_square(*drawn[each], each) if each in found else _CLEAR_SQUARE for each in squares]
        rows += (b"".join(pieces) for pieces in zip(*tiles, strict=True))
    return left + min(files) * SQUARE, _BOARDS_TOP + min(ranks) * SQUARE, tuple(rows)


def _write(text: str, width: int) -> Rows:
    """Write a line in the middle of this width, and cut off what doesn't fit."""
    line, kept = _join_letters(text), text
    while len(line[0]) > width:
        kept = kept[:-1]
        line = _join_letters(kept.rstrip() + _ELLIPSIS)
    return tuple(row.center(width, _paper()) for row in line)


def _join_letters(text: str) -> Rows:
    """Write a line as wide as it is."""
    letters = [_letter(sign) for sign in text]
    return tuple(b"".join(letter[row] for letter in letters) for row in range(board_image.LETTER_HEIGHT))


@cache
def _letter(sign: str) -> Rows:
    """Return a letter with a pixel free on either side."""
    paper = _paper()
    if sign == " ":
        return (paper * _SPACE,) * board_image.LETTER_HEIGHT
    box = [
        bytes(chain.from_iterable((two >> 4, two & 0xF) for two in row)) for row in board_image.letter(sign)
    ]
    inked = [at for at in range(board_image.LETTER_WIDTH) if any(row[at] for row in box)]
    left, right = inked[0], inked[-1] + 1
    return tuple(paper + row[left:right].replace(_CLEAR, paper) + paper for row in box)


def _part(left: int, top: int, rows: Sequence[bytes], pause: int) -> bytes:
    """Write a part of the GIF: where it lies, its rows, and the time until the next."""
    control = b"!\xf9\x04\x05" + struct.pack("<HBB", pause, 0, 0)
    place = b"," + struct.pack("<HHHHB", left, top, len(rows[0]), len(rows), 0)
    packed = _lzw(b"".join(rows))
    blocks = (packed[at : at + 255] for at in range(0, len(packed), 255))
    data = b"".join(bytes([len(block)]) + block for block in blocks)
    return b"".join([control, place, bytes([_DEPTH]), data, b"\0"])


def _lzw(pixels: bytes) -> bytes:
    """Compress pixels as GIF does: LZW replaces a repeated run by its code."""
    clear = 1 << _DEPTH
    known, new, width = dict[int, int](), clear + 2, _DEPTH + 1
    held, bits, packed, run = clear, width, bytearray(), pixels[0]
    for pixel in chain(pixels[1:], [-1]):
        longer = known.get(run << _DEPTH | pixel) if pixel >= 0 else None
        if longer is not None:
            run = longer
            continue
        held |= run << bits
        bits += width
        if new == _CODES:
            held |= clear << bits
            bits += width
            known, new, width = {}, clear + 2, _DEPTH + 1
        elif pixel >= 0:
            known[run << _DEPTH | pixel] = new
            width += new == 1 << width
            new += 1
        while bits >= 8:
            packed.append(held & 0xFF)
            held >>= 8
            bits -= 8
        run = pixel
    held |= clear + 1 << bits
    return bytes(packed) + held.to_bytes((bits + width + 7) // 8, "little")


def _squares(sight: Sight, marks: SquareMarks = ()) -> list[DrawnSquare]:
    """Return a board's signs and marks from a8 on: all pictures show White's side."""
    over = dict(marks)
    drawn = [(fade_sign(sign), over.get(square, ())) for square, sign in enumerate(sight.signs())]
    return list(chain.from_iterable(drawn[at : at + 8] for at in range(56, -8, -8)))


def _board(drawn: Sequence[DrawnSquare]) -> Rows:
    """Draw a small board from its signs and marks, one pixel to a byte."""
    tiles = [_square(*each, square) for square, each in enumerate(drawn)]
    ranks = (zip(*tiles[at : at + 8], strict=True) for at in range(0, 64, 8))
    return tuple(b"".join(pieces) for pieces in chain.from_iterable(ranks))


def _square(sign: str, over: tuple[str, ...], square: int) -> Rows:
    """Return a square, counted from the top left, with its marks; fog has its contours."""
    row, file = divmod(square, 8)
    bare = board_image.fog(row, file) if sign == "?" else board_image.tile(sign, (row + file) % 2)
    return _halve(board_image.overlay(bare, over))


@cache
def _halve(rows: board_image.Tile) -> Rows:
    """Return a square at half its size."""
    return tuple(
        bytes(
            _average_color(*sorted((two >> 4, two & 0xF, below >> 4, below & 0xF)))
            for two, below in zip(upper, lower, strict=True)
        )
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    )


@cache
def _average_color(*four: int) -> int:
    """Return the color nearest to the average of four, but not the clear one."""
    colors = _colors()
    middle = [sum(colors[each][part] for each in four) / 4 for part in range(3)]
    return min(
        range(1, len(colors)),
        key=lambda each: sum((a - b) ** 2 for a, b in zip(colors[each], middle, strict=True)),
    )


@cache
def _colors() -> list[bytes]:
    palette = board_image.palette()
    return [palette[at : at + 3] for at in range(0, len(palette), 3)]


@cache
def _paper() -> bytes:
    """Return the number of the lightest color, the strip's background, as a pixel."""
    colors = _colors()
    return bytes([max(range(len(colors)), key=lambda each: sum(colors[each]))])
