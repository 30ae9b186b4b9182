"""The demo as a whole: how soon its page answers, what it weighs, how fast an answer comes, how it ends."""

from __future__ import annotations

import os
import re
import signal
import smtplib
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

PORT = 8765
LETTERS = 100


def start(folder: str) -> tuple[subprocess.Popen[str], float, int]:
    """The demo, how long it took until its page answered, and the port of its listener."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "corr.cli", "demo", "--dir", folder, "--port", str(PORT)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    while True:
        try:
            with urlopen(f"http://127.0.0.1:{PORT}/healthz") as answer:
                assert answer.status == 200
                took = time.perf_counter() - begun
                break
        except URLError:
            time.sleep(0.01)
    assert process.stdout is not None
    process.stdout.readline()
    return process, took, int(process.stdout.readline().rstrip(".\n").rpartition(":")[2])


def megabytes(pid: int) -> float:
    """The most memory that the process has held."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(re.finditer(r"VmHWM:\s+(\d+)", status))[1]) / 1024


def wait_for(folder: Path, count: int) -> None:
    while len(list(folder.glob("*.in"))) < count:
        time.sleep(0.001)


def answer_times(folder: str, listener: int) -> list[float]:
    """Seconds from the listener's 250 to the answer in the player's mailbox, letter by letter."""
    mailbox = Path(folder, "mail", "ann")
    wait_for(mailbox, 1)
    challenge = next(mailbox.glob("*.in")).read_text()
    address = next(re.finditer(r"^Reply-To: (\S+)", challenge, re.MULTILINE))[1]
    times = []
    with smtplib.SMTP("127.0.0.1", listener) as door:
        for number in range(LETTERS):
            letter = f"From: ann@players.example\r\nMessage-ID: <{number}@bench.example>\r\n\r\nshow\r\n"
            door.sendmail("ann@players.example", [address], letter)
            begun = time.perf_counter()
            wait_for(mailbox, number + 2)
            times.append(time.perf_counter() - begun)
    return sorted(times)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        process, took, listener = start(folder)
        times = answer_times(folder, listener)
        held = megabytes(process.pid)
        begun = time.perf_counter()
        os.kill(process.pid, signal.SIGINT)
        process.wait()
        ended, slow = time.perf_counter() - begun, times[int(len(times) * 0.95)]
        print(f"the page answers after            {took:.2f} s     goal 2 s")
        print(f"memory, at most                   {held:.0f} MB      goal 150 MB")
        print(f"letter accepted to answer, median {statistics.median(times) * 1000:.0f} ms")
        print(f"letter accepted to answer, p95    {slow * 1000:.0f} ms      goal 500 ms")
        print(f"Ctrl-C to the end                 {ended:.2f} s     goal 5 s")


if __name__ == "__main__":
    main()
