"""Starts PostgreSQL and Redis servers for tests and benchmarks, on free ports."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from typing import Protocol

import psycopg
from redis import Redis

from tests.support.waiting import TIMEOUT, wait_until

HOST = "127.0.0.1"
#: Ports below those that the system hands out by itself.
_PORTS = itertools.cycle(range(20_000, 30_000))
#: Abstract sockets that mark ports as taken for all processes; they vanish when this process ends.
_marks: list[socket.socket] = []


class Server(Protocol):
    """A server that can be started, stopped and started again."""

    port: int

    def start(self) -> None:
        """Start, and wait until it answers."""

    def stop(self) -> None:
        """Shut down normally."""

    def kill(self) -> None:
        """Stop at once, as a power cut would."""


def free_port() -> int:
    """A port that no other test process gets before this one ends."""
    while True:
        port = next(_PORTS)
        mark = socket.socket(socket.AF_UNIX)
        try:
            mark.bind(f"\0a port of corr's tests: {port}")
            with socket.socket() as probe:
                probe.bind((HOST, port))
        except OSError:
            mark.close()
        else:
            _marks.append(mark)
            return port


def answers(port: int, host: str = HOST) -> bool:
    """True if something listens at a port."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((host, port)) == 0


class RedisServer:
    """A Redis that keeps nothing on disk."""

    def __init__(self) -> None:
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @staticmethod
    def missing() -> str:
        """The package to install first; empty if none."""
        return "" if shutil.which("redis-server") else "redis-server"

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.port}/0"

    def start(self) -> None:
        command = ["redis-server", "--port", str(self.port), "--bind", HOST, "--save", "", "--dir", "/tmp"]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        wait_until(lambda: answers(self.port), "Redis answers")

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def say(self, *words: str) -> None:
        """A command to the server."""
        with Redis.from_url(self.url) as client:
            client.execute_command(*words)

    def freeze(self) -> None:
        """Accept connections and answer nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.send_signal(signal.SIGCONT)
            self._process.wait(TIMEOUT)
            self._process = None


class PostgresServer:
    """A PostgreSQL cluster in a folder, owned by another user if we are root: PostgreSQL refuses to run as root."""

    def __init__(self, folder: Path, *, durable: bool) -> None:
        self.port = free_port()
        self._folder, self._durable = folder, durable
        self._user = "postgres" if os.geteuid() == 0 else None
        self._process: subprocess.Popen[bytes] | None = None

    @staticmethod
    def missing() -> str:
        """The package to install first; empty if none."""
        return "" if _programs() else "postgresql"

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@{HOST}:{self.port}/{database}"

    def start(self) -> None:
        if not (self._folder / "PG_VERSION").exists():
            self._make()
        options = {
            "port": self.port,
            "listen_addresses": HOST,
            "unix_socket_directories": "",
            "fsync": "on" if self._durable else "off",
            "max_connections": 200,
        }
        settings = [word for key, value in options.items() for word in ("-c", f"{key}={value}")]
        with (self._folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                [str(_programs() / "postgres"), "-D", str(self._folder), *settings],
                stdout=log,
                stderr=log,
                user=self._user,
                cwd=self._folder,
            )
        wait_until(self._is_ready, "PostgreSQL answers")

    def stop(self) -> None:
        self._end(signal.SIGINT)

    def kill(self) -> None:
        self._end(signal.SIGQUIT)

    def has_died(self) -> bool:
        """True if it ended by itself, as it does on a full disk."""
        return self._process is not None and self._process.poll() is not None

    def run(self, *statements: str) -> None:
        """Run statements, each in its own transaction, in the default database."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    def _make(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        if self._user:
            shutil.chown(self._folder, self._user)
            _let_through(self._folder)
        subprocess.run(
            [
                str(_programs() / "initdb"),
                "-D",
                str(self._folder),
                "-U",
                "postgres",
                "-A",
                "trust",
                "--no-sync",
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            user=self._user,
            cwd=self._folder,
        )

    def _is_ready(self) -> bool:
        try:
            psycopg.connect(self.url(), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(TIMEOUT)
            self._process = None


def _programs() -> Path | None:
    """The folder of PostgreSQL's programs: on the path, or Debian's."""
    found = shutil.which("initdb")
    kept = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return Path(found).resolve().parent if found else kept[-1].parent if kept else None


def _let_through(folder: Path) -> None:
    """Let another user reach the folder."""
    for parent in folder.parents:
        if parent.stat().st_uid == os.geteuid() and parent != Path("/"):
            parent.chmod(parent.stat().st_mode | 0o011)
