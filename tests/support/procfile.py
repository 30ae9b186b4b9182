"""Runs lines of the Procfile as the house's processes: each can be killed, started again and stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from corr.processes import read_procfile
from tests.support.database_servers import RedisServer, answers
from tests.support.waiting import TIMEOUT, wait_until

ROOT = Path(__file__).parents[2]
__all__ = [
    "End",
    "Part",
    "environ",
    "of_a_house",
    "pages_and_worker",
    "read_procfile",
    "run_once",
    "stop_all",
]

#: What the processes say once they are at work.
_STARTED = (b"serving pages", b"worker started", b"beat started", b"accepting email", b"SMTP is listening on")
#: Of games that last for minutes each letter is to be answered.
_QUICK_GAMES = {"CORR_ANSWERS_AN_HOUR": "1000"}


def environ(**settings: str) -> dict[str, str]:
    """This process's environment, this Python's programs first on the path, and the house's settings."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("CORR_")}
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return kept | {"PATH": programs, "PYTHONUNBUFFERED": "1", **_QUICK_GAMES} | settings


def run_once(command: str, settings: Mapping[str, str], seconds: float = TIMEOUT) -> str:
    """Run a command to its end; what it printed."""
    done = subprocess.run(
        ["sh", "-c", f"exec {command}"],
        cwd=ROOT,
        env=settings,
        timeout=seconds,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def server_commands() -> dict[str, str]:
    """The lines of all processes that a house has whose letters are brought to its own door."""
    return {name: command for name, command in read_procfile().items() if name not in ("release", "fetch")}


@dataclass(frozen=True, slots=True)
class Exit:
    """How a process ended after SIGTERM, and how long it took."""

    name: str
    status: int
    seconds: float


@dataclass
class Process:
    """One process of the house with its children, in a process group of its own."""

    name: str
    command: str
    settings: Mapping[str, str]
    log: Path
    was_ended: bool = False
    begun: float = 0.0
    _before: int = 0
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self) -> None:
        self.was_ended, self.begun = False, time.monotonic()
        with self.log.open("ab") as log:
            self._before = log.tell()
            self._process = subprocess.Popen(
                ["sh", "-c", f"exec {self.command}"],
                cwd=ROOT,
                env=self.settings,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def has_started(self) -> bool:
        """True if it runs and has said so."""
        return self.is_running() and any(said in self.log.read_bytes()[self._before :] for said in _STARTED)

    def status(self) -> int | None:
        """How it ended; None while it runs."""
        return None if self._process is None else self._process.poll()

    def kill(self) -> bool:
        """SIGKILL to the process and all its children; False if it was not running."""
        self.was_ended = self.is_running()
        if self._process is not None:
            _kill(-self._process.pid)
            self._process.wait(TIMEOUT)
        return self.was_ended

    def kill_alone(self) -> bool:
        """SIGKILL to the process, its children left to find out; False if it was not running."""
        self.was_ended = self.is_running()
        if self._process is not None:
            self._process.kill()
            self._process.wait(TIMEOUT)
        return self.was_ended

    def kill_child(self, dice: Random) -> bool:
        """SIGKILL to one child, if there is any."""
        children = self._children()
        if children:
            _kill(dice.choice(children))
        return bool(children)

    def stop(self) -> Exit:
        """SIGTERM, and a last SIGKILL to whatever is left after a long while."""
        assert self._process is not None
        process, begun = self._process, time.monotonic()
        self.was_ended = True
        process.terminate()
        try:
            status = process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            status = -signal.SIGKILL
        seconds = time.monotonic() - begun
        _kill(-process.pid)
        process.wait(TIMEOUT)
        return Exit(self.name, status, seconds)

    def _children(self) -> list[int]:
        if not self.is_running():
            return []
        assert self._process is not None
        pid = self._process.pid
        try:
            return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        except FileNotFoundError:
            return []


def _kill(pid: int) -> None:
    """SIGKILL to a process, or to the group of a negative number; one that has ended already is no matter."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def stop_all(parts: Collection[Process]) -> list[Exit]:
    """SIGTERM to all at once: none waits for another to take its leave."""
    with ThreadPoolExecutor(len(parts)) as pool:
        return list(pool.map(Process.stop, parts))


@contextmanager
def pages_and_worker(settings: dict[str, str], folder: Path, redis: RedisServer, port: int) -> Iterator[None]:
    """Pages, a worker and their broker, while something is measured."""
    parts = [
        Process(name, read_procfile()[name], settings, folder / f"{name}.log") for name in ("web", "worker")
    ]
    redis.start()
    try:
        for part in parts:
            part.start()
        wait_until(lambda: answers(port), "the pages are shown")
        wait_until(lambda: "worker started" in (folder / "worker.log").read_text(), "the worker has started")
        yield
    finally:
        stop_all(parts)
        redis.stop()
