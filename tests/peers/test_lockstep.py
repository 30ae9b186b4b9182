"""Random games in lockstep with the `kriegspiel` package; `python -m bench.lockstep` is the long run."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MISSING = find_spec("kriegspiel") is None


@pytest.mark.skipif(
    MISSING and os.environ.get("CORR_TEST_ALL") != "1",
    reason="the kriegspiel package is not installed: pip install kriegspiel",
)
@pytest.mark.parametrize(
    ("variant", "script"),
    [
        ("wild16", "bench.lockstep --variant wild16"),
        ("cincinnati", "bench.lockstep --variant cincinnati"),
        ("classic", "bench.lockstep_classic"),
        ("crazykrieg", "bench.lockstep_crazykrieg"),
    ],
)
def test_both_umpires_say_the_same_to_both_players_in_random_games(variant: str, script: str):
    command = [sys.executable, "-W", "error", "-m", *script.split(), "--games", "8", "--seed", "1000"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(f"{variant}: 8 games, 0 differences\n")
