"""Pictures of a finished game: strip, GIF and share image show the same boards."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from itertools import pairwise

import chess
import pytest
from PIL import Image, ImageSequence

from corr.images import finished_game_images
from corr.images.finished_game_images import Lettering, SharedFrame
from corr.rules.core.sights import make_sight
from corr.words.board import Pair, Side
from corr.words.replay import Analysis, Replay, Scene
from corr.words.slips import Losses, Sight, SquareMarks

LETTERING = Lettering("Wild 16", ("White: Ann", "The whole board", "Black: Quiet Otter 01234"))


def boards(moves: int, seed: int) -> list[chess.Board]:
    """Return the boards of a random game."""
    chosen, board = random.Random(seed), chess.Board()
    found = [board.copy(stack=False)]
    while len(found) <= moves and not board.is_game_over():
        board.push(chosen.choice(list(board.legal_moves)))
        found.append(board.copy(stack=False))
    return found


def sight_of(board: chess.Board, side: Side, squares: int) -> Sight:
    return make_sight(board, side, Pair(Losses(), Losses()), squares, None)


def open_sights(moves: int, seed: int = 3) -> list[Sight]:
    """Return what White would see of each board if nothing were hidden."""
    return [sight_of(board, Side.WHITE, chess.BB_ALL) for board in boards(moves, seed)]


def shared_frames(moves: int, seed: int = 3) -> list[SharedFrame]:
    """Return the same game as frames to share: each side's view, the last move marked, and words."""
    return [
        SharedFrame(
            (
                (sight_of(board, Side.WHITE, board.occupied_co[chess.WHITE]), ()),
                (sight_of(board, Side.WHITE, chess.BB_ALL), marks),
                (sight_of(board, Side.BLACK, board.occupied_co[chess.BLACK]), marks),
            ),
            f"move {number}",
            f"{'Black' if number % 2 else 'White'}'s move. {number % 3} pawn tries.",
        )
        for number, (board, marks) in enumerate(
            zip(boards(moves, seed), move_marks(moves, seed), strict=True)
        )
    ]


def move_marks(moves: int, seed: int) -> Iterator[SquareMarks]:
    """Return the marks of each move; the first board has none."""
    yield ()
    for before, after in pairwise(boards(moves, seed)):
        changed = chess.SquareSet(before.occupied_co[before.turn] ^ after.occupied_co[before.turn])
        yield tuple((square, ("last",)) for square in changed)


def open_image(picture: bytes) -> Image.Image:
    return Image.open(io.BytesIO(picture)).convert("RGBA")


def share(frame: SharedFrame, lettering: Lettering = LETTERING) -> Image.Image:
    return open_image(finished_game_images.draw_shared(frame, lettering))


@pytest.mark.parametrize("moves", [0, 1, 5, 90])
def test_the_animation_shows_each_move_for_a_second(moves: int) -> None:
    frames = shared_frames(moves)
    gif = Image.open(io.BytesIO(finished_game_images.gif(frames, LETTERING)))

    shown = list(moments(gif))
    seconds = [second for second, _ in shown]
    assert gif.size == (600, 315)
    assert seconds == [*range(1, moves + 1), moves + 4]
    for (_, moment), frame in zip(shown, frames, strict=True):
        assert moment == share(frame).tobytes()


def moments(gif: Image.Image) -> Iterator[tuple[int, bytes]]:
    """Yield how many seconds have passed at the end of each move, and what is shown then."""
    passed = 0
    for part in ImageSequence.Iterator(gif):
        passed += part.info["duration"]
        if part.info["duration"] > 20:
            assert passed % 1000 == 0
            yield passed // 1000, part.convert("RGBA").tobytes()


def test_a_shared_picture_shows_both_sides_fog_and_is_opaque() -> None:
    frame = shared_frames(20)[-1]
    white, whole, black = frame.boards
    picture = share(frame)

    assert picture.getextrema()[3] == (255, 255)
    for left, board in ((6, white), (204, whole), (402, black)):
        alone = share(frame._replace(boards=(board,) * 3))
        box = (left, 56, left + finished_game_images.BOARD, 56 + finished_game_images.BOARD)
        assert alone.crop(box).tobytes() == picture.crop(box).tobytes()


def test_a_shared_picture_marks_the_last_move_only_where_it_is_known() -> None:
    frame = shared_frames(20)[-1]
    bare = frame._replace(boards=tuple((sight, ()) for sight, _ in frame.boards))
    pictures = [share(each) for each in (frame, bare)]

    differ = [
        marked != unmarked
        for left in (6, 204, 402)
        for marked, unmarked in [[each.crop((left, 56, left + 192, 248)).tobytes() for each in pictures]]
    ]
    assert differ == [False, True, True]


def test_words_are_cut_off_after_two_lines() -> None:
    frame = shared_frames(0)[0]
    one, two, three, more = (
        share(frame._replace(words=" ".join(["Illegal move."] * times))) for times in (1, 8, 16, 17)
    )

    inked = [each.crop((0, 293, 600, 315)).convert("L").getextrema()[0] < 128 for each in (one, two)]
    assert inked == [False, True]
    assert three.tobytes() == more.tobytes()


def test_a_name_loses_its_accents_or_is_left_out() -> None:
    written = {
        name: finished_game_images.spell(name)
        for name in ("Ann", "Zoë", "Ngọc Ánh", "O'Neil-3", "Łukasz", "安")
    }

    assert written == {
        "Ann": "Ann",
        "Zoë": "Zoe",
        "Ngọc Ánh": "Ngoc Anh",
        "O'Neil-3": "O'Neil-3",
        "Łukasz": "",
        "安": "",
    }


def test_no_name_is_wider_than_its_board() -> None:
    frame = shared_frames(0)[0]
    short, long = (share(frame, Lettering("", (name, "", ""))) for name in ("W" * 12, "W" * 24))

    assert short.tobytes() != long.tobytes()
    beside = (204, 0, 600, 315)
    assert short.crop(beside).tobytes() == long.crop(beside).tobytes()


@pytest.mark.parametrize("moves", [0, 1, 5, 17, 18, 90])
def test_the_strip_shows_boards_from_the_first_to_the_last(moves: int) -> None:
    sights = open_sights(moves)
    strip = finished_game_images.lay_out_strip(len(sights) - 1)
    picture = open_image(finished_game_images.png([sights[frame.number] for frame in strip.frames]))

    assert picture.size == (strip.width, strip.height)
    assert (strip.frames[0].number, strip.frames[-1].number) == (0, len(sights) - 1)
    for number, x, y in strip.frames:
        assert (
            picture.crop((x, y, x + finished_game_images.BOARD, y + finished_game_images.BOARD)).tobytes()
            == open_image(finished_game_images.png([sights[number]])).tobytes()
        )


def test_pictures_of_long_games_are_small_enough_for_emails_and_pages() -> None:
    sights = [*open_sights(90), *open_sights(110, seed=1), *open_sights(100, seed=5)]
    frames = [*shared_frames(90), *shared_frames(110, seed=1), *shared_frames(100, seed=5)]
    last = len(sights) - 1

    assert last > finished_game_images.MOST_GIF_MOVES
    strip = finished_game_images.lay_out_strip(last)
    assert len(finished_game_images.png([sights[frame.number] for frame in strip.frames])) < 32_000
    assert len(finished_game_images.draw_shared(frames[-1], LETTERING)) < 16_000
    steps = finished_game_images.choose_steps(last)
    assert len(finished_game_images.gif([frames[number] for number in steps], LETTERING)) < 340_000


@pytest.mark.parametrize(
    ("moves", "most", "size"),
    [
        (2, 20_000, (592, 192)),
        (90, 20_000, (792, 592)),
        (90, 14_000, (792, 392)),
        (90, 9_000, (792, 192)),
    ],
)
def test_an_email_strip_has_as_many_rows_as_fit(moves: int, most: int, size: tuple[int, int]) -> None:
    strip = finished_game_images.draw_email_strip(replay(moves), most)

    assert Image.open(io.BytesIO(strip)).size == size
    assert len(strip) <= most


def test_there_is_no_email_strip_without_room_or_moves() -> None:
    assert finished_game_images.draw_email_strip(replay(90), 2_000) == b""
    assert finished_game_images.draw_email_strip(replay(0), 20_000) == b""


def test_an_email_strip_is_transparent_between_its_boards() -> None:
    strip = Image.open(io.BytesIO(finished_game_images.draw_email_strip(replay(4), 20_000))).convert("RGBA")

    assert {strip.getpixel(at) for at in ((195, 20), (20, 195), (300, 300))} == {(0xFB, 0xFA, 0xF4, 0)}


def replay(moves: int) -> Replay:
    """Return a random game with nothing but boards."""
    sights = open_sights(moves)
    words = tuple(f"move {number}" for number in range(1, len(sights)))
    return Replay(
        0, words, Pair(words, words), "", no_scene, lambda number, _: sights[number], no_analysis, ()
    )


def no_analysis(number: int, line: tuple[str, ...]) -> Analysis:
    raise AssertionError(f"{line} after {number} isn't needed here")


def no_scene(number: int) -> Scene:
    raise AssertionError(f"scene {number} isn't needed here")
