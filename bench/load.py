"""How long an answer takes while letters keep coming, at 70 % of what the house can do: the house and its floor.

From when a letter was taken at the door until its answer is at the mail server. Both get the same letters in the same
intervals, as chance sends them; the floor does the same wire and database work (`bench/tape.py`) with no chess in it.
"""

from __future__ import annotations

import argparse
import re
import statistics
from collections.abc import Sequence
from contextlib import ExitStack
from random import Random

from bench.databases import Databases, places
from bench.whole import Round, lay, open_doors, race, record
from bench.world import Postman, Sink
from tests.support.crowd import Letter

SHARE = 0.7
FOR_SPEED, TOGETHER = 5, 2
_MESSAGE_ID = re.compile(rb"^Message-ID: (<.+>)", re.MULTILINE)


class Street:
    """Letters on their way to a door, and answers on theirs to the mail server."""

    def __init__(self) -> None:
        self.sink, self.postman = Sink(), Postman()
        self.sink.start()
        self.postman.start()

    def close(self) -> None:
        self.postman.stop()
        self.sink.stop()

    def wait(self, door: int, letter: Letter) -> float:
        """For how long the writer of one letter waited, of which both sides are told."""
        (seconds,) = self.waits(door, [([letter], 2)], 50.0, Random(0))
        return seconds

    def waits(self, door: int, rounds: Sequence[Round], speed: float, dice: Random) -> list[float]:
        """For how long each letter's writer waited, in seconds; so many letters a second come."""
        letters = [letter for round_, _ in rounds for letter in round_]
        wanted = self.sink.count + sum(answers for _, answers in rounds)
        self.postman.bring(door, letters, (dice.expovariate(speed) for _ in letters))
        taken = self.postman.join()
        self.sink.wait_for(wanted)
        answered = self.sink.answered()
        return [answered[name(letter)] - moment for letter, moment in zip(letters, taken, strict=True)]


def name(letter: Letter) -> str:
    found = _MESSAGE_ID.search(letter.raw)
    assert found
    return found[1].decode()


def measure(place: Databases, street: Street, speed: float | None) -> None:
    crowd, urls = lay(place)
    tape, rounds = record(crowd)
    waits: dict[str, list[float]] = {"ours": [], "bare": []}
    with ExitStack() as stack:
        doors = open_doors(stack, place, urls, street.sink, tape)
        most = race(doors, rounds[:FOR_SPEED], street.sink, street.postman)
        wanted = speed or SHARE * most["ours"]
        for first in range(FOR_SPEED, len(rounds), TOGETHER):
            for side, door in doors.items():
                some = rounds[first : first + TOGETHER]
                waits[side] += street.waits(door, some, wanted, Random(first))
    print(
        f"{place.name}: {wanted:.0f} letters/s come of {most['ours']:.0f} that it can do; floor {most['bare']:.0f}"
    )
    for percent in (50, 95):
        ours, bare = (_part(waits[side], percent) for side in ("ours", "bare"))
        print(f"  p{percent} {ours:6.1f} ms, floor {bare:6.1f} ms: {ours / bare:.2f}x")


def _part(waits: Sequence[float], percent: int) -> float:
    """For how many milliseconds so many in a hundred waited at most."""
    return statistics.quantiles(waits, n=100)[percent - 1] * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--speed", type=float, help="letters a second, where it is not 70 %% of what the house can do"
    )
    speed = parser.parse_args().speed
    street = Street()
    with places() as found:
        for place in found:
            measure(place, street, speed)
    street.close()


if __name__ == "__main__":
    main()
