"""How fast a board is drawn, against resvg and against the floor that zlib sets.

    python bench/diagram.py --games 20

The boards are what the mover sees in random games, turn by turn, and what both see when a game is over.
`fresh` is ours with nothing kept from the boards before; `in play` is ours as letters go out, turn by turn;
`resvg` renders python-chess's SVG of the same board, 400 pixels wide, the making of the SVG not counted;
`zlib` packs our own finished raster at the level that we use. All take turns, board by board.
"""

from __future__ import annotations

import argparse
import random
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from time import perf_counter

import chess
import chess.svg
import resvg_py

from corr import board_image
from corr.words.board import Side
from corr.words.slips import Marked, Sight

ALL = 2**64 - 1
VEIL = "#b0b8c0"
#: What lies over boards in play, in turn: nothing, a move, a capture, the line of a check.
MARKS: tuple[Marked, ...] = (
    (),
    ((12, ("last",)), (28, ("last",))),
    ((12, ("last",)), (28, ("last",)), (35, ("ring",))),
    ((4, ("king",)), *((4 + 8 * far, ("hair 0", "line 0")) for far in range(1, 8))),
)


@dataclass
class Race:
    """Milliseconds of each runner, and bytes of each picture."""

    fresh: list[float] = field(default_factory=list)
    in_play: list[float] = field(default_factory=list)
    resvg: list[float] = field(default_factory=list)
    floor: list[float] = field(default_factory=list)
    ours: list[int] = field(default_factory=list)
    theirs: list[int] = field(default_factory=list)


def boards(games: int) -> Iterator[tuple[chess.Board, Sight]]:
    """What each mover sees after the move, and what both see when the game is over."""
    dice = random.Random(16)
    for _ in range(games):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 120:
            board.push(dice.choice(list(board.legal_moves)))
            own = board.occupied_co[not board.turn]
            yield board, sight(board, not board.turn, own)
        for colour in chess.COLORS:
            yield board, sight(board, colour, ALL)


def sight(board: chess.Board, colour: chess.Color, seen: int) -> Sight:
    return Sight(
        side=Side.WHITE if colour else Side.BLACK,
        own=board.occupied_co[colour],
        seen=seen,
        pawns=board.pawns & seen,
        knights=board.knights & seen,
        bishops=board.bishops & seen,
        rooks=board.rooks & seen,
        queens=board.queens & seen,
        kings=board.kings & seen,
    )


def svg(board: chess.Board, seen: Sight) -> str:
    """The same board by python-chess; its coordinates are paths, so that no font is looked for."""
    shown = chess.BaseBoard.empty()
    shown.set_piece_map({at: man for at, man in board.piece_map().items() if seen.seen >> at & 1})
    fill = dict.fromkeys(chess.SquareSet(~seen.seen & ALL), VEIL)
    return chess.svg.board(shown, orientation=seen.side is Side.WHITE, size=400, fill=fill)


def run(games: int) -> Race:
    race = Race()
    board_image.png(next(boards(1))[1])
    for board, seen in boards(games):
        picture = timed(race.in_play, partial(board_image.png, seen, (), MARKS[len(race.ours) % len(MARKS)]))
        timed(race.fresh, partial(fresh, seen))
        peer = timed(race.resvg, partial(resvg_py.svg_to_bytes, svg(board, seen), skip_system_fonts=True))
        raster = zlib.decompress(board_image._chunks(picture)[b"IDAT"])
        timed(race.floor, partial(zlib.compress, raster, board_image.LEVEL))
        race.ours.append(len(picture))
        race.theirs.append(len(peer))
    return race


def timed(into: list[float], work: Callable[[], bytes]) -> bytes:
    start = perf_counter()
    made = work()
    into.append((perf_counter() - start) * 1e3)
    return made


def fresh(seen: Sight) -> bytes:
    """The same picture past every cache but the cut sheet's."""
    squares, side = [(sign, ()) for sign in seen.signs()], seen.side
    ranks = [tuple(squares[at : at + 8]) for at in range(0, 64, 8)]
    facing = ranks[::-1] if side is Side.WHITE else [rank[::-1] for rank in ranks]
    strips = [board_image._rank.__wrapped__(side, row, rank) for row, rank in enumerate(facing)]
    strips = [board_image._frame.__wrapped__(), *strips, board_image._files.__wrapped__(side)]
    return board_image.encode(board_image.WIDTH, board_image.HEIGHT, board_image._sheet().palette, strips)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20)
    race = run(parser.parse_args().games)
    ours, floor, resvg = median(race.fresh), median(race.floor), median(race.resvg)
    play = median(race.in_play)
    print(f"{len(race.ours)} boards; medians")
    print(f"fresh    {ours:7.3f} ms   {ours / floor:5.2f}x zlib   {resvg / ours:6.1f}x faster than resvg")
    print(f"in play  {play:7.3f} ms   {play / floor:5.2f}x zlib   {resvg / play:6.1f}x faster than resvg")
    print(f"resvg    {resvg:7.3f} ms")
    print(f"zlib     {floor:7.3f} ms")
    small, large = median(race.ours), max(race.ours)
    print(f"bytes    ours {small:.0f}, at most {large}; resvg {median(race.theirs):.0f}")


if __name__ == "__main__":
    main()
