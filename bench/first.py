"""The first moments: what a command costs before its first line, beside bare imports; how soon the demo is there."""

from __future__ import annotations

import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from bench.demo import megabytes, start

ROUNDS = 5
LETTER = "tests/letters/chatty.eml"
#: Each command, and what it cannot do without.
COMMANDS = {
    "--help": "click",
    "umpire wild16": "click, chess, json",
    f"letter read {LETTER}": "click, email.parser, email.policy, html.parser, json",
    "player list": "click, sqlalchemy.orm",
    "deliver": "click, sqlalchemy.orm, email.parser, email.policy, celery.app",
}
DEMO = "click, sqlalchemy.orm, flask, werkzeug.serving, celery.worker, celery.beat, aiosmtpd.lmtp, chess"
SETTINGS = {"CORR_MAIL_DOMAIN": "play.example.org"}


def processor_seconds(command: list[str], environ: dict[str, str]) -> float:
    """What a process costs that is given nothing to read, from its start to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def median(words: list[str], environ: dict[str, str]) -> float:
    """Once to have everything compiled, then some times more."""
    command = [sys.executable, *words]
    processor_seconds(command, environ)
    return statistics.median(processor_seconds(command, environ) for _ in range(ROUNDS))


def seconds_to_import(modules: str) -> float:
    """How long Python takes to load some modules and end."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", f"import {modules}"], check=True)
    return time.perf_counter() - begun


def started(folder: str) -> tuple[float, float]:
    """Seconds until the demo's page answers, and the megabytes that it has held until then."""
    process, took, _ = start(folder)
    held = megabytes(process.pid)
    process.send_signal(signal.SIGINT)
    process.wait()
    return took, held


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        environ = {**os.environ, **SETTINGS, "CORR_DATABASE_URL": f"sqlite:///{folder}/corr.sqlite"}
        processor_seconds([sys.executable, "-m", "corr.cli", "db", "upgrade"], environ)
        for words, modules in COMMANDS.items():
            ours = median(["-m", "corr.cli", *words.split()], environ)
            bare = median(["-c", f"import {modules}"], environ)
            print(
                f"corr {words:36} {ours:.2f} s of CPU, bare imports {bare:.2f} s, {bare / ours:.2f}x  goal 0.4 s"
            )
    with tempfile.TemporaryDirectory() as folder:
        took, held = started(folder)
        print(f"demo, first start: page after {took:.2f} s, {held:.0f} MB")
        starts = [started(folder) for _ in range(ROUNDS)]
        bare = statistics.median(seconds_to_import(DEMO) for _ in range(ROUNDS))
        took, held = (statistics.median(figures) for figures in zip(*starts, strict=True))
        print(
            f"demo, started again: page after {took:.2f} s, bare imports {bare:.2f} s, {bare / took:.2f}x  goal 1.5 s"
        )
        print(f"demo, started again: {held:.0f} MB  goal 100 MB")


if __name__ == "__main__":
    main()
