"""Plays dozens of games by mail while processes are killed, servers break, the disk fills and the clock jumps."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from bench.faults.run import run
from bench.faults.stacks import STACKS
from bench.faults.table import Plan


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.faults", description=__doc__)
    parser.add_argument("--stack", choices=STACKS, required=True, help="the house to put to the test")
    parser.add_argument("--kills", type=int, default=200, help="how many processes are killed")
    parser.add_argument("--games", type=int, default=40, help="how many games are played at once")
    parser.add_argument("--pause", type=float, default=3.0, help="seconds between two blows, on average")
    parser.add_argument("--thinking", type=float, default=8.0, help="seconds that a player thinks at most")
    parser.add_argument("--seed", type=int, default=1, help="another number, another run")
    parser.add_argument("--keep", type=Path, help="a new folder for all letters and logs")
    given = parser.parse_args()
    missing = STACKS[given.stack].missing()
    if missing:
        sys.exit(f"This needs {missing}.")
    plan = Plan(given.stack, given.kills, given.games, given.pause, given.thinking, given.seed)
    with tempfile.TemporaryDirectory(prefix="corr-faults-") as folder:
        kept = given.keep or Path(folder) / "run"
        kept.mkdir(parents=True)
        report = run(plan, kept)
    print(report.text)
    return 0 if report.is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
