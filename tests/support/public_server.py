"""A server whose pages browsers can open, run by the Procfile's lines for the website and a worker.

It has no beat, so nothing happens that a test didn't start. Lost knocks are repeated.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import func, select

from corr.service.server import wall_clock
from corr.store.session import Store
from corr.store.tables import InboxRow
from corr.worker_wakeup import Work, WorkerWaker
from tests.support.database_servers import HOST, RedisServer, answers, free_port
from tests.support.procfile import Process, environ, read_procfile, stop_all
from tests.support.table import AUTHSERV_ID, DOMAIN, OLGA, WEB_URL, Clock, Table, make_table, text_of, unwrap
from tests.support.waiting import join, wait_until

#: Seconds after which a worker that was woken would have read the email.
_LONG = 10.0


@dataclass
class PublicServer:
    """A running server and its table, whose spool gets the emails."""

    table: Table
    port: int
    logs: Path
    settings: dict[str, str]

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    def wait_for(self, player: str, words: str) -> str:
        """Wait until the newest email to a player has these words; return its text."""
        wait_until(
            lambda: any(words in self.table.last_text(player) for _ in self.table.emails_to(player)[-1:]),
            f"{player} reads {words!r}",
        )
        return unwrap(text_of(self.table.last_email(player)))

    def problems(self) -> list[str]:
        """The log lines of errors."""
        told = [line for log in sorted(self.logs.glob("*.log")) for line in log.read_text().splitlines()]
        return [line for line in told if _is_trouble(line)]


class WallClock(Clock):
    """The clock of the server's processes, which no test can set: a run may take long before somebody signs in."""

    def __call__(self) -> datetime:
        return wall_clock()


@contextmanager
def run_public_server(folder: Path) -> Iterator[PublicServer]:
    """Run a server meanwhile. Its clock is the real one."""
    table, port, redis = make_table(folder, clock=WallClock()), free_port(), RedisServer()
    settings = environ(
        CORR_DATABASE_URL=(folder / "database").read_text(),
        CORR_MAIL_DOMAIN=DOMAIN,
        CORR_REDIS_URL=redis.url,
        CORR_SMTP_URL=f"spool:{table.spool}",
        CORR_AUTHSERV_ID=AUTHSERV_ID,
        CORR_OPERATORS=OLGA,
        CORR_WEB_URL=WEB_URL,
        CORR_WEB_LISTEN=f"{HOST}:{port}",
        CORR_WORKER_PROCESSES="1",
    )
    parts = [
        Process(name, read_procfile()[name], settings, folder / f"{name}.log") for name in ("web", "worker")
    ]
    redis.start()
    try:
        for part in parts:
            part.start()
        wait_until(lambda: answers(port), "the pages are shown")
        wait_until(lambda: "worker started" in (folder / "worker.log").read_text(), "the worker has started")
        with _called_again(settings):
            yield PublicServer(table, port, folder, settings)
    finally:
        stop_all(parts)
        redis.stop()
        table.server.store.close()


@contextmanager
def _called_again(settings: dict[str, str]) -> Iterator[None]:
    """Wake the worker again if an email stays unread for long."""
    store, knock = Store(settings["CORR_DATABASE_URL"]), WorkerWaker(settings["CORR_REDIS_URL"])
    is_over = threading.Event()

    def call() -> None:
        while not is_over.wait(_LONG):
            with store.asking() as connection:
                oldest = connection.execute(_OLDEST).scalar_one()
            if oldest and wall_clock() - oldest > timedelta(seconds=_LONG):
                knock(Work.LETTERS)

    thread = threading.Thread(target=call)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        join(thread)
        store.close()


_OLDEST = select(func.min(InboxRow.received_at)).where(InboxRow.read_at.is_(None))


def _is_trouble(line: str) -> bool:
    """Everything but Celery's goodbye is logged as JSON."""
    if line.startswith("{"):
        return bool(json.loads(line)["level"] in ("error", "critical"))
    return bool(line) and not line.startswith("worker: ")
