"""The arena for bots: its games are reproducible, and saved as they end."""

from __future__ import annotations

from argparse import Namespace
from math import inf
from pathlib import Path

import pytest

from bench.arena import Game, Pairing, games_of, play, report


def arena_args(**others: object) -> Namespace:
    usual = {"first": "random", "second": "heuristics", "variant": "wild16", "games": 3, "seed": 1}
    return Namespace(**{**usual, "jobs": 1, "kept": None, "seconds": inf, **others})


def test_a_game_is_reproducible() -> None:
    first, again = (play(Pairing("beginner", "random", "wild16", 1, 1)) for _ in range(2))

    assert first._replace(cpu=0.0, megabytes=0) == again._replace(cpu=0.0, megabytes=0)


def test_a_stopped_arena_continues_where_it_was(tmp_path: Path) -> None:
    saved = tmp_path / "kept"
    games_of(arena_args(games=2, kept=saved))
    before = saved.read_text()

    games = games_of(arena_args(kept=saved))

    assert sorted(game.number for game in games) == [0, 1, 2]
    assert saved.read_text().startswith(before)
    assert sorted(map(Game.read, saved.read_text().splitlines())) == sorted(games)


def test_each_game_is_reported_as_it_ends(capsys: pytest.CaptureFixture[str]) -> None:
    games_of(arena_args())

    assert [line.split(",")[0] for line in capsys.readouterr().err.splitlines()] == [
        "1 of 3",
        "2 of 3",
        "3 of 3",
    ]


def test_the_results_are_reported_in_one_line() -> None:
    games = [Game(0, 1.0, "checkmate", 60, 30, 3.0, 38), Game(1, 0.5, "hung", 400, 20, 2.0, 40)]

    line = report(arena_args(), games)

    assert "1-0-1, 75 ± 35 % of points; 230 plies; 0.100 s CPU a move, 40 MB" in line
    assert "checkmate 1, hung 1" in line
