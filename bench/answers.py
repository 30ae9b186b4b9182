"""How well the moment of an answer by letter tells what the other side had ordered ahead.

    python -m bench.answers [LETTERS]

In each game Ann's move meets what Ben has ordered for his turn: nothing, a list of one try, or of two hundred, none of
which can be made. One letter after another comes, drawn by lot, to a house that answers at once and to one that answers
at its moments. Printed is how long Ann waits from when her letter was taken until its answer is at the mail server,
and the AUC of that against the games in which Ben had ordered nothing: 0.5 is by lot, 1 is always told. A hundred
letters of each kind, as it is without a number, take some minutes, since each waits for the answer to the one before.
"""

from __future__ import annotations

import random
import statistics
import sys
from collections import defaultdict
from collections.abc import Sequence

from bench.busyness import auc
from bench.databases import Databases, places
from bench.lists import in_vain
from bench.load import Street
from bench.whole import our_process
from corr.answer_timing import AT_ONCE, LETTERS, Pace
from corr.rules.variants import umpire_of
from corr.service.mail import inbox
from corr.service.mail.arrival import Arrival
from corr.words.board import Side
from corr.words.orders import Move
from tests.support.crowd import Crowd, Hollow, Letter, house, work

EACH = 100
REFUSED = (0, 1, 200)
PACES: dict[str, Pace] = {"at once": AT_ONCE, "at its moment": LETTERS}
Waits = dict[int, list[float]]


def ordered(count: int) -> str:
    """What Ben orders for the turn after White's first move, of which nothing can be made."""
    umpire = umpire_of("wild16")
    start = umpire.start().truth
    opening = umpire.judge(start, Side.WHITE, Move(8, 16)).truth
    tries = in_vain(umpire, opening).steps[:count]
    return f"if no capture: {', '.join(map(str, tries))}" if tries else "show"


def lay(place: Databases, each: int) -> list[tuple[int, Letter]]:
    """A house with so many games of each kind; Ann's letters, with how much is refused to Ben after each."""
    laid = house(place.make("laid"), Hollow())
    crowd = Crowd(laid)
    crowd.begin(each * len(REFUSED))
    texts = {count: ordered(count) for count in REFUSED}
    counts = [count for count in REFUSED for _ in range(each)]
    random.Random(1).shuffle(counts)
    for letter in crowd.others([texts[count] for count in counts]):
        inbox.drop(laid, Arrival(letter.raw, (letter.recipient,), laid.now()))
    work(laid)
    letters = crowd.replies()
    laid.store.close()
    return list(zip(counts, letters, strict=True))


def answered(url: str, street: Street, pace: Pace, letters: Sequence[tuple[int, Letter]]) -> Waits:
    """How long each letter's answer took, by how much was refused to the other side."""
    waits: Waits = defaultdict(list)
    with our_process(url, street.sink, pace) as door:
        for count, letter in letters:
            waits[count].append(street.wait(door, letter))
    return waits


def report(what: str, waits: Waits) -> None:
    for count in REFUSED:
        found = waits[count]
        told = auc(found, waits[0]) if count else 0.5
        slow = statistics.quantiles(found, n=20)[-1]
        print(
            f"{what} {count:3} refused: median {statistics.median(found) * 1000:6.1f} ms, p95 {slow * 1000:6.1f} ms,"
            f" AUC {told:.2f} ({len(found)} letters)"
        )


def main() -> None:
    each = int(sys.argv[1]) if len(sys.argv) > 1 else EACH
    street = Street()
    with places() as found:
        for place in found:
            letters = lay(place, each)
            for number, (how, pace) in enumerate(PACES.items()):
                waits = answered(place.copy("laid", f"laid{number}"), street, pace, letters)
                report(f"{place.name:10} {how:13}", waits)
    street.close()


if __name__ == "__main__":
    main()
