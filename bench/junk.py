"""How long each letter that was made to hurt holds the reader up: milliseconds of its processor, the worst first.

    python -m bench.junk            PYTHONPATH=/some/older/corr python -m bench.junk

Each kind at some sizes up to the cap; of each letter the quickest of a few readings.
"""

from __future__ import annotations

import time

from corr.mail.inward.bounce_report import report_of
from corr.mail.inward.letter import report
from tests.support.torture import FIXED, GROWING

SIZES = (15_000, 30_000, 60_000, 120_000, 300_000, 990_000)
TIMES = 3
BOUND = 100
SENT = "\n".join(f"Our line number {number} says something about the game" for number in range(60))


def milliseconds(raw: bytes) -> float:
    times = []
    for _ in range(TIMES):
        began = time.process_time()
        report(raw, SENT.encode())
        report_of(raw)  # as if it had come back
        times.append((time.process_time() - began) * 1000)
    return min(times)


def main() -> None:
    taken = {name: milliseconds(raw) for name, raw in FIXED.items()}
    sizes = dict.fromkeys(FIXED, 0)
    for name, letter in GROWING.items():
        taken[name], sizes[name] = max((milliseconds(letter(size)), size) for size in SIZES)
    for name in sorted(taken, key=taken.__getitem__, reverse=True):
        print(f"{taken[name]:8.1f} ms  {sizes[name] or len(FIXED.get(name, b'')):8} bytes  {name}")
    worst = max(taken.values())
    print(
        f"\n{len(taken)} kinds, the worst takes {worst:.1f} ms; {sum(each > BOUND for each in taken.values())}"
        f" take more than {BOUND}"
    )


if __name__ == "__main__":
    main()
