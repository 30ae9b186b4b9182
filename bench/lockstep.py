"""Compares corr with other umpires in whole random games, answer by answer.

    python -m bench.lockstep --variant cincinnati --games 500

The other umpire is `kriegspiel`'s, or `reconchess`' for Reconnaissance Blind Chess. The modules beside this one name
the differences by ruling, which are counted apart. Ends with status 1 if the two differ anywhere else.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module

from bench.driver import ask

#: The module with each variant's peer.
MODULES = {
    **dict.fromkeys(("wild16", "cincinnati", "classic", "crazykrieg"), "bench.lockstep_kriegspiel"),
    "rbc": "bench.lockstep_rbc",
}


@dataclass
class Tally:
    """What was compared, and the differences."""

    counts: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def expect(self, where: str, ours: object, theirs: object) -> None:
        """Compare two values, and record a difference."""
        if ours != theirs:
            self.differences.append(f"{where}: corr {ours}, the other {theirs}")


def main() -> int:
    asked = ask(__doc__, variant=tuple(MODULES), games=300, seed=1)
    play: Callable[[str, int, Tally], object] = import_module(MODULES[asked.variant]).play
    tally = Tally()
    for seed in range(asked.seed, asked.seed + asked.games):
        play(asked.variant, seed, tally)
    for what, count in sorted(tally.counts.items()):
        print(f"{count:8} {what}")
    print("\n".join(tally.differences[:20]))
    print(f"{asked.variant}: {asked.games} games, {len(tally.differences)} differences")
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
