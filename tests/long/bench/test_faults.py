"""A short fault run: every kind of fault at least once on each stack."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.faults.server import SERVERS

ROOT = Path(__file__).parents[3]
#: Each run starts a dozen processes, so they run one at a time.
pytestmark = pytest.mark.xdist_group("faults")
SHORT = ["--kills", "6", "--games", "2", "--pause", "0.5", "--thinking", "0.2"]


@pytest.mark.parametrize("stack", SERVERS)
def test_nothing_is_lost_or_done_twice_while_everything_breaks(stack: str) -> None:
    missing = SERVERS[stack].missing()
    if missing and os.environ.get("CORR_TEST_ALL") != "1":
        pytest.skip(f"this needs {missing}")
    command = [sys.executable, "-m", "bench.faults", "--stack", stack, *SHORT]

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
