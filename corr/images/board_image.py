"""Draws a player's board as a small PNG for email: own pieces, seen squares, and fog over the rest.

A board is ten strips: the frame, eight ranks, and the files; reserves add two more below. Each strip is deflated
separately and cached, as most ranks stay the same from one email to the next. `scripts/tiles` makes `tiles.png`.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain, product
from pathlib import Path
from typing import NamedTuple, TypeAlias

from corr.words.board import Pair, Side
from corr.words.slips import FADED_SUFFIXES, RECENT_TURNS, GhostPieces, Sight, SquareMarks, draw_signs

_PIECE_LETTERS = "PNBRQKpnbrqk"
#: The sheet's columns of 48 pixels, one row of light and one of dark squares: pieces, seen empty, unseen, promoted
#: pieces, then recalled squares by age with pieces of unknown kind, and ghosts, which look alike for both sides.
TILES = (
    *(*_PIECE_LETTERS, ".", "?"),
    *(f"{man}~" for man in "NBRQnbrq"),
    *(f"{man}{fading}" for fading in FADED_SUFFIXES for man in f"{_PIECE_LETTERS}Xx"),
    *(f".{fading}" for fading in FADED_SUFFIXES[: RECENT_TURNS + 1]),
    *(f"{man}'" for man in "PNBRQK"),
)
SQUARE = 48
#: The marks over a square, as a page draws them: corners, rings, a chevron or line by its angle, a frame's edge.
MARKS = (
    *("last", "ring", "king", "dot", "try left", "try right"),
    *(f"line {turn}" for turn in range(0, 360, 45)),
    *(f"hair {turn}" for turn in range(0, 180, 45)),
    *("left", "right", "top", "bottom"),
)
#: The tiles drawn in the fog: squares recalled from long ago, and ghosts.
_FOGGED_SUFFIXES = (*FADED_SUFFIXES[RECENT_TURNS + 1 :], "'")
#: A reserve shows each kind of piece, faded if absent, and its count; `RESERVES` is where they begin on the sheet.
RESERVE_TILES = tuple(product("QRBNPqrbnp", (False, True)))
COUNTS, COUNT, RESERVES_TOP = range(17), 28, 3 * SQUARE
#: The left margin with the ranks and the bottom margin with the files, and the frame, which both include.
GUTTER, FRAME = 14, 2
#: The letters with which `finished_game_images` writes on pictures, and the size of the box in which each stands.
LETTERS, LETTER_WIDTH, LETTER_HEIGHT = "".join(map(chr, range(33, 127))), 16, 20
LEVEL = 4  # zlib's level: one level more takes three times as long on contours and saves a sixth
WIDTH = HEIGHT = GUTTER + 8 * SQUARE + FRAME

_SHEET = Path(__file__).with_name("tiles.png")
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_ADLER = 65521

Tile: TypeAlias = tuple[bytes, ...]  # a part of a picture as its rows


class PixelRows(NamedTuple):
    """Deflated rows of a picture, with the data for its checksum."""

    deflated: bytes
    adler: int
    length: int


def png(sight: Sight, ghosts: GhostPieces = (), marks: SquareMarks = ()) -> bytes:
    """Draw the board as its player sees and imagines it, from the player's side."""
    return _draw(draw_signs(sight, ghosts), sight.side, sight.reserves, marks)


@lru_cache(maxsize=256)
def _draw(signs: tuple[str, ...], side: Side, reserves: Pair[str] | None, marks: SquareMarks) -> bytes:
    """Draw a board of 64 signs with marks over some squares, and cache it."""
    over = dict(marks)
    squares = [(sign, over.get(square, ())) for square, sign in enumerate(signs)]
    ranks = [tuple(squares[at : at + 8]) for at in range(0, 64, 8)]
    seen = ranks[::-1] if side is Side.WHITE else [rank[::-1] for rank in ranks]
    strips = [_rank(side, row, rank) for row, rank in enumerate(seen)]
    below = [_reserve(each, reserves[each]) for each in (side, side.other)] if reserves else []
    height = HEIGHT + len(below) * SQUARE
    return encode_png(WIDTH, height, palette(), [_frame(), *strips, _files(side), *below])


def tile(sign: str, shade: int) -> Tile:
    """Return the pixel rows of the square with this sign, light or dark, two pixels to a byte."""
    return _sheet().squares[sign, shade]


def fog(row: int, file: int) -> Tile:
    """Return the fog over a square, counted from the top left."""
    return _sheet().fog[row][file]


def letter(sign: str) -> Tile:
    """Return the box of one of `LETTERS`."""
    return _sheet().letters[sign]


def palette() -> bytes:
    """Return the sixteen colors of all pictures."""
    return _sheet().palette


@lru_cache(maxsize=1024)
def _rank(side: Side, row: int, rank: tuple[tuple[str, tuple[str, ...]], ...]) -> PixelRows:
    """Draw one rank: `row` counts from the top, and `rank` has each square's sign and marks, from the left."""
    sheet = _sheet()
    label = str(8 - row if side is Side.WHITE else row + 1)
    tiles = [overlay(_square(sign, row, file), over) for file, (sign, over) in enumerate(rank)]
    return _join_tiles(sheet.ranks[label], *tiles, sheet.right)


def _square(sign: str, row: int, file: int) -> Tile:
    """Return one square, counted from the top left, with its own fog."""
    if sign == "?":
        return _sheet().fog[row][file]
    if sign[1:].endswith(_FOGGED_SUFFIXES):
        return _draw_in_fog(sign.upper() if sign.endswith("'") else sign, row, file)
    return _sheet().squares[sign, (row + file) % 2]


def overlay(tile: Tile, over: tuple[str, ...]) -> Tile:
    """Draw marks, such as a ring for the last move, over a square."""
    return _draw_over(tile, over) if over else tile


@lru_cache(maxsize=256)
def _draw_over(tile: Tile, over: tuple[str, ...]) -> Tile:
    whole = int.from_bytes(b"".join(tile))
    for mark in over:
        drawn, bare = _mark(mark)
        whole = drawn | whole & bare
    return _rows(whole)


@cache
def _mark(name: str) -> tuple[int, int]:
    """Return a mark's pixels, and a mask of those it leaves free."""
    return _split_background(_sheet().over[name], 0)


def _rows(square: int) -> Tile:
    """Split a square, held as one number, into its rows."""
    whole = square.to_bytes(SQUARE * SQUARE // 2)
    return tuple(whole[at : at + SQUARE // 2] for at in range(0, len(whole), SQUARE // 2))


@lru_cache(maxsize=512)
def _draw_in_fog(sign: str, row: int, file: int) -> Tile:
    """Draw a tile with its square's fog around it."""
    sheet, shade = _sheet(), (row + file) % 2
    kept, bare = _split_background(sheet.squares[sign, shade], sheet.squares["?", shade][0][0])
    fog = int.from_bytes(b"".join(sheet.fog[row][file]))
    return _rows(kept | fog & bare)


def _split_background(tile: Tile, ground: int) -> tuple[int, int]:
    """Return a tile's pixels without the background color `ground`, and a mask of that background."""
    bare = bytes(0xF0 * (pair >> 4 == ground >> 4) | 0x0F * (pair & 15 == ground & 15) for pair in range(256))
    kept = bytes(pair & ~mask for pair, mask in enumerate(bare))
    drawn = b"".join(tile)
    return int.from_bytes(drawn.translate(kept)), int.from_bytes(drawn.translate(bare))


@lru_cache(maxsize=256)
def _reserve(side: Side, letters: str) -> PixelRows:
    """Draw a side's reserve: each kind of piece, faded if absent, and its count."""
    sheet = _sheet()
    men = "QRBNP" if side is Side.WHITE else "qrbnp"
    slots = [(sheet.dropped[man, man in letters], sheet.counts[letters.count(man)]) for man in men]
    return _join_tiles(sheet.margins[0], *chain.from_iterable(slots), sheet.margins[1])


@cache
def _files(side: Side) -> PixelRows:
    """Draw the files' letters below the board."""
    corner, *files, end = _sheet().files
    return _join_tiles(corner, *(files if side is Side.WHITE else files[::-1]), end)


@cache
def _frame() -> PixelRows:
    """Draw the top edge of the frame."""
    return _join_tiles(_sheet().top)


def _join_tiles(*tiles: Tile) -> PixelRows:
    """Join tiles of one height side by side, with PNG's filter 0 on each row."""
    margin = (b"\0",) * len(tiles[0])
    return deflate_rows(b"".join(chain.from_iterable(zip(margin, *tiles, strict=True))))


def deflate_rows(rows: bytes) -> PixelRows:
    """Deflate rows for use in any picture: nothing in them refers to the rows above."""
    squeeze = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, 8)
    return PixelRows(squeeze.compress(rows) + squeeze.flush(zlib.Z_SYNC_FLUSH), zlib.adler32(rows), len(rows))


def encode_png(
    width: int, height: int, palette: bytes, strips: Iterable[PixelRows], note: bytes = b""
) -> bytes:
    """Write a PNG of sixteen colors from strips, top to bottom; the first color is transparent."""
    header = struct.pack(">IIBBBBB", width, height, 4, 3, 0, 0, 0)
    notes = _chunk(b"tEXt", b"Copyright\0" + note) if note else b""
    colors = _chunk(b"PLTE", palette) + _chunk(b"tRNS", b"\0")
    body = _chunk(b"IDAT", _join_strips(strips))
    return _SIGNATURE + _chunk(b"IHDR", header) + notes + colors + body + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _join_strips(strips: Iterable[PixelRows]) -> bytes:
    """Join strips into one zlib stream; its checksum follows from theirs."""
    low, high, parts = 1, 0, [b"\x78\x9c"]
    for deflated, adler, length in strips:
        high = (high + (adler >> 16) + length * (low - 1)) % _ADLER
        low = (low + (adler & 0xFFFF) - 1) % _ADLER
        parts.append(deflated)
    return b"".join([*parts, b"\x03\x00", struct.pack(">I", high << 16 | low)])


class _Sheet(NamedTuple):
    """The parts of `tiles.png`."""

    palette: bytes
    squares: dict[tuple[str, int], Tile]
    fog: list[list[Tile]]  # by rank, from the top left
    over: dict[str, Tile]
    dropped: dict[tuple[str, bool], Tile]
    counts: list[Tile]
    margins: list[Tile]
    ranks: dict[str, Tile]
    right: Tile
    files: list[Tile]
    top: Tile
    letters: dict[str, Tile]


@cache
def _sheet() -> _Sheet:
    """Read `tiles.png` and cut it into its parts, once for each process."""
    chunks = _chunks(_SHEET.read_bytes())
    rows = zlib.decompress(chunks[b"IDAT"])
    pitch = 1 + struct.unpack_from(">I", chunks[b"IHDR"])[0] // 2

    def cut(x: int, y: int, width: int, height: int) -> Tile:
        starts = range(y * pitch + 1 + x // 2, (y + height) * pitch, pitch)
        return tuple(rows[at : at + width // 2] for at in starts)

    # From the top: light squares, dark squares, ranks' labels with right edge and reserves, files, frame, fog, marks,
    # letters.
    edges, files, fog = 2 * SQUARE, 3 * SQUARE, 3 * SQUARE + GUTTER + FRAME
    counts = RESERVES_TOP + len(RESERVE_TILES) * SQUARE
    return _Sheet(
        palette=chunks[b"PLTE"],
        squares={
            (letter, shade): cut(column * SQUARE, shade * SQUARE, SQUARE, SQUARE)
            for column, letter in enumerate(TILES)
            for shade in (0, 1)
        },
        fog=[
            [cut(file * SQUARE, fog + row * SQUARE, SQUARE, SQUARE) for file in range(8)] for row in range(8)
        ],
        over={name: cut(at * SQUARE, fog + 8 * SQUARE, SQUARE, SQUARE) for at, name in enumerate(MARKS)},
        dropped={
            each: cut(RESERVES_TOP + at * SQUARE, edges, SQUARE, SQUARE)
            for at, each in enumerate(RESERVE_TILES)
        },
        counts=[cut(counts + count * COUNT, edges, COUNT, SQUARE) for count in COUNTS],
        margins=[
            cut(8 * GUTTER + FRAME, edges, GUTTER, SQUARE),
            cut(counts, edges, WIDTH - GUTTER - 5 * (SQUARE + COUNT), SQUARE),
        ],
        ranks={label: cut(at * GUTTER, edges, GUTTER, SQUARE) for at, label in enumerate("12345678")},
        right=cut(8 * GUTTER, edges, FRAME, SQUARE),
        files=[
            cut(0, files, GUTTER, GUTTER),
            *(cut(GUTTER + file * SQUARE, files, SQUARE, GUTTER) for file in range(8)),
            cut(WIDTH - FRAME, files, FRAME, GUTTER),
        ],
        top=cut(0, files + GUTTER, WIDTH, FRAME),
        letters={
            sign: cut(at * LETTER_WIDTH, fog + 9 * SQUARE, LETTER_WIDTH, LETTER_HEIGHT)
            for at, sign in enumerate(LETTERS)
        },
    )


def _chunks(file: bytes) -> dict[bytes, bytes]:
    """Return a PNG's chunks by kind, one of each."""
    found, at = {}, len(_SIGNATURE)
    while at < len(file):
        length, kind = struct.unpack_from(">I4s", file, at)
        found[kind] = file[at + 8 : at + 8 + length]
        at += 12 + length
    return found
