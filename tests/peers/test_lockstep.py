"""Random games in lockstep with the packages of others; `python -m bench.lockstep` and its like are the long run."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def needs(peer: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(
        find_spec(peer) is None and os.environ.get("CORR_TEST_ALL") != "1",
        reason=f"the {peer} package is not installed: pip install {peer}",
    )


@pytest.mark.parametrize(
    ("variant", "script"),
    [
        pytest.param("wild16", "bench.lockstep --variant wild16", marks=needs("kriegspiel")),
        pytest.param("cincinnati", "bench.lockstep --variant cincinnati", marks=needs("kriegspiel")),
        pytest.param("classic", "bench.lockstep_classic", marks=needs("kriegspiel")),
        pytest.param("crazykrieg", "bench.lockstep_crazykrieg", marks=needs("kriegspiel")),
        pytest.param("rbc", "bench.lockstep_rbc", marks=[needs("kriegspiel"), needs("reconchess")]),
    ],
)
def test_both_umpires_say_the_same_to_both_players_in_random_games(variant: str, script: str):
    """C14: but for the exceptions that the scripts name."""
    command = [sys.executable, "-W", "error", "-m", *script.split(), "--games", "8", "--seed", "1000"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(f"{variant}: 8 games, 0 differences\n")
