"""Houses of many processes: two of each that has work in games by mail, around one database and one Redis."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from random import Random

import psycopg
from celery import Celery

from bench.faults.clock import HouseClock
from bench.faults.disk import SmallDisk
from bench.faults.sink import Received, Sink
from bench.faults.stack import (
    DISK,
    Row,
    Strike,
    Trouble,
    ask_sqlite,
    code_in,
    disk_troubles,
    fill_for_a_while,
)
from corr import limits
from corr.worker_wakeup import Work
from tests.support import procfile
from tests.support.procfile import Part
from tests.support.servers import HOST, PostgresServer, RedisServer, free_port
from tests.support.waiting import wait_until

_TWICE = 2
_NO_OUTAGE = limits.OUTAGE * 0.8
_SWEPT = "select seen_at from signs where name = 'sweep'"
#: They have nothing to do where people play people and are told by mail alone.
_IDLE = ("thinker", "caller")


class Household(ABC):
    """Two of each process of the Procfile that has work, with a Redis, around one database."""

    def __init__(self, folder: Path, dice: Random) -> None:
        self.clock = HouseClock(folder)
        self.disk = SmallDisk(folder / "disk", DISK)
        self._sink = Sink(folder / "received", dice)
        self.post = self._sink.post
        self._redis = RedisServer()
        self._doors = [free_port() for _ in range(_TWICE)]
        self._folder = folder
        self.parts: list[Part] = []

    def start(self) -> None:
        self.disk.lay()
        self._start_house()

    def _start_house(self) -> None:
        self._sink.start()
        self._redis.start()
        procfile.run_once(procfile.lines()["release"], self._settings())
        for name, command in procfile.of_a_house().items():
            for number in range(0 if name in _IDLE else _TWICE):
                log = self._folder / f"{name}.{number + 1}.log"
                self.parts.append(Part(name, command, self._settings(number), log))
        for part in self.parts:
            part.start()

    def end(self) -> None:
        self._redis.kill()
        self._sink.stop()
        self.disk.take_away()

    def doors(self) -> list[int]:
        return self._doors

    def live_on(self, span: timedelta) -> None:
        broker, end = Celery(broker=self._redis.url), self.clock.ahead + span
        while self.clock.ahead < end:
            self.clock.jump(_NO_OUTAGE)
            self._check_deadlines(broker)

    def _check_deadlines(self, broker: Celery) -> None:
        since = self.clock.microseconds()
        broker.send_task(Work.HOURS.value)
        wait_until(lambda: self.ask(_SWEPT)[0][0] >= since, "deadlines are checked")

    @abstractmethod
    def ask(self, question: str) -> list[Row]: ...

    def challenge(self, number: int) -> str:
        addresses = f"p{number}w@players.example p{number}b@players.example"
        return code_in(procfile.run_once(f"corr challenge {addresses} wild16", self._settings()))

    def received(self) -> Iterator[Received]:
        return self._sink.kept()

    def misdeeds(self) -> Mapping[str, int]:
        return self._sink.misdeeds

    def left_out(self) -> str:
        return self.disk.left_out()

    def kills(self, dice: Random) -> dict[str, Strike]:
        def one_of(name: str) -> Part:
            return dice.choice([part for part in self.parts if part.name == name])

        return {
            "web": lambda: one_of("web").kill(),
            "worker with its children": lambda: one_of("worker").kill(),
            "worker without its children": lambda: one_of("worker").kill_alone(),
            "child of a worker": lambda: one_of("worker").kill_child(dice),
            "beat": lambda: one_of("beat").kill(),
            "mail": lambda: one_of("mail").kill(),
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

        return {"Redis killed": kill_redis, "Redis frozen": freeze_redis} | disk_troubles(self.disk, dice)

    @abstractmethod
    def _database_url(self) -> str: ...

    def _settings(self, number: int = 0) -> Mapping[str, str]:
        return procfile.environ(
            **self.clock.environ(),
            CORR_DATABASE_URL=self._database_url(),
            CORR_MAIL_DOMAIN="play.example",
            CORR_REDIS_URL=self._redis.url,
            CORR_SMTP_URL=self._sink.url,
            CORR_SMTP_LISTEN=f"{HOST}:{self._doors[number]}",
            CORR_WEB_LISTEN=f"{HOST}:{free_port()}",
        )


class SqliteStack(Household):
    """All on one machine, on a file."""

    @staticmethod
    def missing() -> str:
        """What has to be installed before it can be started; empty if nothing."""
        return RedisServer.missing() or HouseClock.missing()

    def ask(self, question: str) -> list[Row]:
        return ask_sqlite(self._file, question)

    @property
    def _file(self) -> Path:
        return self.disk.folder / "corr.sqlite"

    def _database_url(self) -> str:
        return f"sqlite:///{self._file}"


class PostgresStack(Household):
    """As on several machines, with a PostgreSQL."""

    def __init__(self, folder: Path, dice: Random) -> None:
        super().__init__(folder, dice)
        self._postgres = PostgresServer(self.disk.folder / "postgres", durable=True)

    @staticmethod
    def missing() -> str:
        """What has to be installed before it can be started; empty if nothing."""
        return PostgresServer.missing() or RedisServer.missing() or HouseClock.missing()

    def _start_house(self) -> None:
        self._postgres.start()
        # The log of the database must leave room on the small disk.
        self._postgres.run("alter system set max_wal_size = '96MB'", "select pg_reload_conf()")
        super()._start_house()

    def end(self) -> None:
        self._postgres.kill()
        super().end()

    def ask(self, question: str) -> list[Row]:
        with psycopg.connect(self._database_url(), connect_timeout=2) as connection:
            return connection.execute(question).fetchall()

    def troubles(self, dice: Random) -> dict[str, Trouble]:
        def restart(end: Callable[[], None]) -> None:
            end()
            time.sleep(dice.uniform(0, 2))
            self._postgres.start()

        def fill_disk() -> None:
            fill_for_a_while(self.disk, dice)
            if self._postgres.has_died():
                self._postgres.start()

        troubles = super().troubles(dice) | {
            "PostgreSQL killed": lambda: restart(self._postgres.kill),
            "PostgreSQL restarted": lambda: restart(self._postgres.stop),
        }
        return troubles | ({"disk full": fill_disk} if self.disk.can_be_filled else {})

    def _database_url(self) -> str:
        return self._postgres.url()
