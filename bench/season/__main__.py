"""A simulated season of ratings and events: two workers on one database, and everything calculated anew from the games.

    python -m bench.season --database postgresql
    python -m bench.season --games 2000 --people 60 --seed 7

People and programs of hidden strengths play rated games, in sections, in pyramids and elsewhere; some withdraw, some
let their time pass, operators void games and take others back. No moves are played: each game begins and ends by the
server's own functions. Ends with status 1 if anything that was promised is broken.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time

from bench.driver import DATABASES, databases
from bench.season.check import Check
from bench.season.run import Plan, Season


def report(season: Season) -> list[str]:
    """Play a season and tell of it; what was broken."""
    begun = time.perf_counter()
    club = season.run()
    played, busy = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    check = Check(season.server, club.one_person)
    breaches = [*check.run(), *season.complaints]
    counts = ", ".join(f"{number:,} {what}" for what, number in sorted(season.counts.items()))
    days = (season.plan.steps + 1) // 2
    print(f"{days} days of {len(club.people)} players in {played:,.0f} s, {busy:,.0f} s of CPU: {counts}")
    print("\n".join([*check.told, *breaches, f"{len(breaches)} breaches"]))
    return breaches


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--database", choices=DATABASES, default="sqlite")
    parser.add_argument("--games", type=int, default=Plan(0).games, help="rated games beside those of events")
    parser.add_argument("--people", type=int, default=Plan(0).people, help="people and programs")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with databases(asked.database, durable=False) as place:
        season = Season(place.make("season"), Plan(asked.seed, asked.games, asked.people))
        breaches = report(season)
        season.server.store.close()
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
