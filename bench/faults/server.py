"""Servers under test, seen from outside, and the faults that can hit them."""

from __future__ import annotations

import mmap
import os
import queue
import re
import shlex
import shutil
import sqlite3
import struct
import subprocess
import threading
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Protocol

import psycopg

from bench.driver import server_at
from bench.faults.post import Sink
from bench.mail import PLAYERS, Received
from corr import limits
from corr.worker_wakeup import Work, WorkerWaker
from tests.support import procfile
from tests.support.database_servers import HOST, PostgresServer, RedisServer, answers, free_port
from tests.support.procfile import Process
from tests.support.waiting import wait_until
from worker.tasks import make_tasks

Row = tuple[Any, ...]
Strike = Callable[[], bool]
Trouble = Callable[[], None]

_NANOSECONDS = struct.Struct("=q")
_MEGABYTES = 512
_BLOCKS = (1 << 20, 1 << 12, 1)
_NO_OUTAGE = limits.OUTAGE_GAP * 0.8
#: Processes with nothing to do when people play people by email alone.
_IDLE = ("thinker", "caller")
_EARLY = 0.02


class Clock:
    """The wall clock of the server's processes, which can be set forward and back."""

    def __init__(self, folder: Path) -> None:
        self._library, self._file = folder / "clock.so", folder / "clock"
        source = Path(__file__).with_name("clock.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", str(self._library), str(source)], check=True)
        self._file.write_bytes(_NANOSECONDS.pack(0))
        with self._file.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), _NANOSECONDS.size)
        self.ahead = timedelta()

    @staticmethod
    def missing() -> str:
        return "" if shutil.which("cc") else "a C compiler (cc)"

    def environ(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(self._library), "FAULTS_CLOCK": str(self._file)}

    def microseconds(self) -> int:
        """The present moment as the server's tables keep it."""
        return time.time_ns() // 1000 + self.ahead // timedelta(microseconds=1)

    def jump(self, span: timedelta) -> None:
        self.ahead += span
        _NANOSECONDS.pack_into(self._shared, 0, self.ahead // timedelta(microseconds=1) * 1000)


class SmallDisk:
    """A tmpfs that can be filled without harm to others; without root a plain folder that is never filled."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._filler = folder, folder / "filler"
        self.can_be_filled = os.geteuid() == 0 and shutil.which("mount") is not None

    def mount(self) -> None:
        self.folder.mkdir(parents=True)
        if self.can_be_filled:
            options = ["-t", "tmpfs", "-o", f"size={_MEGABYTES}m", "tmpfs", str(self.folder)]
            subprocess.run(["mount", *options], check=True)

    def fill_for(self, seconds: float) -> None:
        """Leave no byte free for a while."""
        with self._filler.open("wb", buffering=0) as filler:
            for size in _BLOCKS:
                try:
                    while os.write(filler.fileno(), bytes(size)):
                        pass
                except OSError:
                    continue
        time.sleep(seconds)
        self._filler.unlink(missing_ok=True)

    def unmount(self) -> None:
        if self.folder.is_mount():
            subprocess.run(["umount", "--lazy", str(self.folder)], check=True)


class Needed(Protocol):
    """Something that has to be installed."""

    @staticmethod
    def missing() -> str: ...


class Server(ABC):
    """A server under test; on SQLite, if nothing else is said."""

    needs: ClassVar[tuple[type[Needed], ...]] = (Clock,)
    database = "corr.sqlite"

    def __init__(self, folder: Path) -> None:
        self.folder, self.clock, self.disk = folder, Clock(folder), SmallDisk(folder / "disk")
        self.parts: list[Process] = []
        self.post: queue.Queue[Received] = queue.Queue()
        self.misdeeds: Counter[str] = Counter()

    @classmethod
    def missing(cls) -> str:
        """What has to be installed first; empty if nothing."""
        return next(filter(None, (need.missing() for need in cls.needs)), "")

    @property
    def url(self) -> str:
        return f"sqlite:///{self.disk.folder / self.database}"

    def settings(self) -> dict[str, str]:
        """The environment of a process."""
        database = {"CORR_DATABASE_URL": self.url, "CORR_MAIL_DOMAIN": "play.example"}
        return procfile.environ(**self.clock.environ(), **database)

    def ask(self, question: str) -> list[Row]:
        """The database's answer, without any code of the server."""
        file = f"file:{self.disk.folder / self.database}?mode=ro"
        with closing(sqlite3.connect(file, uri=True, timeout=10)) as connection:
            return connection.execute(question).fetchall()

    def challenge(self, number: int) -> str:
        """Propose one more game; its code."""
        players = (f"{name}@{PLAYERS}" for name in self.players(number))
        said = procfile.run_once(f"corr challenge {' '.join(players)} wild16", self.settings())
        found = re.search(r"Proposed game (\w+)\.", said)
        assert found, said
        return found[1]

    def troubles(self, dice: Random) -> dict[str, Trouble]:
        """The temporary faults of what the server needs."""
        fill = {"disk full": lambda: self.disk.fill_for(dice.uniform(1, 2))}
        return fill if self.disk.can_be_filled else {}

    def left_out(self) -> str:
        return "" if self.disk.can_be_filled else "a full disk, which takes root to mount a tmpfs"

    def start(self) -> None:
        self.disk.mount()

    def stop(self) -> None:
        for part in self.parts:
            part.kill()
        self.disk.unmount()

    @staticmethod
    @abstractmethod
    def players(number: int) -> tuple[str, str]:
        """The local parts of a game's two players."""

    @abstractmethod
    def ports(self) -> list[int]:
        """The ports that accept emails now."""

    @abstractmethod
    def live_on(self, span: timedelta) -> None:
        """Let time pass while the server keeps sweeping, so that it sees no outage."""

    @abstractmethod
    def received(self) -> Iterator[Received]:
        """All emails that the server ever sent."""

    @abstractmethod
    def kills(self, dice: Random) -> dict[str, Strike]:
        """The ways to kill one of its processes; False if there was none to kill."""


class Alone(Server):
    """`corr demo`: one process, no other server, its emails as files; two players play all games."""

    database = "demo/corr.sqlite"

    def __init__(self, folder: Path, _dice: Random) -> None:
        super().__init__(folder)
        self._log, self._home = folder / "demo.log", self.disk.folder / "demo"
        command = f"corr demo --dir {shlex.quote(str(self._home))} --port 0 --empty"
        self.parts.append(Process("demo", command, procfile.environ(**self.clock.environ()), self._log))
        self._ended = threading.Event()

    def settings(self) -> dict[str, str]:
        return super().settings() | {"CORR_MAIL_DOMAIN": "corr.example"}

    def start(self) -> None:
        super().start()
        self.parts[0].start()
        threading.Thread(target=self._bring, daemon=True).start()
        wait_until(lambda: bool(self.ports()), "the demo accepts emails")

    def stop(self) -> None:
        self._ended.set()
        super().stop()

    @staticmethod
    def players(_number: int) -> tuple[str, str]:
        return "ann", "ben"

    def ports(self) -> list[int]:
        said = self._log.read_text() if self._log.exists() else ""
        return [int(port) for port in re.findall(r"SMTP is listening on [^:\s]+:(\d+)\.", said)[-1:]]

    def live_on(self, span: timedelta) -> None:
        self.clock.jump(span)  # the demo never takes a jump of its clock for an outage

    def received(self) -> Iterator[Received]:
        return map(_from_mailbox, sorted(self._home.glob("mail/*/*.in")))

    def kills(self, dice: Random) -> dict[str, Strike]:
        def kill() -> bool:
            """Seldom before it accepts emails: a process that has only begun has little to lose."""
            is_open = any(map(answers, self.ports()))
            return (is_open or dice.random() < _EARLY) and self.parts[0].kill()

        return {"demo": kill}

    def _bring(self) -> None:
        """Hand the files in both mailboxes to the players as they appear."""
        seen: set[Path] = set()
        while not self._ended.wait(0.1):
            new = set(self._home.glob("mail/*/*.in")) - seen
            for path in sorted(new, key=lambda path: path.name):
                self.post.put(_from_mailbox(path))
            seen |= new


def _from_mailbox(path: Path) -> Received:
    return Received(f"{path.parent.name}@{PLAYERS}", path.read_bytes())


class TwoOfEach(Server):
    """Two of each process of the Procfile that has work, with a Redis, on SQLite."""

    needs: ClassVar[tuple[type[Needed], ...]] = (RedisServer, Clock)

    def __init__(self, folder: Path, dice: Random) -> None:
        super().__init__(folder)
        self._sink, self._redis = Sink(folder / "received", dice, self.post, self.misdeeds), RedisServer()
        self._ports = [free_port(), free_port()]

    def settings(self) -> dict[str, str]:
        return self._settings_of(0)

    def _settings_of(self, number: int) -> dict[str, str]:
        """The environment of the first or the second process of a kind."""
        return super().settings() | {
            "CORR_REDIS_URL": self._redis.url,
            "CORR_SMTP_URL": self._sink.url,
            "CORR_SMTP_LISTEN": f"{HOST}:{self._ports[number]}",
            "CORR_WEB_LISTEN": f"{HOST}:{free_port()}",
        }

    def start(self) -> None:
        super().start()
        self._start_database()
        self._sink.start()
        self._redis.start()
        procfile.run_once(procfile.read_procfile()["release"], self.settings())
        for name, command in procfile.server_commands().items():
            for number in range(0 if name in _IDLE else 2):
                log = self.folder / f"{name}.{number + 1}.log"
                self.parts.append(Process(name, command, self._settings_of(number), log))
        for part in self.parts:
            part.start()

    def _start_database(self) -> None:
        """Kill no database, since it is a file."""

    def stop(self) -> None:
        self._redis.kill()
        self._sink.stop()
        super().stop()

    @staticmethod
    def players(number: int) -> tuple[str, str]:
        return f"p{number}w", f"p{number}b"

    def ports(self) -> list[int]:
        return self._ports

    def live_on(self, span: timedelta) -> None:
        # A worker's own task, but called here: over the broker each of the thousand calls may take seconds.
        server = server_at(self.url, lambda: datetime.now(UTC) + self.clock.ahead)
        check_deadlines = make_tasks(server, WorkerWaker(self._redis.url))[Work.HOURS]
        end = self.clock.ahead + span
        while self.clock.ahead < end:
            self.clock.jump(_NO_OUTAGE)
            check_deadlines()
        server.store.close()

    def received(self) -> Iterator[Received]:
        return self._sink.kept()

    def kills(self, dice: Random) -> dict[str, Strike]:
        def one(name: str) -> Process:
            return dice.choice([part for part in self.parts if part.name == name])

        return {
            "web": lambda: one("web").kill(),
            "worker with its children": lambda: one("worker").kill(),
            "worker without its children": lambda: one("worker").kill_alone(),
            "child of a worker": lambda: one("worker").kill_child(dice),
            "beat": lambda: one("beat").kill(),
            "mail": lambda: one("mail").kill(),
        }

    def troubles(self, dice: Random) -> dict[str, Trouble]:
        def kill_redis() -> None:
            self._redis.kill()
            time.sleep(dice.uniform(0, 2))
            self._redis.start()

        def freeze_redis() -> None:
            self._redis.freeze()
            time.sleep(dice.uniform(1, 5))
            self._redis.thaw()

        return {"Redis killed": kill_redis, "Redis frozen": freeze_redis} | super().troubles(dice)


class OnPostgres(TwoOfEach):
    """The same with PostgreSQL."""

    needs: ClassVar[tuple[type[Needed], ...]] = (PostgresServer, RedisServer, Clock)

    def __init__(self, folder: Path, dice: Random) -> None:
        super().__init__(folder, dice)
        self._postgres = PostgresServer(self.disk.folder / "postgres", durable=True)

    @property
    def url(self) -> str:
        return self._postgres.url()

    def _start_database(self) -> None:
        self._postgres.start()
        # The log of the database must leave room on the small disk.
        self._postgres.run("alter system set max_wal_size = '96MB'", "select pg_reload_conf()")

    def stop(self) -> None:
        self._postgres.kill()
        super().stop()

    def ask(self, question: str) -> list[Row]:
        with psycopg.connect(self.url, connect_timeout=2) as connection:
            return connection.execute(question).fetchall()

    def troubles(self, dice: Random) -> dict[str, Trouble]:
        troubles = super().troubles(dice)

        def restart(stop: Callable[[], None]) -> None:
            stop()
            time.sleep(dice.uniform(0, 2))
            self._postgres.start()

        def fill_disk(fill: Trouble) -> None:
            fill()
            if self._postgres.has_died():
                self._postgres.start()

        if fill := troubles.get("disk full"):
            troubles["disk full"] = lambda: fill_disk(fill)
        troubles["PostgreSQL killed"] = lambda: restart(self._postgres.kill)
        troubles["PostgreSQL restarted"] = lambda: restart(self._postgres.stop)
        return troubles


SERVERS: dict[str, type[OnPostgres | TwoOfEach | Alone]] = {
    "postgres": OnPostgres,
    "sqlite": TwoOfEach,
    "alone": Alone,
}
