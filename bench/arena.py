"""Plays bots against each other and against others, and reports points, lengths and the cost of a move.

python -m bench.arena strongest heuristics --variant wild16 --games 100
python -m bench.arena strongest random --variant welbeck --games 100 --kept welbeck.txt --seconds 280
STOCKFISH_EXECUTABLE=/usr/games/stockfish python -m bench.arena strongest trout --variant rbc --games 40

Each game is told as it ends. By the seed and its number it is the same whenever it is played, but against players of
`reconchess`, who take what chance they like. With `--kept` the games stand in a file, and an arena that was stopped
goes on where it was.
"""

from __future__ import annotations

import argparse
import math
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from pathlib import Path
from statistics import mean, median
from types import FrameType
from typing import Any, NamedTuple

from bench.arena_players import SIMPLE, ArenaPlayer, HousePlayer
from bench.single_game import SingleGame
from corr.bots.characters import CHARACTERS
from corr.rules.core.umpire import Umpire
from corr.rules.variants import UMPIRES, find_umpire
from corr.words.board import Side

#: Bots of `reconchess`, which must be installed only for them.
RECONCHESS = ("rc-random", "attacker", "trout")
#: A game that takes this long has hung.
_SECONDS = 300


class Pairing(NamedTuple):
    """The two players, the variant, the seed and the game's number."""

    first: str
    second: str
    variant: str
    seed: int
    number: int


class Game(NamedTuple):
    """The result of a game for the first player; a line of the results file."""

    number: int
    points: float
    ending: str
    plies: int
    moves: int
    cpu: float
    megabytes: int

    @classmethod
    def read(cls, line: str) -> Game:
        """Parse a line of the results file."""
        number, points, ending, plies, moves, cpu, megabytes = line.rstrip("\n").split("\t")
        return cls(int(number), float(points), ending, int(plies), int(moves), float(cpu), int(megabytes))

    def __str__(self) -> str:
        return "\t".join(map(str, self)) + "\n"


class Hangs(Exception):
    """A game has taken too long."""


def make_player(name: str, umpire: Umpire[Any], seed: int) -> ArenaPlayer:
    """Make the player of this name."""
    if name in CHARACTERS:
        return HousePlayer(umpire, CHARACTERS[name], seed)
    if name in SIMPLE:
        return SIMPLE[name](umpire, seed)
    others = import_module("bench.reconchess_bots")
    seated: ArenaPlayer = others.Bot(umpire, others.BOTS[name]())
    return seated


def start_game(pairing: Pairing) -> SingleGame:
    """The two players at a board; they swap colours from game to game."""
    umpire = find_umpire(pairing.variant)
    counted = Side.BLACK if pairing.number % 2 else Side.WHITE
    seed = (pairing.seed << 20) + 2 * pairing.number
    first, second = make_player(pairing.first, umpire, seed), make_player(pairing.second, umpire, seed + 1)
    return SingleGame(umpire, {counted: first, counted.other: second}, counted)


def play(pairing: Pairing) -> Game:
    """Play one game."""
    board = start_game(pairing)
    played = board.played
    try:
        with _at_most(_SECONDS):
            board.play()
    except Hangs:
        played.ending, played.points = "hung", 0.5
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    cpu = round(played.cpu, 3)
    return Game(pairing.number, played.points, played.ending, played.plies, played.moves, cpu, megabytes)


@contextmanager
def _at_most(seconds: int) -> Iterator[None]:
    def hang(_number: int, _frame: FrameType | None) -> None:
        raise Hangs

    before = signal.signal(signal.SIGALRM, hang)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def games_of(asked: argparse.Namespace) -> list[Game]:
    """The stored games, then the remaining ones, each printed and stored as it ends."""
    kept: Path | None = asked.kept
    games = [Game.read(line) for line in kept.read_text().splitlines()] if kept and kept.exists() else []
    played = {game.number for game in games}
    left = [
        Pairing(asked.first, asked.second, asked.variant, asked.seed, number)
        for number in range(asked.games)
        if number not in played
    ]
    for game in _played(left, asked.jobs, time.monotonic() + asked.seconds):
        games.append(game)
        sys.stderr.write(f"{len(games)} of {asked.games}, {standing(games)}; {game}")
        if kept:
            with kept.open("a") as file:
                file.write(str(game))
    return games


def _played(pairings: list[Pairing], jobs: int, until: float) -> Iterator[Game]:
    """Yield games as they end; none begins after the given moment."""
    waiting = iter(pairings)
    with ProcessPoolExecutor(jobs) as pool:
        running = {pool.submit(play, pairing) for pairing in islice(waiting, jobs)}
        while running:
            ended = next(as_completed(running))
            running.remove(ended)
            following = next(waiting, None) if time.monotonic() < until else None
            if following:
                running.add(pool.submit(play, following))
            yield ended.result()


def standing(games: list[Game]) -> str:
    """Won, lost and drawn so far."""
    points = Counter(game.points for game in games)
    return f"{points[1.0]}-{points[0.0]}-{points[0.5]}"


def report(asked: argparse.Namespace, games: list[Game]) -> str:
    """The results in one paragraph."""
    share = mean(game.points for game in games)
    off = 1.96 * math.sqrt(mean((game.points - share) ** 2 for game in games) / len(games))
    endings = Counter(game.ending for game in games).most_common()
    return (
        f"{asked.variant}: {asked.first} - {asked.second}: {standing(games)}, "
        f"{100 * share:.0f} ± {100 * off:.0f} % of points; {median(game.plies for game in games):.0f} plies; "
        f"{sum(game.cpu for game in games) / sum(game.moves for game in games):.3f} s CPU a move, "
        f"{max(game.megabytes for game in games)} MB; "
        f"{', '.join(f'{ending} {count}' for ending, count in endings)}\n"
    )


def main() -> None:
    """Play the requested games and print the results."""
    names = [*CHARACTERS, *SIMPLE, *RECONCHESS]
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("first", choices=names)
    reader.add_argument("second", choices=names)
    reader.add_argument("--variant", choices=UMPIRES, default="wild16")
    reader.add_argument("--games", type=int, default=100)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--jobs", type=int, default=2)
    reader.add_argument("--kept", type=Path, help="the file that keeps the games")
    reader.add_argument("--seconds", type=float, default=math.inf, help="begin no game after so many")
    asked = reader.parse_args()
    sys.stdout.write(report(asked, games_of(asked)))


if __name__ == "__main__":
    main()
