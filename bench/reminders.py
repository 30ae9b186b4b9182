"""Many reminders that come due in one minute: how fast they are written and handed over, and what that weighs.

python -m bench.reminders            python -m bench.reminders 1000
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, replace
from datetime import timedelta

from bench.databases import Databases, places
from bench.memory import megabytes
from bench.sweep import say
from corr.mail.outward.transport import Delivery, Envelope
from corr.service import worker_rounds
from corr.service.house import House
from tests.support.crowd import Crowd, Hollow, house

GAMES = 10_000
#: Of a turn of three days, after which the first reminder goes.
HALF = timedelta(days=1.5)


@dataclass
class Counting(Hollow):
    """A hollow post that counts what it takes."""

    taken: int = 0

    def send(self, envelope: Envelope) -> Delivery:
        self.taken += 1
        return super().send(envelope)


def measure(place: Databases, games: int) -> str:
    ours = house(place.make(f"reminders{games}"), Hollow())
    Crowd(ours).begin(games)
    worker_rounds.sweep(ours, ours.now())
    _let_fall_due(ours)
    post, before, begun = Counting(), megabytes(os.getpid()), time.perf_counter()
    ours = replace(ours, post=post)
    heaviest = before
    while worker_rounds.sweep(ours, ours.now()) + worker_rounds.send_some(ours, ours.now()):
        heaviest = max(heaviest, megabytes(os.getpid()))
    spent = time.perf_counter() - begun
    assert post.taken == games, f"{post.taken} of {games}"
    ours.store.close()
    return f"{games:,} reminders in {spent:.0f} s, {games / spent:.0f} a second, {heaviest - before:+.1f} MB"


def _let_fall_due(ours: House) -> None:
    """The hours of all reminders fall into the last minute."""
    half = round(HALF.total_seconds() * 1e6)
    say(ours, f"UPDATE games SET deadline = deadline - {half} - 1000000 * (id % 60)")
    say(ours, f"UPDATE seats SET remind_at = remind_at - {half} - 1000000 * (game_id % 60)")


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    with places() as all_places:
        for place in all_places:
            print(f"{place.name:11}{measure(place, games)}", flush=True)


if __name__ == "__main__":
    main()
