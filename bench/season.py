"""A simulated season of ratings and events, with two workers on one database, and what is reckoned anew from its games.

    python -m bench.season --database postgresql
    python -m bench.season --games 2000 --people 60 --seed 7

People and programs of hidden strengths play rated games, in sections, in pyramids and elsewhere; some withdraw, some
let their time pass, operators void games and take others back. No moves are played: each game begins and ends by the
house's own functions. Ends with status 1 if anything that was promised is broken.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time

from bench.seasons.check import Check
from bench.seasons.run import Plan, Season
from bench.simulation.houses import DATABASES, HOUSES
from tests.support.servers import PostgresServer


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.season",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--database", choices=DATABASES, default="sqlite")
    parser.add_argument("--games", type=int, default=Plan(0).games, help="rated games beside those of events")
    parser.add_argument("--people", type=int, default=Plan(0).people, help="people and programs")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.database == "postgresql" and PostgresServer.missing():
        sys.exit(f"This needs {PostgresServer.missing()}.")
    with HOUSES[given.database]() as houses:
        season = Season(next(houses), Plan(given.seed, given.games, given.people))
        breaches = report(season)
        season.house.store.close()
    return 1 if breaches else 0


def report(season: Season) -> list[str]:
    """Play a season and tell of it; what was broken."""
    begun = time.perf_counter()
    club = season.run()
    played, busy = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    check = Check(season.house, club.one_person)
    breaches = [*check.run(), *season.complaints]
    counts = ", ".join(f"{number:,} {what}" for what, number in sorted(season.counts.items()))
    days = (season.plan.steps + 1) // 2
    print(
        f"{days} days of {len(club.people)} players in {played:,.0f} s, {busy:,.0f} s of the workers' CPU: {counts}"
    )
    print("\n".join([*check.told, *breaches, f"{len(breaches)} breaches"]))
    return breaches


if __name__ == "__main__":
    sys.exit(main())
