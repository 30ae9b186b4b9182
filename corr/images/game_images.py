"""Draws a finished game for sharing: a PNG strip of small boards, and a GIF of the moves."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, pairwise
from typing import NamedTuple, TypeAlias

from corr.images import board_image
from corr.words.replay import Replay
from corr.words.slips import Sight, fade_sign

#: The size of a square and a board, and the distance from one board to the next.
SQUARE = board_image.SQUARE // 2
BOARD, PITCH = 8 * SQUARE, 8 * SQUARE + 8
#: The columns and the most boards of a strip, and the most moves of a GIF.
COLUMNS, MOST_BOARDS, MOST_GIF_MOVES = 6, 18, 240
#: In an email the strip is narrower, and loses whole rows if it would be too large.
EMAIL_COLUMNS, EMAIL_BOARDS = 4, 12
_BEAT, _END = 110, 500  # the time to show a move and the last one, in hundredths of a second
_DEPTH, _CODES = 4, 4096
_CLEAR = b"\0"

Signs: TypeAlias = tuple[str, ...]
Rows: TypeAlias = tuple[bytes, ...]


class StripBoard(NamedTuple):
    """A small board on the strip: the number of the half-move it shows, and its place."""

    number: int
    x: int
    y: int


class StripLayout(NamedTuple):
    width: int
    height: int
    frames: tuple[StripBoard, ...]


def lay_out_strip(last: int, boards: int = MOST_BOARDS, columns: int = COLUMNS) -> StripLayout:
    """Lay out boards for all positions of a game, or for as many as fit, evenly spaced."""
    frames = tuple(
        StripBoard(number, at % columns * PITCH, at // columns * PITCH)
        for at, number in enumerate(_spread(last, boards))
    )
    return StripLayout(max(frame.x for frame in frames) + BOARD, frames[-1].y + BOARD, frames)


def choose_gif_steps(last: int) -> tuple[int, ...]:
    """Choose which positions a GIF shows, by number: all, or as many as fit, evenly spaced."""
    return _spread(last, MOST_GIF_MOVES)


def _spread(last: int, most: int) -> tuple[int, ...]:
    """Return the numbers from 0 to `last`, or `most` of them, evenly spaced."""
    if last < most:
        return tuple(range(last + 1))
    return tuple(round(at * last / (most - 1)) for at in range(most))


def png(sights: Sequence[Sight]) -> bytes:
    """Draw the boards of a strip as a PNG."""
    return _draw_png(sights, COLUMNS, bytes([_paper()]))


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
    rows = list(_arrange_boards([_board(_signs(sight)) for sight in sights], columns, paper))
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


def gif(sights: Sequence[Sight]) -> bytes:
    """Draw a game as an animated GIF: the first board, then what changes with each move."""
    shown = [_signs(sight) for sight in sights]
    changes = [(0, 0, 8, 8), *(_find_changed_area(before, after) for before, after in pairwise(shown))]
    parts = [
        _part(_board(signs), change, _END if at == len(shown) - 1 else _BEAT)
        for at, (signs, change) in enumerate(zip(shown, changes, strict=True))
    ]
    head = b"GIF89a" + struct.pack("<HHBBB", BOARD, BOARD, 0xF0 | _DEPTH - 1, 0, 0)
    colors = board_image.palette().ljust(3 << _DEPTH, b"\0")
    again = b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
    return b"".join([head, colors, again, *parts, b";"])


def _find_changed_area(before: Signs, after: Signs) -> tuple[int, int, int, int]:
    """Return the rectangle around all changed squares: left, top, width, height; at least one square."""
    found = [square for square in range(64) if before[square] != after[square]] or [0]
    files, rows = [square % 8 for square in found], [square // 8 for square in found]
    return min(files), min(rows), max(files) - min(files) + 1, max(rows) - min(rows) + 1


def _part(board: Rows, change: tuple[int, int, int, int], pause: int) -> bytes:
    """Write one frame of the GIF: the changed part of the board, and how long it stays."""
    left, top, width, height = (each * SQUARE for each in change)
    pixels = b"".join(row[left : left + width] for row in board[top : top + height])
    control = b"!\xf9\x04\x04" + struct.pack("<HBB", pause, 0, 0)
    place = b"," + struct.pack("<HHHHB", left, top, width, height, 0)
    packed = _lzw(pixels)
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


def _signs(sight: Sight) -> Signs:
    """Return a board's signs from a8 on: all strips show White's side."""
    signs = tuple(map(fade_sign, sight.signs()))
    return tuple(chain.from_iterable(signs[at : at + 8] for at in range(56, -8, -8)))


def _board(signs: Signs) -> Rows:
    """Draw a small board from its signs, one pixel to a byte."""
    return tuple(chain.from_iterable(_rank(signs[at : at + 8], at // 8) for at in range(0, 64, 8)))


def _rank(signs: Signs, row: int) -> Iterable[bytes]:
    """Draw one rank of a small board, light and dark squares in turn."""
    tiles = [_tile(sign, (row + file) % 2) for file, sign in enumerate(signs)]
    return (b"".join(pieces) for pieces in zip(*tiles, strict=True))


@cache
def _tile(sign: str, shade: int) -> Rows:
    """Return a square at half its size."""
    rows = board_image.tile(sign, shade)
    return tuple(
        bytes(
            _average_color(*sorted((two >> 4, two & 0xF, below >> 4, below & 0xF)))
            for two, below in zip(upper, lower, strict=True)
        )
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    )


@cache
def _average_color(*four: int) -> int:
    """Return the color nearest to the average of four."""
    colors = _colors()
    middle = [sum(colors[each][part] for each in four) / 4 for part in range(3)]
    return min(
        range(len(colors)),
        key=lambda each: sum((a - b) ** 2 for a, b in zip(colors[each], middle, strict=True)),
    )


@cache
def _colors() -> list[bytes]:
    palette = board_image.palette()
    return [palette[at : at + 3] for at in range(0, len(palette), 3)]


@cache
def _paper() -> int:
    """Return the number of the lightest color, the strip's background."""
    colors = _colors()
    return max(range(len(colors)), key=lambda each: sum(colors[each]))
