"""How long a list of 200 tries takes the umpire, and a house that gets it by letter; how long a letter is read.

python -m bench.lists
"""

from __future__ import annotations

import random
import statistics
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

from corr import limits
from corr.orders import read, read_order
from corr.rules.core.try_lists import in_turn
from corr.rules.core.umpire import Umpire
from corr.rules.variants import UMPIRES
from corr.words.board import squares_of
from corr.words.orders import Move, Tries
from corr.words.slips import Verdict
from tests.support.played import begun
from tests.support.table import ANN, lay

TRIES, ROUNDS = 200, 5
#: Milliseconds that a list may take the umpire.
GOAL = 5.0
#: Beginnings of lines; each line ends with a number of its own, since equal ones are read once.
LINES = {
    "a sign that stands for three": "½",
    "many such signs": "½" * 90,
    "a move": "e2e4",
    "a move among words": "e2e4 looks good",
    "a sentence": "Hello there my friend, how are you today?",
    "a word": "hello",
    "Cyrillic words": "привет как дела",
    "Greek letters": "αβγ δεζ",
    "full-width letters": "".join(chr(ord(sign) + 0xFEE0) for sign in "e2e4"),
    "an open list": "e2e4, " * 30,
    "too many men": "deploy" + " e2" * 60,
    "points": "." * 190,
}


def median(work: Callable[[], object]) -> float:
    """How long it takes a processor, in milliseconds."""
    times = []
    for _ in range(ROUNDS):
        began = process_time()
        work()
        times.append((process_time() - began) * 1000)
    return statistics.median(times)


def in_vain(umpire: Umpire[Any], truth: Any) -> Tries:
    """So many moves of one's own men of which none can be made."""
    side = umpire.turn(truth)
    assert side
    own = squares_of(truth.sights[side].own)
    moves = [Move(origin, target) for origin in own for target in range(64) if origin != target]
    never = [move for move in moves if umpire.judge(truth, side, move).verdict is not Verdict.MOVED]
    return Tries(tuple(random.Random(1).sample(never, TRIES)))


def judged(umpire: Umpire[Any]) -> float:
    """How long the umpire has with a list in which nothing can be made."""
    truth = begun(umpire).last.truth
    side, tries = umpire.turn(truth), in_vain(umpire, truth)
    assert side
    return median(lambda: list(in_turn(umpire, truth, side, tries)))


def by_letter(count: int) -> float:
    """How long a house has with a list with so many refusals before its move, from its door to the answer."""
    with TemporaryDirectory() as folder:
        table = lay(Path(folder))
        table.begin_anew()
        umpire = UMPIRES["wild16"]
        tries = in_vain(umpire, umpire.start().truth).steps[:count]
        began = perf_counter()
        table.reply(ANN, ",\n".join(map(str, (*tries, read_order("e2e4")))))
        took = (perf_counter() - began) * 1000
        assert "The umpire says: Black's move." in table.says(ANN)
        table.house.store.close()
        return took


def main() -> int:
    """Print it all; 1 if a list takes the umpire longer than it may."""
    late = 0
    for key, umpire in UMPIRES.items():
        took = judged(umpire)
        late += took > GOAL
        print(f"{key:11} {TRIES} tries judged in {took:5.2f} ms")
    for count in (0, TRIES):
        took = statistics.median(by_letter(count) for _ in range(5))
        print(f"a letter with {count} refusals before its move, whole: {took:.0f} ms")
    for name, line in LINES.items():
        count = min(limits.LETTER_LINES, limits.LETTER_BYTES // (len(line.encode()) + 6))
        lines = [f"{line} {number}" for number in range(count)]
        took = median(partial(read, lines))
        print(f"{name:29} {count} lines read in {took:5.0f} ms")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
