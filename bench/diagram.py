"""How fast a board is drawn, against resvg and against the floor that zlib sets.

    python -m bench.diagram --games 20

The boards are what the mover sees in random games, turn by turn, and what both see when a game is over.
`fresh` is ours with nothing kept from the boards before; `in play` is ours as emails go out, turn by turn;
`resvg` renders python-chess's SVG of the same board, 400 pixels wide, the making of the SVG not counted;
`zlib` packs our own finished raster at the level that we use. All take turns, board by board.
"""

from __future__ import annotations

import random
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median

import chess
import chess.svg
import resvg_py

from bench.driver import ask
from corr.images import board_image
from corr.words.board import Side
from corr.words.slips import Sight, SquareMarks

ALL = 2**64 - 1
VEIL = "#b0b8c0"
#: The marks on the boards in turn: none, a move, a capture, the line of a check.
MARKS: tuple[SquareMarks, ...] = (
    (),
    ((12, ("last",)), (28, ("last",))),
    ((12, ("last",)), (28, ("last",)), (35, ("ring",))),
    ((4, ("king",)), *((4 + 8 * far, ("hair 0", "line 0")) for far in range(1, 8))),
)
_PIECES = ("pawns", "knights", "bishops", "rooks", "queens", "kings")


def boards(games: int) -> Iterator[tuple[chess.Board, Sight]]:
    """What each side sees after its moves, and what both see at the end."""
    dice = random.Random(16)
    for _ in range(games):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 120:
            board.push(dice.choice(list(board.legal_moves)))
            yield board, sight(board, not board.turn, board.occupied_co[not board.turn])
        for colour in chess.COLORS:
            yield board, sight(board, colour, ALL)


def sight(board: chess.Board, colour: chess.Color, seen: int) -> Sight:
    shown = {name: getattr(board, name) & seen for name in _PIECES}
    return Sight(Side.WHITE if colour else Side.BLACK, board.occupied_co[colour], seen, **shown)


def svg(board: chess.Board, seen: Sight) -> str:
    """The same board by python-chess; its coordinates are paths, so it needs no font."""
    shown = chess.BaseBoard.empty()
    shown.set_piece_map({at: piece for at, piece in board.piece_map().items() if seen.seen >> at & 1})
    fill = dict.fromkeys(chess.SquareSet(~seen.seen & ALL), VEIL)
    return chess.svg.board(shown, orientation=seen.side is Side.WHITE, size=400, fill=fill)


def fresh(seen: Sight) -> bytes:
    """The same image without any cache but that of the sprite sheet."""
    squares, side = [(sign, ()) for sign in seen.signs()], seen.side
    ranks = [tuple(squares[at : at + 8]) for at in range(0, 64, 8)]
    facing = ranks[::-1] if side is Side.WHITE else [rank[::-1] for rank in ranks]
    strips = [board_image._rank.__wrapped__(side, row, rank) for row, rank in enumerate(facing)]
    strips = [board_image._frame.__wrapped__(), *strips, board_image._files.__wrapped__(side)]
    return board_image.encode_png(board_image.WIDTH, board_image.HEIGHT, board_image._sheet().palette, strips)


def main() -> None:
    times: defaultdict[str, list[float]] = defaultdict(list)
    sizes: list[tuple[int, int]] = []

    def timed(name: str, work: Callable[[], bytes]) -> bytes:
        start = time.perf_counter()
        made = work()
        times[name].append((time.perf_counter() - start) * 1e3)
        return made

    games = ask(__doc__, games=20).games
    board_image.png(next(boards(1))[1])
    for number, (board, seen) in enumerate(boards(games)):
        picture = timed("in play", partial(board_image.png, seen, (), MARKS[number % len(MARKS)]))
        timed("fresh", partial(fresh, seen))
        peer = timed("resvg", partial(resvg_py.svg_to_bytes, svg(board, seen), skip_system_fonts=True))
        raster = zlib.decompress(board_image._chunks(picture)[b"IDAT"])
        timed("zlib", partial(zlib.compress, raster, board_image.LEVEL))
        sizes.append((len(picture), len(peer)))
    took = {name: median(each) for name, each in times.items()}
    print(f"{len(sizes)} boards; medians")
    for name, each in took.items():
        print(
            f"{name:8} {each:7.3f} ms   {each / took['zlib']:6.2f}x zlib   resvg takes {took['resvg'] / each:.1f}x"
        )
    ours, theirs = zip(*sizes, strict=True)
    print(f"bytes    ours {median(ours):.0f}, at most {max(ours)}; resvg {median(theirs):.0f}")


if __name__ == "__main__":
    main()
