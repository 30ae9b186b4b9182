"""Runs lines of the Procfile as processes that can be killed, stopped and started again."""

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
    "Exit",
    "Process",
    "environ",
    "pages_and_worker",
    "read_procfile",
    "run_once",
    "server_commands",
    "stop_all",
]

#: What the processes log once they have started.
_STARTED = (b"serving pages", b"worker started", b"beat started", b"accepting email", b"SMTP is listening on")
#: Our games last for minutes, and every email must be answered.
_QUICK_GAMES = {"CORR_ANSWERS_AN_HOUR": "1000"}


def environ(**settings: str) -> dict[str, str]:
    """This environment with these settings and no others, and with this Python's programs first on the path."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("CORR_")}
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return kept | {"PATH": programs, "PYTHONUNBUFFERED": "1", **_QUICK_GAMES} | settings


def run_once(command: str, settings: Mapping[str, str], seconds: float = TIMEOUT) -> str:
    """Run a command to its end; return what it printed."""
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
    """The commands of all processes that run when emails come by SMTP."""
    return {name: command for name, command in read_procfile().items() if name not in ("release", "fetch")}


@dataclass(frozen=True, slots=True)
class Exit:
    """How a process ended after SIGTERM, and how long it took."""

    name: str
    status: int
    seconds: float


@dataclass
class Process:
    """One process with its children, in its own process group."""

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
        """True if it runs and has logged its start."""
        return self.is_running() and any(said in self.log.read_bytes()[self._before :] for said in _STARTED)

    def status(self) -> int | None:
        """The exit status; None while it runs."""
        return None if self._process is None else self._process.poll()

    def niceness(self) -> int:
        """How far it steps back for others."""
        assert self._process is not None
        return os.getpriority(os.PRIO_PROCESS, self._process.pid)

    def kill(self) -> bool:
        """Kill the process and its children; False if it wasn't running."""
        self.was_ended = self.is_running()
        if self._process is not None:
            _kill(-self._process.pid)
            self._process.wait(TIMEOUT)
        return self.was_ended

    def kill_alone(self) -> bool:
        """Kill the process but not its children; False if it wasn't running."""
        self.was_ended = self.is_running()
        if self._process is not None:
            self._process.kill()
            self._process.wait(TIMEOUT)
        return self.was_ended

    def kill_child(self, dice: Random) -> bool:
        """Kill one child, if there is any."""
        children = self._children()
        if children:
            _kill(dice.choice(children))
        return bool(children)

    def stop(self) -> Exit:
        """Send SIGTERM, and kill what is left after a long while."""
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
    """Kill a process, or the group of a negative number, if it still runs."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def stop_all(parts: Collection[Process]) -> list[Exit]:
    """Stop all at the same time."""
    with ThreadPoolExecutor(len(parts)) as pool:
        return list(pool.map(Process.stop, parts))


@contextmanager
def pages_and_worker(settings: dict[str, str], folder: Path, redis: RedisServer, port: int) -> Iterator[None]:
    """Run the website, a worker and their broker meanwhile."""
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
