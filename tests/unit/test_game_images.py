"""Pictures of a finished game: the strip and the GIF show the same boards, as any program reads them."""

from __future__ import annotations

import io
import random

import chess
import pytest
from PIL import Image, ImageSequence

from corr.images import game_images
from corr.rules.core.sights import make_sight
from corr.words.board import Pair, Side
from corr.words.replay import Analysis, Replay, Scene
from corr.words.slips import Losses, Sight


def played(moves: int, seed: int = 3) -> list[Sight]:
    """The whole boards of a game at random."""
    chosen, board = random.Random(seed), chess.Board()
    boards = [board.copy(stack=False)]
    while len(boards) <= moves and not board.is_game_over():
        board.push(chosen.choice(list(board.legal_moves)))
        boards.append(board.copy(stack=False))
    return [make_sight(each, Side.WHITE, Pair(Losses(), Losses()), chess.BB_ALL, None) for each in boards]


@pytest.mark.parametrize("moves", [0, 1, 5, 17, 18, 90])
def test_the_strip_and_the_gif_show_the_same_boards(moves: int) -> None:
    sights = played(moves)
    strip = game_images.lay_out_strip(len(sights) - 1)
    picture = Image.open(
        io.BytesIO(game_images.png([sights[frame.number] for frame in strip.frames]))
    ).convert("RGB")
    gif = Image.open(io.BytesIO(game_images.gif(sights)))
    frames = [each.convert("RGB").tobytes() for each in ImageSequence.Iterator(gif)]

    assert picture.size == (strip.width, strip.height)
    assert (strip.frames[0].number, strip.frames[-1].number) == (0, len(sights) - 1)
    for number, x, y in strip.frames:
        assert picture.crop((x, y, x + game_images.BOARD, y + game_images.BOARD)).tobytes() == frames[number]


def test_neither_grows_beyond_what_a_letter_or_a_page_can_carry() -> None:
    sights = [*played(90), *played(110, seed=1), *played(100, seed=5)]
    last = len(sights) - 1

    assert last > game_images.MOST_GIF_MOVES
    assert (
        len(game_images.png([sights[frame.number] for frame in game_images.lay_out_strip(last).frames]))
        < 32_000
    )
    assert len(game_images.gif([sights[number] for number in game_images.choose_gif_steps(last)])) < 200_000


@pytest.mark.parametrize(
    ("moves", "most", "size"),
    [
        (2, 20_000, (592, 192)),
        (90, 20_000, (792, 592)),
        (90, 14_000, (792, 392)),
        (90, 9_000, (792, 192)),
    ],
)
def test_a_letters_strip_has_as_many_rows_as_there_is_room_for(
    moves: int, most: int, size: tuple[int, int]
) -> None:
    strip = game_images.draw_email_strip(replay(moves), most)

    assert Image.open(io.BytesIO(strip)).size == size
    assert len(strip) <= most


def test_a_letter_with_no_room_or_a_game_with_no_move_has_no_strip() -> None:
    assert game_images.draw_email_strip(replay(90), 2_000) == b""
    assert game_images.draw_email_strip(replay(0), 20_000) == b""


def test_between_the_boards_of_a_letters_strip_its_paper_shows_through() -> None:
    strip = Image.open(io.BytesIO(game_images.draw_email_strip(replay(4), 20_000))).convert("RGBA")

    assert {strip.getpixel(at) for at in ((195, 20), (20, 195), (300, 300))} == {(0xFB, 0xFA, 0xF4, 0)}


def replay(moves: int) -> Replay:
    """A game at random, of which the boards alone are looked at."""
    sights = played(moves)
    words = tuple(f"move {number}" for number in range(1, len(sights)))
    return Replay(0, words, Pair(words, words), "", unlooked_at, lambda number, _: sights[number], unanalysed)


def unanalysed(number: int, line: tuple[str, ...]) -> Analysis:
    raise AssertionError(f"{line} after {number} is no board")


def unlooked_at(number: int) -> Scene:
    raise AssertionError(f"scene {number} is no board")
