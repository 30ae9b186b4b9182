"""Random games in lockstep with other projects' packages; `python -m bench.lockstep` is the long run."""

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
    "variant",
    [
        *(
            pytest.param(variant, marks=needs("kriegspiel"))
            for variant in ("wild16", "cincinnati", "classic")
        ),
        pytest.param("crazykrieg", marks=needs("kriegspiel")),
        pytest.param("rbc", marks=needs("reconchess")),
    ],
)
def test_both_umpires_say_the_same_to_both_players(variant: str):
    """C14, except for the differences that the variants' modules name."""
    arguments = ["--variant", variant, "--games", "8", "--seed", "1000"]
    command = [sys.executable, "-W", "error", "-m", "bench.lockstep", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(f"{variant}: 8 games, 0 differences\n")
