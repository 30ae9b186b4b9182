"""How long an answer takes at 70 % of the highest load, for the server and the lean floor.

    python -m bench.load [--games 100] [--rounds 9]

From when an email was taken at the door until its answer is at the mail server. Both get the same emails in the same
intervals, as chance sends them; the floor does the same wire work and the least with a database, with no chess in it.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Sequence
from contextlib import ExitStack
from random import Random

from bench.driver import Databases, ask, places
from bench.outside_world import World, run_outside_world
from bench.whole_turn import WARM, Round, open_doors, prepare, race
from tests.support.many_players import Letter

SHARE, TOGETHER = 0.7, 2
_MESSAGE_ID = re.compile(rb"^Message-ID: (<.+>)", re.MULTILINE)


def waits(world: World, door: int, rounds: Sequence[Round], speed: float, dice: Random) -> list[float]:
    """The seconds each email waited for its answers, at this many emails a second."""
    letters = [letter for round_, _ in rounds for letter in round_]
    wanted = world.count + sum(answers for _, answers in rounds)
    world.bring(door, letters, (dice.expovariate(speed) for _ in letters))
    taken = world.join()
    world.wait_for(wanted)
    answered = world.answered()
    return [answered[_name(letter)] - moment for letter, moment in zip(letters, taken, strict=True)]


def _name(letter: Letter) -> str:
    found = _MESSAGE_ID.search(letter.raw)
    assert found
    return found[1].decode()


def measure(place: Databases, world: World, games: int, rounds: int) -> None:
    made = prepare(place, games, rounds)
    found: dict[str, list[float]] = {side: [] for side in made.urls}
    alone = WARM + (rounds + 1) // 3
    with ExitStack() as stack:
        doors = open_doors(stack, place, made, world)
        most = race(doors, made.rounds[:alone], world)
        speed = SHARE * most["ours"]
        for first in range(alone, len(made.rounds), TOGETHER):
            for side, door in doors.items():
                some = made.rounds[first : first + TOGETHER]
                found[side] += waits(world, door, some, speed, Random(first))
    print(
        f"{place.name}: {speed:.0f} emails/s come of {most['ours']:.0f} that it can do; floor {most['floor']:.0f}"
    )
    for percent in (50, 95):
        ours, lean = (statistics.quantiles(each, n=100)[percent - 1] * 1000 for each in found.values())
        print(f"  p{percent} {ours:6.1f} ms, floor {lean:6.1f} ms: {ours / lean:.2f}x")


def main() -> None:
    asked = ask(__doc__, games=100, rounds=9)
    with run_outside_world() as world:
        for place in places():
            measure(place, world, asked.games, asked.rounds)


if __name__ == "__main__":
    main()
