"""Random games of every variant proved three times: by the page, by `corr verify`, by the program of one file.

python -m bench.proofs --games 1000

Every third record has a line changed, left out or moved first, and all three have to say so.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import statistics
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from corr.proof import verify
from corr.proof.proof import Proof, prove
from corr.rules.variants import UMPIRES
from corr.words.board import Side
from tests.support.browser import Browser
from tests.support.records import played_at_random
from tests.support.table import Table, lay

_PLIES = 120


def damaged(lines: list[bytes], rng: random.Random) -> list[bytes]:
    """A record with something wrong in it."""
    at = rng.randrange(1, len(lines))
    match rng.randrange(3):
        case 0:
            return [*lines[:at], *lines[at + 1 :]]
        case 1:
            return [*lines[:at], *lines[at + 1 :], lines[at]] if at < len(lines) - 1 else lines[:-1]
        case _:
            value = json.loads(lines[at])
            value["line"]["at"] = "2026-01-01T00:00:00+00:00"
            return [*lines[:at], f"{verify.canonical(value)}\n".encode(), *lines[at + 1 :]]


def by_the_page(browser: Browser, lines: list[bytes]) -> bool:
    """Whether the page says that it holds."""
    browser.open("/verify")
    form = {"csrf": browser.csrf, "record": (io.BytesIO(b"".join(lines)), "record.jsonl")}
    answer = browser.client.post("/verify", data=form, content_type="multipart/form-data")
    assert answer.status_code == 200, answer.text
    return "<h1>The record holds</h1>" in answer.text


def alone(folder: Path, lines: list[bytes]) -> bool:
    """Whether the program of one file says so."""
    file = folder / "record.jsonl"
    file.write_bytes(b"".join(lines))
    done = subprocess.run(
        [sys.executable, "-I", "-S", verify.__file__, str(file)], capture_output=True, text=True, check=False
    )
    assert not done.stderr, done.stderr
    return done.returncode == 0


def timed(lines: list[bytes]) -> tuple[Proof, float]:
    """A proof, and how many seconds it took."""
    since = time.perf_counter()
    proof = prove(lines)
    return proof, time.perf_counter() - since


def check(table: Table, folder: Path, games: int) -> None:
    """Play and prove so many games, and print what came of it."""
    app = table.app()
    app.extensions["counts"].allow = lambda *_: True
    browser, said, took = Browser(app), Counter[str](), list[float]()
    for number in range(games):
        variant = list(UMPIRES)[number % len(UMPIRES)]
        rng = random.Random(number)
        lines = played_at_random(table.house, variant, number, _PLIES).record(rng.choice(tuple(Side)))
        is_whole = number % 3 != 0
        tried = lines if is_whole else damaged(lines, rng)
        proof, seconds = timed(tried)
        if is_whole and len(lines) > _PLIES:
            took.append(seconds)
        answers = {proof.holds, by_the_page(browser, tried), alone(folder, tried)}
        assert answers == {is_whole}, (number, variant, proof, answers)
        said["whole" if is_whole else "damaged"] += 1
    slowest = f"{1000 * statistics.median(took):.0f} ms, at most {1000 * max(took):.0f}" if took else "none"
    sys.stdout.write(f"{games} games, all three agree: {dict(said)}; {_PLIES} moves or more: {slowest}\n")


def main() -> None:
    """Check as many games as are asked for."""
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("--games", type=int, default=1000)
    with TemporaryDirectory() as folder:
        table = lay(Path(folder))
        check(table, Path(folder), reader.parse_args().games)
        table.house.store.close()


if __name__ == "__main__":
    main()
