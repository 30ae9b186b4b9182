"""Simulates whole seasons of the server by seed, with every kind of fault, and finds broken promises.

    python -m bench.simulation --seeds 200 --database sqlite

Each seed is a season of its own; `--seed 17` plays one of them again, email by email. Ends with status 1 if anything
was found.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections import Counter
from pathlib import Path

from bench.driver import DATABASES, databases
from bench.simulation.check import Check
from bench.simulation.run import Plan, run

_TOLD = ("game", "moved", "row", "handed", "swept", "died", "busy", "stopped", "no mail", "flags", "proved")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=20, help="how many seasons")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--seed", type=int, help="this one alone")
    parser.add_argument("--database", choices=DATABASES, default="sqlite")
    parser.add_argument("--games", type=int, default=Plan(0).games, help="games in a season")
    parser.add_argument("--days", type=int, default=Plan(0).days, help="days of a season")
    parser.add_argument("--keep", type=Path, help="a folder for the logs")
    asked = parser.parse_args()
    seeds = range(asked.first, asked.first + asked.seeds) if asked.seed is None else [asked.seed]
    # Deaths and refusals are in the seasons' own log.
    logging.getLogger("corr").setLevel(logging.CRITICAL)
    found, counts, begun = 0, Counter[str](), time.perf_counter()
    with databases(asked.database, durable=False) as place:
        for seed, url in zip(seeds, place.fresh(), strict=False):
            diary = run(Plan(seed, asked.games, asked.days), url)
            if asked.keep:
                asked.keep.mkdir(parents=True, exist_ok=True)
                (asked.keep / f"{asked.database}-{seed}.jsonl").write_text("\n".join(diary.lines))
            check = Check(diary)
            for breach in check.run():
                print(f"seed {seed}: {breach}", flush=True)
            found += len(check.breaches)
            counts += check.counts
    told = ", ".join(f"{counts[what]:,} {what}" for what in _TOLD)
    print(f"{len(seeds)} seeds on {asked.database} in {time.perf_counter() - begun:,.0f} s: {told}")
    print(f"{found} breaches")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
