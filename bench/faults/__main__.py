"""Plays dozens of games by email while processes are killed, servers break, the disk fills and the clock jumps."""

from __future__ import annotations

import argparse
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import psycopg

from bench.driver import Diary
from bench.faults.count import Evidence
from bench.faults.players import Players
from bench.faults.post import MailCarriers
from bench.faults.server import SERVERS, Server
from bench.faults.strikes import Keeper, Strikes
from tests.support.procfile import Exit, stop_all

_POSTMEN = 8
_NUDGE = timedelta(minutes=1)
_PATIENCE = 240.0
#: Longer than any player may think.
_DAYS = timedelta(days=4)
_SHOWN = 5
_WAITS = (
    "select (select count(*) from inbox where read_at is null)"
    " + (select count(*) from outbox where sent_at is null and dead_at is null)"
)
_RUNNING = "select count(*) from games where state = 'running'"


class Run:
    """Games begin, processes are killed, everything settles, and what went wrong is counted."""

    def __init__(self, asked: argparse.Namespace, folder: Path) -> None:
        dice, seed = Random(asked.seed), asked.seed
        self.asked, self.begun = asked, time.monotonic()
        self.server: Server = SERVERS[asked.stack](folder, Random(f"{seed} sink"))
        self.diary = Diary(lambda: datetime.now(UTC) + self.server.clock.ahead, folder / "diary")
        self.postmen = MailCarriers(self.server.ports, Random(f"{seed} postmen"), _POSTMEN)
        self.players = Players(self.server, self.postmen, seed, asked.thinking)
        self.keeper = Keeper(self.server, dice, self.diary)
        self.strikes = Strikes(self.server, self.players, self.keeper, dice, self.diary)

    def run(self) -> bool:
        """Play it through and print what was found; whether all is well."""
        try:
            self.server.start()
            ends = self._play()
            prepared = {code: match.prepared for code, match in self.players.matches.items()}
            received = list(self.server.received())
            return self._report(Evidence(self.server.ask, self.players.written, received, prepared), ends)
        finally:
            self.server.stop()

    def _play(self) -> list[Exit]:
        """All games from the first challenge to the last end; how the processes ended."""
        self.postmen.start()
        self.players.start(self.asked.games)
        self.diary.note("the games have begun")
        self.strikes.strike(self.asked.kills, self.asked.pause)
        self.players.propose_no_more()
        self.diary.note("nothing is struck any more")
        self.players.thinking = 0.0
        self._wait_until(lambda: not self.players.unfinished() and self._is_idle())
        self.diary.note("the games are finished, but for those that were left")
        self.server.live_on(_DAYS)
        self._wait_until(lambda: self._counted(_RUNNING) == 0 and self._is_idle())
        self.diary.note("the games that were left have run out of time")
        self.players.stop()
        self.postmen.stop()
        self._wait_until(lambda: all(part.has_started() for part in self.server.parts))
        return stop_all(self.server.parts)

    def _wait_until(self, is_so: Callable[[], bool]) -> None:
        """Nudge the clock on twice a second until it is so, so that nobody waits for hours to pass."""
        end = time.monotonic() + _PATIENCE
        while not is_so() and time.monotonic() < end:
            self.keeper.keep_up(0.5)
            self.server.clock.jump(_NUDGE)

    def _is_idle(self) -> bool:
        return self.postmen.are_idle() and self._counted(_WAITS) == 0

    def _counted(self, question: str) -> int:
        try:
            return int(str(self.server.ask(question)[0][0]))
        except (sqlite3.OperationalError, psycopg.OperationalError):
            return -1

    def _report(self, evidence: Evidence, ends: list[Exit]) -> bool:
        wrongs, strikes, written = evidence.judge(), self.strikes, evidence.written
        put_off = Counter({heard: count for heard, count in self.postmen.heard.items() if heard != "250"})
        rows = [
            ("games played at once, and in all", f"{self.asked.games}, {len(evidence.prepared)}"),
            (
                "emails of players accepted",
                f"{sum(each.accepted > 0 for each in written):,} of {len(written):,}",
            ),
            ("emails of the server received", f"{len(evidence.received):,}"),
            ("of them come more than once (allowed)", f"{evidence.came_again():,}"),
            ("processes killed", f"{strikes.kills.total()}: {_listed(strikes.kills)}"),
            ("other troubles", f"{strikes.troubles.total()}: {_listed(strikes.troubles)}"),
            ("emails of players put off or cut off", _listed(put_off)),
            ("emails of the server put off or cut off", _listed(self.server.misdeeds)),
            ("processes that ended by themselves", _listed(self.keeper.ended_by_themselves)),
            ("told to stop while at work", _stopped(strikes.ends)),
            ("told to stop at the end", _stopped(ends)),
            ("left out", self.server.left_out() or "nothing"),
            ("minutes", f"{(time.monotonic() - self.begun) / 60:.1f}"),
            *((heading, str(len(found))) for heading, found in wrongs.items()),
            *((heading, wrong) for heading, found in wrongs.items() for wrong in found[:_SHOWN]),
        ]
        width = max(len(heading) for heading, _ in rows)
        print("\n".join(f"{heading:{width}}  {value}" for heading, value in rows))
        return not any(wrongs.values())


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{what} {number}" for what, number in sorted(counts.items())) or "none"


def _stopped(ends: list[Exit]) -> str:
    """How many ended in good order, how soon, and how the others ended."""
    good = sum(end.status == 0 for end in ends)
    others = Counter(f"{end.name} with status {end.status}" for end in ends if end.status)
    slowest = max((end.seconds for end in ends), default=0.0)
    told = f"{good} of {len(ends)} ended in good order, the slowest in {slowest:.1f} s"
    return f"{told}; {_listed(others)}" if others else told


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.faults", description=__doc__)
    parser.add_argument("--stack", choices=SERVERS, required=True, help="the server to put to the test")
    parser.add_argument("--kills", type=int, default=200, help="how many processes are killed")
    parser.add_argument("--games", type=int, default=40, help="how many games are played at once")
    parser.add_argument("--pause", type=float, default=3.0, help="seconds between two strikes, on average")
    parser.add_argument("--thinking", type=float, default=8.0, help="seconds that a player thinks at most")
    parser.add_argument("--seed", type=int, default=1, help="another number, another run")
    parser.add_argument("--keep", type=Path, help="a new folder for all emails and logs")
    asked = parser.parse_args()
    if missing := SERVERS[asked.stack].missing():
        sys.exit(f"This needs {missing}.")
    with tempfile.TemporaryDirectory(prefix="corr-faults-") as folder:
        kept = asked.keep or Path(folder) / "run"
        kept.mkdir(parents=True)
        return 0 if Run(asked, kept).run() else 1


if __name__ == "__main__":
    sys.exit(main())
