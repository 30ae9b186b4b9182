"""Simulates whole seasons of the house by seed, with everything that may go wrong, and finds what promise was broken.

    python -m bench.simulation --seeds 200 --database sqlite

Each seed is a season of its own; `--seed 17` plays one of them again, letter by letter. Ends with status 1 if anything
was found.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections import Counter
from pathlib import Path

from bench.simulation.check import Check
from bench.simulation.houses import DATABASES, HOUSES
from bench.simulation.run import Plan, run
from tests.support.servers import PostgresServer

_TOLD = ("game", "moved", "row", "handed", "swept", "died", "busy", "stopped", "no mail", "flags", "proved")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, default=20, help="how many seasons")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--seed", type=int, help="this one alone")
    parser.add_argument("--database", choices=DATABASES, default="sqlite")
    parser.add_argument("--games", type=int, default=Plan(0).games, help="games in a season")
    parser.add_argument("--days", type=int, default=Plan(0).days, help="days of a season")
    parser.add_argument("--keep", type=Path, help="a folder for the logs")
    given = parser.parse_args()
    if given.database == "postgresql" and PostgresServer.missing():
        sys.exit(f"This needs {PostgresServer.missing()}.")
    seeds = range(given.first, given.first + given.seeds) if given.seed is None else [given.seed]
    logging.getLogger("corr").setLevel(
        logging.CRITICAL
    )  # what dies and what is refused is told by the seasons' own log
    found, counts, begun = 0, Counter[str](), time.perf_counter()
    with HOUSES[given.database]() as houses:
        for seed, url in zip(seeds, houses, strict=False):
            diary = run(Plan(seed, given.games, given.days), url)
            if given.keep:
                given.keep.mkdir(parents=True, exist_ok=True)
                (given.keep / f"{given.database}-{seed}.jsonl").write_text("\n".join(diary.lines))
            check = Check(diary)
            for breach in check.run():
                print(f"seed {seed}: {breach}", flush=True)
            found += len(check.breaches)
            counts += check.counts
    told = ", ".join(f"{counts[what]:,} {what}" for what in _TOLD)
    print(f"{len(seeds)} seeds on {given.database} in {time.perf_counter() - begun:,.0f} s: {told}")
    print(f"{found} breaches")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
