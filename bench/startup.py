"""How soon commands and the demo are there, what the demo weighs, how fast an answer comes in it, and how it ends.

python -m bench.startup [--letters 100] [--rounds 5]
"""

from __future__ import annotations

import os
import re
import resource
import signal
import smtplib
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.driver import ask, seconds
from tests.support.servers import HOST, answers, free_port
from tests.support.waiting import wait_until

COMMANDS = ("--help", "umpire wild16", "letter read tests/letters/chatty.eml", "player list", "deliver")


def cpu_seconds(words: str, environ: dict[str, str]) -> float:
    """What a command costs that is given nothing to read, from its start to its end."""
    command, before = (
        [sys.executable, "-m", "corr.cli", *words.split()],
        resource.getrusage(resource.RUSAGE_CHILDREN),
    )
    quiet = subprocess.DEVNULL
    subprocess.run(command, env=environ, stdin=quiet, stdout=quiet, stderr=quiet, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure_commands(folder: str, rounds: int) -> None:
    environ = os.environ | {
        "CORR_MAIL_DOMAIN": "play.example",
        "CORR_DATABASE_URL": f"sqlite:///{folder}/corr.sqlite",
    }
    cpu_seconds("db upgrade", environ)
    for words in COMMANDS:
        cpu_seconds(words, environ)  # so that everything is compiled
        took = statistics.median(cpu_seconds(words, environ) for _ in range(rounds))
        print(f"corr {words:37} {took:.2f} s of CPU   goal 0.4 s")


def answer_times(folder: str, port: int, letters: int) -> list[float]:
    """Seconds from the listener's 250 to the answer in the player's mailbox, email by email."""
    mailbox = Path(folder, "mail", "ann")
    wait_until(lambda: any(mailbox.glob("*.in")), "the challenge comes")
    challenge = next(mailbox.glob("*.in")).read_text()
    address = next(re.finditer(r"^Reply-To: (\S+)", challenge, re.MULTILINE))[1]
    times = []
    with smtplib.SMTP(HOST, port) as door:
        for number in range(letters):
            letter = f"From: ann@players.example\r\nMessage-ID: <{number}@bench.example>\r\n\r\nshow\r\n"
            door.sendmail("ann@players.example", [address], letter)
            begun = time.perf_counter()
            while len(list(mailbox.glob("*.in"))) < number + 2:
                time.sleep(0.001)
            times.append(time.perf_counter() - begun)
    return times


def measure_demo(folder: str, letters: int) -> None:
    port = free_port()
    command = [sys.executable, "-m", "corr.cli", "demo", "--dir", folder, "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    took = seconds(lambda: wait_until(lambda: answers(port), "the page answers"))
    assert process.stdout
    process.stdout.readline()
    listener = int(process.stdout.readline().rstrip(".\n").rpartition(":")[2])
    times = answer_times(folder, listener, letters)
    held = (
        int(next(re.finditer(r"VmHWM:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text()))[1]) / 1024
    )
    process.send_signal(signal.SIGINT)
    ended, slow = seconds(process.wait), statistics.quantiles(times, n=20)[-1]
    print(f"the demo's page answers after    {took:.2f} s     goal 2 s")
    print(f"memory, at most                  {held:.0f} MB      goal 150 MB")
    print(f"email accepted to answer, median {statistics.median(times) * 1000:.0f} ms")
    print(f"email accepted to answer, p95    {slow * 1000:.0f} ms      goal 500 ms")
    print(f"Ctrl-C to the end                {ended:.2f} s     goal 5 s")


def main() -> None:
    asked = ask(__doc__, letters=100, rounds=5)
    with tempfile.TemporaryDirectory() as folder:
        measure_commands(folder, asked.rounds)
    with tempfile.TemporaryDirectory() as folder:
        measure_demo(folder, asked.letters)


if __name__ == "__main__":
    main()
