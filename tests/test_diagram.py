"""The drawn board shows what its player sees, from the player's own side, and nothing else."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
import zlib
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest
from PIL import Image

from corr import diagram
from corr.diagram import FRAME, GUTTER, HEIGHT, SQUARE, TILES, WIDTH, png
from corr.words import SQUARE_NUMBER, Castle, Man, Pair, Side, Sight, Toll

START = """
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    P P P P P P P P
    R N B Q K B N R
"""
MIDDLE = """
    ? ? ? ? ? ? ? r
    ? ? ? p . . ? ?
    ? ? ? . n . P ?
    ? B ? . . . ? ?
    ? ? ? ? P ? ? ?
    ? ? N ? ? N ? Q
    P P ? P ? ? ? P
    R ? B ? K ? ? R
"""
FULL = """
    r . b q k . . r
    p . p . b p . p
    . p n . p n p .
    . . . p . . . .
    . . P P . . . .
    . P N . P N P .
    P . . B . P . P
    R . B Q K . . R
"""


def decoded(picture: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(picture))
    image.load()
    return image.convert("RGB")


def tile(image: Image.Image, column: int, row: int) -> bytes:
    """The pixels of one square, counted from the top left."""
    left, top = GUTTER + column * SQUARE, FRAME + row * SQUARE
    return image.crop((left, top, left + SQUARE, top + SQUARE)).tobytes()


def square(image: Image.Image, name: str, side: Side = Side.WHITE) -> bytes:
    number = SQUARE_NUMBER[name]
    column, row = number % 8, 7 - number // 8
    return tile(image, column, row) if side is Side.WHITE else tile(image, 7 - column, 7 - row)


@cache
def known_tiles() -> dict[bytes, str]:
    """What each drawing of a square means, learnt from boards that hold one letter everywhere."""
    meanings = {}
    for letter in TILES:
        image = decoded(png(sight("\n".join([" ".join(letter * 8)] * 8))))
        meanings |= dict.fromkeys({tile(image, 0, 0), tile(image, 1, 0)}, letter)
    return meanings


def read(picture: bytes) -> list[str]:
    """The board as drawn, rank by rank from the top, each square told by its pixels alone."""
    image = decoded(picture)
    return [" ".join(known_tiles()[tile(image, column, row)] for column in range(8)) for row in range(8)]


BOARDS = pytest.mark.parametrize("board", [START, MIDDLE, FULL], ids=["start", "middle", "full"])


def test_each_man_on_each_shade_has_a_drawing_of_its_own():
    assert len(known_tiles()) == 2 * len(TILES)


@BOARDS
def test_white_sees_the_board_with_a1_at_the_bottom_left(board):
    assert read(png(sight(board))) == ranks(board)


@BOARDS
def test_black_sees_the_board_with_h8_at_the_bottom_left(board):
    assert read(png(sight(board, Side.BLACK))) == [rank[::-1] for rank in reversed(ranks(board))]


def test_a1_is_a_dark_square_for_both_sides():
    empty = "\n".join([". . . . . . . ."] * 8)
    for side in Side:
        image = decoded(png(sight(empty, side)))
        assert sum(square(image, "a1", side)) < sum(square(image, "b1", side))
        assert square(image, "a1", side) == square(image, "h8", side)


def test_an_unseen_square_is_cooler_and_darker_than_a_seen_one_of_its_shade():
    image = decoded(png(sight(MIDDLE)))
    for unseen, seen in (("a6", "d5"), ("a5", "f5")):
        assert darkness(square(image, unseen)) > darkness(square(image, seen)) + 20
        assert warmth(square(image, unseen)) < 0 < warmth(square(image, seen))


def darkness(pixels: bytes) -> float:
    return 255 - sum(pixels) / len(pixels)


def warmth(pixels: bytes) -> float:
    """How much more red there is than blue."""
    return (sum(pixels[0::3]) - sum(pixels[2::3])) / len(pixels)


def test_an_unseen_square_is_told_from_a_seen_one_without_colours():
    """A seen empty square is one flat tone, an unseen one is hatched."""
    image = decoded(png(sight(MIDDLE)))
    assert len(tones(square(image, "d5"))) == 1
    assert len(tones(square(image, "a5"))) == 2


def tones(pixels: bytes) -> set[int]:
    return {sum(pixels[at : at + 3]) for at in range(0, len(pixels), 3)}


def test_the_labels_turn_with_the_board():
    white, black = (decoded(png(sight(FULL, side))) for side in Side)
    for row in range(8):
        assert label(white, 0, FRAME + row * SQUARE) == label(black, 0, FRAME + (7 - row) * SQUARE)
    assert label(white, 0, FRAME) != label(white, 0, FRAME + SQUARE)
    a_for_white = white.crop((GUTTER, HEIGHT - GUTTER, GUTTER + SQUARE, HEIGHT))
    a_for_black = black.crop((WIDTH - FRAME - SQUARE, HEIGHT - GUTTER, WIDTH - FRAME, HEIGHT))
    assert a_for_white.tobytes() == a_for_black.tobytes()


def label(image: Image.Image, left: int, top: int) -> bytes:
    return image.crop((left, top, left + GUTTER, top + SQUARE)).tobytes()


def test_what_is_not_on_the_board_is_not_in_the_picture():
    """Twins that differ in tolls and castling rights alone are drawn in the same bytes."""
    seen = sight(MIDDLE)
    other = replace(seen, castling=(Castle.SHORT,), lost=Pair(Toll(3, 2), Toll(1, None)))
    assert png(seen) == png(other)


@BOARDS
def test_another_process_draws_the_same_bytes(board):
    program = (
        "import hashlib, sys; from corr.diagram import png; from corr.words import Side, Sight;"
        "side, *masks = sys.argv[1:];"
        "print(hashlib.sha256(png(Sight(Side(side), *map(int, masks)))).hexdigest())"
    )
    seen = sight(board, Side.BLACK)
    masks = [seen.own, seen.seen, *(mask for _, mask in seen.masks())]
    command = [sys.executable, "-W", "error", "-c", program, seen.side.value, *map(str, masks)]
    there = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    assert there == sha256(png(seen)).hexdigest()


@BOARDS
@pytest.mark.parametrize("side", Side)
def test_a_picture_is_small_and_four_hundred_pixels_wide(board, side):
    picture = png(sight(board, side))
    assert len(picture) <= 6_000
    assert decoded(picture).size == (400, 400)


@BOARDS
def test_every_chunk_is_whole_and_in_its_place(board):
    picture = png(sight(board))
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    found, at = [], 8
    while at < len(picture):
        length, kind = struct.unpack_from(">I4s", picture, at)
        data = picture[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", picture, at + 8 + length) == (zlib.crc32(kind + data),)
        found.append((kind, data))
        at += 12 + length
    assert [kind for kind, _ in found] == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    assert len(zlib.decompress(found[2][1])) == HEIGHT * (1 + WIDTH // 2)


def test_the_sheet_says_whose_men_they_are():
    with Image.open(Path(diagram.__file__).with_name("tiles.png")) as sheet:
        assert "Burnett" in sheet.info["Copyright"]
