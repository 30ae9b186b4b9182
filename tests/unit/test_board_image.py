"""Board images: what the player sees, from the player's own side, and nothing else."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
import zlib
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest
from PIL import Image

from corr.images import board_image
from corr.images.board_image import FRAME, GUTTER, HEIGHT, MARKS, SQUARE, TILES, WIDTH, png
from corr.words.board import SQUARE_NUMBER, Pair, Side
from corr.words.orders import Castle
from corr.words.slips import FADED_SUFFIXES, Losses, Sight, fade_sign
from tests.support.sight_cases import START, ranks, sight

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


#: A spy's report, squares sensed a move ago, and a queen that was a pawn.
WHITE_RECALLS = """
    ?   ?  .!1 ?   k?9 ?   ?   ?
    x?3 Q~ p!0 n!1 .!2 b!2 r?4 q?5
    ?   ?  n   .   ?   ?   ?   ?
    x!1 .  .   p   ?   P   ?   ?
    ?  ?  ?  ?  ?  ?  ?  ?
    ?  ?  ?  ?  ?  ?  ?  ?
    P  P  P  ?  ?  ?  P  P
    R  ?  ?  R~ K  N~ B~ ?
"""
#: Both sides' promoted pieces at the end of a game.
ALL_PROMOTED = """
    r  .  b~ q~ k  n~ .  r~
    .  .  .  .  .  .  .  .
    .  .  .  .  .  .  .  .
    .  .  .  p  P  .  .  .
    .  .  .  .  .  .  .  .
    .  .  .  .  .  .  .  .
    .  .  .  .  .  .  .  .
    R~ .  B~ Q~ K  N~ .  R
"""
BLACK_RECALLS = """
    r  ?  b  q  k  b  n  r
    p  p  p  ?  p  p  ?  p
    ?  ?  n  ?  ?  ?  ?  ?
    ?  ?  ?  p  .  .  ?  ?
    ?  ?  ?  .  P  .  ?  ?
    ?  ?  ?  .  .  N  ?  ?
    ?  .!0 P?3 P?3 B?5 ?  q~ ?
    ?  ?  N!0 R!1 Q!1 K?14 ?  X!2
"""


def decode(picture: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(picture))
    image.load()
    return image.convert("RGB")


def tile(image: Image.Image, column: int, row: int) -> bytes:
    """Return the pixels of one square, counted from the top left."""
    left, top = GUTTER + column * SQUARE, FRAME + row * SQUARE
    return image.crop((left, top, left + SQUARE, top + SQUARE)).tobytes()


def square(image: Image.Image, name: str, side: Side = Side.WHITE) -> bytes:
    number = SQUARE_NUMBER[name]
    column, row = number % 8, 7 - number // 8
    return tile(image, column, row) if side is Side.WHITE else tile(image, 7 - column, 7 - row)


@cache
def known_tiles() -> dict[bytes, str]:
    """Return the sign of each tile, learnt from boards that show one sign everywhere."""
    return {drawing: sign for sign, drawings in drawings_of().items() for drawing in drawings}


@cache
def drawings_of() -> dict[str, frozenset[bytes]]:
    """Return all tiles of each sign: one per shade, but every fog tile differs."""
    images = {sign: decode(draw_full_of(sign)) for sign in TILES}
    return {
        sign: frozenset(tile(image, column, row) for column in range(8) for row in range(8))
        for sign, image in images.items()
    }


def draw_full_of(sign: str) -> bytes:
    """Draw a board with one sign everywhere; a quote means a ghost."""
    ghosts = tuple((square, sign[0]) for square in range(64)) if sign.endswith("'") else ()
    return png(full_of("?" if ghosts else sign), ghosts)


def full_of(sign: str) -> Sight:
    """Return a sight with one sign everywhere; only the opponent's pieces are recalled."""
    side = Side.BLACK if sign[0].isupper() and sign[1:] in FADED_SUFFIXES else Side.WHITE
    return sight("\n".join([" ".join([sign_of_tile(sign)] * 8)] * 8), side)


def sign_of_tile(tile: str) -> str:
    """Return a sign that is drawn as this tile: step 4 of fading means five turns or more."""
    return tile.replace("?4", "?5")


def read(picture: bytes) -> list[str]:
    """Read the board from its pixels, rank by rank from the top."""
    image = decode(picture)
    return [" ".join(known_tiles()[tile(image, column, row)] for column in range(8)) for row in range(8)]


BOARDS = pytest.mark.parametrize("board", [START, MIDDLE, FULL], ids=["start", "middle", "full"])
#: Checks along a line and by a knight, a move and a capture, a sense, and pawn tries.
MARKED_EVERYWHERE = pytest.mark.parametrize(
    "marks",
    [
        tuple(
            (square, ("hair 45", "line 45") if square % 9 == 0 else ("ring",)) for square in range(0, 64, 3)
        ),
        tuple((square, ("try left", "try right", "last")) for square in range(16, 48)),
    ],
    ids=["lines and rings", "corners"],
)
RECALLING_BOARDS = pytest.mark.parametrize(
    ("board", "side"),
    [
        (WHITE_RECALLS, Side.WHITE),
        (BLACK_RECALLS, Side.BLACK),
        (ALL_PROMOTED, Side.WHITE),
        (ALL_PROMOTED, Side.BLACK),
    ],
    ids=["white recalls", "black recalls", "white at the end", "black at the end"],
)


def test_every_sign_is_drawn_differently_on_each_shade():
    assert len(known_tiles()) == sum(map(len, drawings_of().values()))
    assert {len(drawings) for drawings in drawings_of().values()} >= {2, 64}


def test_every_sign_is_drawn_differently_even_in_greys():
    greys = {
        Image.frombytes("RGB", (SQUARE, SQUARE), known).convert("L").tobytes() for known in known_tiles()
    }
    assert len(greys) == len(known_tiles())


def test_a_ghost_is_drawn_on_the_fog_of_its_square():
    plain, ghosts = decode(png(full_of("?"))), decode(draw_full_of("Q'"))
    edges = [
        image.crop((GUTTER, FRAME, GUTTER + 8 * SQUARE, FRAME + 3)).tobytes() for image in (plain, ghosts)
    ]
    assert len(tones(edges[0])) > 2
    assert edges[0][: 3 * 30] == edges[1][: 3 * 30]


def test_labels_are_readable_on_any_background():
    image = Image.open(io.BytesIO(png(sight(START)))).convert("RGBA")
    for margin in (
        image.crop((0, FRAME, GUTTER, HEIGHT)),
        image.crop((0, HEIGHT - GUTTER, WIDTH - FRAME, HEIGHT)),
    ):
        colours = margin.getcolors()
        (_, ground), *_ = sorted(colours, reverse=True)
        inks = [colour for _, colour in colours]
        assert {alpha for *_, alpha in inks} == {255}
        assert max(contrast(ink, ground) for ink in inks) > 4.5


def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """Return the contrast ratio of two colours as WCAG defines it."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: tuple[int, ...]) -> float:
    parts = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (each / 255 for each in colour[:3])
    ]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


# ---------------------------------------------------------------- marks


@pytest.mark.parametrize("sign", [".", "?", "P", "n!2", "Q'"])
def test_marks_look_different_on_every_background(sign):
    seen = full_of("?" if sign == "Q'" else sign)
    ghosts = ((35, "Q"),) if sign == "Q'" else ()
    pictures = [png(seen, ghosts, ((35, (mark,)),)) for mark in MARKS]
    assert len({*pictures, png(seen, ghosts)}) == len(MARKS) + 1


def test_a_mark_changes_only_its_own_square():
    plain, marked = (decode(png(sight(MIDDLE), (), marks)) for marks in ((), ((35, ("ring", "last")),)))
    changed = {name for name in SQUARE_NUMBER if square(plain, name) != square(marked, name)}
    assert changed == {"d5"}


@pytest.mark.parametrize("side", Side)
def test_a_mark_is_on_its_square_from_either_side(side):
    plain, marked = (decode(png(sight(FULL, side), (), marks)) for marks in ((), ((0, ("ring",)),)))
    assert square(plain, "a1", side) != square(marked, "a1", side)


def test_marks_contrast_with_every_background():
    colours = [tuple(board_image.palette()[at : at + 3]) for at in range(0, 48, 3)]
    red, blue = (138, 28, 12), (13, 61, 100)
    grounds = [(246, 236, 212), (220, 194, 150), (188, 200, 208), (141, 157, 170)]
    assert {red, blue, *grounds} <= {*colours}
    assert min(contrast(ink, ground) for ink in (red, blue) for ground in grounds) > 3


@BOARDS
@MARKED_EVERYWHERE
def test_a_picture_with_marks_everywhere_is_small(board, marks):
    assert len(png(sight(board), (), marks)) <= 16_000


def test_a_ghost_is_drawn_in_the_fog_and_looks_the_same_for_both_sides():
    imagined = ((35, "b"), (59, "q"))
    drawn = read(png(sight(START), imagined))

    assert (drawn[0], drawn[3]) == ("? ? ? Q' ? ? ? ?", "? ? ? B' ? ? ? ?")
    assert square(decode(png(sight(START), ((59, "q"),))), "d8") == square(
        decode(png(sight(START), ((59, "Q"),))), "d8"
    )


@BOARDS
def test_white_sees_the_board_with_a1_at_the_bottom_left(board):
    assert read(png(sight(board))) == ranks(board)


@BOARDS
def test_black_sees_the_board_with_h8_at_the_bottom_left(board):
    assert read(png(sight(board, Side.BLACK))) == [rank[::-1] for rank in reversed(ranks(board))]


@RECALLING_BOARDS
def test_recalled_and_promoted_pieces_are_drawn_on_their_squares(board, side):
    tiles = [[*map(fade_sign, rank.split())] for rank in ranks(board)]
    facing = tiles if side is Side.WHITE else [rank[::-1] for rank in reversed(tiles)]
    assert read(png(sight(board, side))) == [" ".join(rank) for rank in facing]


def test_a1_is_a_dark_square_for_both_sides():
    empty = "\n".join([". . . . . . . ."] * 8)
    for side in Side:
        image = decode(png(sight(empty, side)))
        assert sum(square(image, "a1", side)) < sum(square(image, "b1", side))
        assert square(image, "a1", side) == square(image, "h8", side)


def test_an_unseen_square_is_cooler_and_darker_than_a_seen_one():
    image = decode(png(sight(MIDDLE)))
    for unseen, seen in (("a6", "d5"), ("a5", "f5")):
        assert darkness(square(image, unseen)) > darkness(square(image, seen)) + 20
        assert warmth(square(image, unseen)) < 0 < warmth(square(image, seen))


def darkness(pixels: bytes) -> float:
    return 255 - sum(pixels) / len(pixels)


def warmth(pixels: bytes) -> float:
    """Return how much more red there is than blue."""
    return (sum(pixels[0::3]) - sum(pixels[2::3])) / len(pixels)


def test_an_unseen_square_looks_different_even_in_greys():
    """A seen empty square has one flat tone; contours run through an unseen one."""
    image = decode(png(sight(MIDDLE)))
    assert len(tones(square(image, "d5"))) == 1
    assert len(tones(square(image, "a5"))) == 2


@pytest.mark.parametrize("shade", [0, 1])
def test_an_empty_square_cools_step_by_step_until_it_is_unseen(shade):
    steps = [decode(png(full_of(sign))) for sign in (".", *(f".{step}" for step in FADED_SUFFIXES[:3]), "?")]
    tiles = [lower_half(tile(image, shade, 0)) for image in steps]
    warmths = [warmth(each) for each in tiles]
    assert warmths[0] > warmths[1] > warmths[2] > max(warmths[3:])
    assert [len(tones(each)) for each in tiles] == [1, 1, 1, 1, 2]


@pytest.mark.parametrize("man", "PNBRQKpnbrqkXx")
@pytest.mark.parametrize("shade", [0, 1])
def test_a_recalled_piece_gets_fainter_step_by_step(man, shade):
    steps = [decode(png(full_of(f"{man}{step}"))) for step in FADED_SUFFIXES]
    darkest = [min(tones(lower_half(tile(image, shade, 0)))) for image in steps]
    assert darkest == sorted(darkest)
    assert len({*darkest[1:]}) == len(darkest[1:])


def lower_half(pixels: bytes) -> bytes:
    """Return the half without marks."""
    return pixels[len(pixels) // 2 :]


def tones(pixels: bytes) -> set[int]:
    return {sum(pixels[at : at + 3]) for at in range(0, len(pixels), 3)}


def test_the_labels_turn_with_the_board():
    white, black = (decode(png(sight(FULL, side))) for side in Side)
    for row in range(8):
        assert label(white, 0, FRAME + row * SQUARE) == label(black, 0, FRAME + (7 - row) * SQUARE)
    assert label(white, 0, FRAME) != label(white, 0, FRAME + SQUARE)
    a_for_white = white.crop((GUTTER, HEIGHT - GUTTER, GUTTER + SQUARE, HEIGHT))
    a_for_black = black.crop((WIDTH - FRAME - SQUARE, HEIGHT - GUTTER, WIDTH - FRAME, HEIGHT))
    assert a_for_white.tobytes() == a_for_black.tobytes()


def label(image: Image.Image, left: int, top: int) -> bytes:
    return image.crop((left, top, left + GUTTER, top + SQUARE)).tobytes()


def test_losses_and_castling_rights_do_not_show():
    """Two positions that differ only in captured pieces and castling rights give the same bytes."""
    seen = sight(MIDDLE)
    other = seen._replace(castling=(Castle.SHORT,), lost=Pair(Losses(3, 2), Losses(1, None)))
    assert png(seen) == png(other)


@BOARDS
def test_another_process_draws_the_same_bytes(board):
    program = (
        "import hashlib, sys; from corr.images.board_image import png;"
        "from corr.words.board import Side; from corr.words.slips import Sight;"
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
    assert len(picture) <= 16_000
    assert decode(picture).size == (400, 400)


@BOARDS
def test_png_chunks_are_valid_and_in_order(board):
    picture = png(sight(board))
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    found, at = [], 8
    while at < len(picture):
        length, kind = struct.unpack_from(">I4s", picture, at)
        data = picture[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", picture, at + 8 + length) == (zlib.crc32(kind + data),)
        found.append((kind, data))
        at += 12 + length
    assert [kind for kind, _ in found] == [b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"]
    assert len(zlib.decompress(found[3][1])) == HEIGHT * (1 + WIDTH // 2)


def test_the_tile_sheet_credits_its_artist():
    with Image.open(Path(board_image.__file__).with_name("tiles.png")) as sheet:
        assert "Burnett" in sheet.info["Copyright"]


# ---------------------------------------------------------------- reserves

RESERVES = pytest.mark.parametrize(
    ("white", "black"),
    [("", ""), ("P", ""), ("QNPP", "qrbn"), ("QQRRRRBBBBNNNN" + "P" * 16, "q")],
    ids=["empty", "one piece", "a few", "many"],
)


def strips(picture: bytes) -> list[bytes]:
    """Return what is drawn below the board, from the top, in strips as high as a square."""
    image = decode(picture)
    return [
        image.crop((0, top, WIDTH, top + SQUARE)).tobytes() for top in range(HEIGHT, image.height, SQUARE)
    ]


@RESERVES
def test_reserves_are_below_the_board_with_the_players_own_nearer(white, black):
    pair = Pair(white, black)
    for_white = strips(png(sight(MIDDLE, Side.WHITE, reserves=pair)))
    for_black = strips(png(sight(MIDDLE, Side.BLACK, reserves=pair)))
    assert len(for_white) == 2
    assert for_black == for_white[::-1]


@RESERVES
@BOARDS
def test_the_board_above_reserves_is_the_board_without_them(board, white, black):
    with_them = decode(png(sight(board, reserves=Pair(white, black))))
    without = decode(png(sight(board)))
    assert with_them.crop((0, 0, WIDTH, HEIGHT)).tobytes() == without.tobytes()


def test_every_reserve_looks_different():
    held = ["", *(man * count for man in "QRBNP" for count in range(1, 17))]
    drawn = {strips(png(sight(MIDDLE, reserves=Pair(white, ""))))[0] for white in held}
    drawn |= {strips(png(sight(MIDDLE, reserves=Pair("", white.lower()))))[1] for white in held}
    assert len(drawn) == 2 * len(held)


def test_the_order_of_pieces_in_a_reserve_does_not_show():
    one, other = Pair("QNPP", "rb"), Pair("PNQP", "br")
    assert png(sight(MIDDLE, reserves=one)) == png(sight(MIDDLE, reserves=other))


@RESERVES
@RECALLING_BOARDS
def test_a_picture_with_everything_in_it_is_small(board, side, white, black):
    assert len(png(sight(board, side, reserves=Pair(white, black)))) <= 16_000
