"""Games from random set-ups, written down, and read by others: python-chess, and pgn-extract where it is there.

The long form, by hand: `python -m tests.support.random_setups 2000`.
"""

from __future__ import annotations

import io
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import chess.pgn

from corr.orders import parse_order
from corr.rules.retold import pgn
from corr.rules.retold.pgn import build_record
from corr.rules.variants import find_umpire
from corr.words.board import Side
from corr.words.orders import Deploy
from tests.support import referee_duel, slow_referee
from tests.support.random_games import PlayedGame, resign

PGN_EXTRACT = Path("/usr/games/pgn-extract")
MOVES = 6
#: King and rooks where they may castle.
AT_HOME = {Side.WHITE: ("Ke1", "Ra1", "Rh1"), Side.BLACK: ("Ke8", "Ra8", "Rh8")}


def games(count: int, seed: int) -> Iterator[PlayedGame]:
    """Games of Welbeck from random set-ups, a few moves each."""
    rng = random.Random(seed)
    while count:
        played = begun(rng)
        if played.last.turn:
            count -= 1
            yield moved(played, rng)


def begun(rng: random.Random) -> PlayedGame:
    umpire = find_umpire("welbeck")
    played = PlayedGame(umpire, [umpire.start()])
    kind = rng.choice((anywhere, at_home, apart))
    for side in Side:
        played.put(side, Deploy(tuple(map(referee_duel.man_of, kind(side, rng)))))
    return played


def anywhere(side: Side, rng: random.Random) -> list[str]:
    return referee_duel.random_men(side, rng)


def at_home(side: Side, rng: random.Random) -> list[str]:
    """An army that may castle to both sides; other pieces anywhere."""
    return army(side, rng, AT_HOME[side], [file + row for row in rows(side) for file in slow_referee.FILES])


def apart(side: Side, rng: random.Random) -> list[str]:
    """No two pieces side by side, which makes the longest FEN; castling may be possible."""
    shift = rng.choice((0, 1))
    squares = [
        file + row
        for row in rows(side)
        for file in slow_referee.FILES[shift if row in "18" else 1 - shift :: 2]
    ]
    return army(side, rng, () if shift else AT_HOME[side][:2], squares)


def rows(side: Side) -> str:
    return slow_referee.OWN_HALF[side.value]


def army(side: Side, rng: random.Random, placed: tuple[str, ...], squares: list[str]) -> list[str]:
    """A whole army on these squares, with some pieces already placed; king first."""
    left = list(referee_duel.ARMY)
    for man in placed:
        left.remove(man[0])
    free = sorted(set(squares) - {man[1:] for man in placed})
    while True:
        others = (man + square for man, square in zip(left, rng.sample(free, len(left)), strict=True))
        men = [*placed, *others]
        if not slow_referee.faults(men, side.value, "welbeck"):
            return men


def moved(played: PlayedGame, rng: random.Random) -> PlayedGame:
    for _ in range(MOVES):
        if played.last.turn:
            move = rng.choice(played.umpire.legal(played.last.truth.board))
            played.put(played.last.turn, parse_order(move))
    return resign(played, played.last.turn)


def text_of(played: PlayedGame) -> str:
    return pgn.write_pgn(build_record(played.umpire.card, played.finished()))


def fens(played: PlayedGame) -> tuple[str, str]:
    """The first position and the last, without counters and en passant."""
    truths = [ruling.truth for ruling in played.rulings[2:]]
    first, last = (played.umpire.fen(truth).split()[:3] for truth in (truths[0], truths[-1]))
    return " ".join(first), " ".join(last)


def by_python_chess(text: str) -> tuple[str, str]:
    """The first and last position as python-chess reads them; it doesn't know Welbeck."""
    game = chess.pgn.read_game(io.StringIO(text.replace('[Variant "Welbeck"]\n', "")))
    assert game
    assert game.errors == []
    boards = (game.board(), game.end().board())
    first, last = (" ".join(board.fen().split()[:3]) for board in boards)
    return first, last


def by_pgn_extract(texts: Sequence[str]) -> list[tuple[str, str]]:
    """The first and last position of each game as pgn-extract reads them."""
    done = subprocess.run(
        [PGN_EXTRACT, "-s", "-Wepd"], input="\n".join(texts), capture_output=True, text=True, check=True
    )
    assert "error" not in done.stderr.lower(), done.stderr
    games = (game.splitlines() for game in done.stdout.strip().split("\n\n"))
    return [(" ".join(game[0].split()[:3]), " ".join(game[-1].split()[:3])) for game in games]


if __name__ == "__main__":
    all_games = list(games(int(sys.argv[1]), seed=1))
    expected, written = [fens(each) for each in all_games], [text_of(each) for each in all_games]
    widest = max(len(line) for text in written for line in text.splitlines())
    assert [by_python_chess(text) for text in written] == expected
    sys.stdout.write(f"{len(written)} games, the widest line {widest}; python-chess reads all\n")
    assert by_pgn_extract(written) == expected
    sys.stdout.write("pgn-extract reads all\n")
