"""The Procfile's processes, also with two of each: whole games, stops, and lost brokers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from sqlalchemy import ColumnElement, func, select

from corr.rules.variants import UMPIRES
from corr.store.session import Store
from corr.store.tables import InboxRow, OutboxRow
from tests.conftest import DATABASES
from tests.support.database_servers import HOST, RedisServer, free_port
from tests.support.postgres_copies import copy_database
from tests.support.procfile import ROOT, Process, environ, read_procfile, run_once
from tests.support.remote_players import RemotePlayers, flat_text
from tests.support.sample_games import GAMES
from tests.support.skips import skip_missing
from tests.support.table import ANN, AUTHSERV_ID, BEN, DOMAIN, EVE, blank_database
from tests.support.waiting import TIMEOUT, wait_until

#: What each process logs when it has started.
STARTED = {
    "web": "serving pages",
    "worker": "worker started",
    "beat": "beat started",
    "mail": "accepting email",
}
PROCESSES = tuple(STARTED)
FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")
DEPLOYED = ("assassin", "welbeck")
MANY = 60
MAILBOX = "imap://corr:secret@127.0.0.1:1"


@dataclass
class Running:
    """A running server."""

    settings: dict[str, str]
    far: RemotePlayers
    parts: list[Process]

    def health(self) -> dict[str, object]:
        try:
            with urlopen(f"http://{self.settings['CORR_WEB_LISTEN']}/healthz", timeout=TIMEOUT) as answer:
                return json.loads(answer.read())
        except HTTPError as unwell:
            return json.loads(unwell.read())

    def begin(self, variant: str = "wild16") -> None:
        """A game that both have accepted."""
        run_once(f"corr challenge {ANN} {BEN} {variant}", self.settings)
        for player in (ANN, BEN):
            self.far.wait_for(player, "reply to this email")
            self.far.reply(player, "accept")
            self.far.wait_for(player, "Thank you." if player == ANN else "The game has started.")
        self.far.wait_for(ANN, "Deploy your pieces by" if variant in DEPLOYED else "Your turn")


@contextmanager
def running(folder: Path, database_url: str, redis: RedisServer, *, of_each: int) -> Iterator[Running]:
    far = RemotePlayers(free_port())
    far.open()
    settings = environ(
        CORR_DATABASE_URL=database_url,
        CORR_MAIL_DOMAIN=DOMAIN,
        CORR_AUTHSERV_ID=AUTHSERV_ID,
        CORR_REDIS_URL=redis.url,
        CORR_SMTP_URL=f"smtp://{HOST}:{far.port}",
        CORR_SMTP_LISTEN=f"{HOST}:{far.door}",
        CORR_WEB_LISTEN=f"{HOST}:{free_port()}",
        CORR_WORKER_PROCESSES="4",
    )
    run_once(read_procfile()["release"], settings)
    parts = [
        Process(name, read_procfile()[name], settings, folder / f"{name}{number}.log")
        for name in PROCESSES
        for number in range(of_each)
    ]
    for part in parts:
        part.start()
    server = Running(settings, far, parts)
    try:
        wait_until(
            lambda: all("accepting email" in log.read_text() for log in folder.glob("mail*.log")),
            "the doors open",
        )
        wait_until(lambda: is_healthy(server), "the pages are well")
        yield server
    finally:
        for part in parts:
            part.kill()
        far.close()


def is_healthy(server: Running) -> bool:
    try:
        return server.health()["ok"] is True
    except OSError:
        return False


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgresql":
        return request.getfixturevalue("bare_postgres_url")
    return f"sqlite:///{tmp_path / 'corr.sqlite'}"


def test_a_game_is_played_with_two_of_each_process_and_all_stop_cleanly(
    tmp_path: Path, database_url: str, redis: RedisServer
) -> None:
    with running(tmp_path, database_url, redis, of_each=2) as server:
        server.begin()
        for number, move in enumerate(FOOLS_MATE):
            player, other = ((ANN, BEN), (BEN, ANN))[number % 2]
            server.far.reply(player, move)
            server.far.wait_for(player, "Your move has been made.")
            server.far.wait_for(other, "The game is over" if move == "d8h4" else "Your turn")
        wait_until(lambda: unsent(database_url) == 0, "all is sent")
        told = [letter["Message-ID"] for letter in server.far.emails]
        for _ in range(MANY):
            server.far.reply(ANN, "show")
        ends = [part.stop() for part in sorted(server.parts, key=lambda part: part.name != "worker")]

    assert len(set(told)) == len(told) == 13
    assert claimed(database_url) == 0
    assert [(end.name, end.status) for end in ends if end.status != 0] == []
    for log in tmp_path.glob("*.log"):
        for line in log.read_text().splitlines():
            if line and not line.startswith("worker: Warm shutdown"):  # Celery's last words are its own
                assert_is_a_good_log_line(line)


def unsent(database_url: str) -> int:
    """How many emails wait to be sent, which no page shows."""
    return counted(database_url, OutboxRow.sent_at.is_(None))


def claimed(database_url: str) -> int:
    """How many emails, in and out, a worker has claimed."""
    read, sent = InboxRow.read_at.is_(None), OutboxRow.sent_at.is_(None)
    taken = read & InboxRow.leased_until.is_not(None), sent & OutboxRow.leased_until.is_not(None)
    return sum(counted(database_url, each) for each in taken)


def counted(database_url: str, those: ColumnElement[bool]) -> int:
    store = Store(database_url)
    with store.reading() as connection:
        found: int = connection.execute(select(func.count()).where(those)).scalar_one()
    store.close()
    return found


@dataclass
class Shared:
    """A server with one of each process and its broker, shared by many tests."""

    server: Running
    redis: RedisServer
    logs: Path


@pytest.fixture(
    scope="module", params=[pytest.param(each, marks=pytest.mark.xdist_group(each)) for each in DATABASES]
)
def lasting_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A database without tables, shared by many tests."""
    if request.param == "postgresql":
        yield from copy_database(request.getfixturevalue("postgres"), "template1")
    else:
        yield f"sqlite:///{tmp_path_factory.mktemp('lasting') / 'corr.sqlite'}"


@pytest.fixture(scope="module")
def shared(lasting_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    if RedisServer.missing():
        skip_missing(RedisServer.missing())
    folder, redis = tmp_path_factory.mktemp("shared"), RedisServer()
    redis.start()
    with running(folder, lasting_url, redis, of_each=1) as server:
        yield Shared(server, redis, folder)
    redis.stop()


@pytest.fixture
def server(shared: Shared) -> Running:
    """The shared server, with empty mailboxes."""
    shared.server.far.emails.clear()
    return shared.server


on_sqlite = pytest.mark.parametrize(
    "lasting_url", [pytest.param("sqlite", marks=pytest.mark.xdist_group("sqlite"))], indirect=True
)


@on_sqlite
@pytest.mark.parametrize("variant", UMPIRES)
def test_a_whole_game_of_each_variant_is_played_over_smtp(server: Running, variant: str) -> None:
    """From the challenge to the end by email alone, through the Procfile's processes."""
    turns = GAMES[variant].by_turns()
    server.begin(variant)
    for number, (player, text) in enumerate(turns):
        before = len(server.far.emails_to(player))
        server.far.reply(player, text)
        server.far.wait_for_more(player, before)
        answer = flat_text(server.far.emails_to(player)[-1])
        assert "I did nothing" not in answer
        assert "I did nothing" not in answer
        if number + 1 < len(turns):
            server.far.wait_for(turns[number + 1][0], expected_words(turns[number + 1][1]))
    for player in (ANN, BEN):
        letter = server.far.wait_for(player, GAMES[variant].end)
        assert "Here is the whole board." in letter


def expected_words(text: str) -> str:
    """The words of the email to which this is the reply."""
    return "Deploy your pieces by" if text.startswith("deploy") else "Your turn: reply by"


@on_sqlite
def test_each_process_first_logs_its_start(shared: Shared) -> None:
    wait_until(lambda: all(log_entries(shared.logs, each) for each in PROCESSES), "all say something")
    told = {name: log_entries(shared.logs, name) for name in PROCESSES}

    assert {name: each[0]["says"] for name, each in told.items()} == STARTED
    assert [each["says"] for said in told.values() for each in said if each["says"] in STARTED.values()] == [
        *STARTED.values()
    ]
    host, port = shared.server.settings["CORR_WEB_LISTEN"].split(":")
    assert (told["web"][0]["host"], told["web"][0]["port"]) == (host, int(port))


@on_sqlite
def test_workers_step_back_for_pages(shared: Shared) -> None:
    wait_until(lambda: all(log_entries(shared.logs, each) for each in PROCESSES), "all say something")
    back = {part.name: part.niceness() - os.nice(0) for part in shared.server.parts}

    assert {name for name, far in back.items() if far} == {"worker", "thinker", "caller"} & back.keys()
    assert back["web"] < back["worker"]


def log_entries(folder: Path, name: str) -> list[dict[str, object]]:
    """A process's log entries so far, without Celery's warning about running as root."""
    lines = [json.loads(line) for line in (folder / f"{name}0.log").read_text().splitlines()]
    return [told for told in lines if told["level"] == "info"]


def assert_is_a_good_log_line(line: str) -> None:
    """Check that a log line is JSON, names nobody, and isn't an error."""
    told = json.loads(line)
    assert told["level"] in ("info", "warning"), line
    assert "a.example" not in line.replace("…@a.example", "")


def has_connection(port: int) -> bool:
    """True if some process has a connection to a port of this machine."""
    fields = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return any(remote.endswith(f":{port:04X}") and state == "01" for _, _, remote, state, *_ in fields)


def test_a_stopping_beat_does_not_wait_for_a_silent_broker(tmp_path: Path, redis: RedisServer) -> None:
    settings = environ(
        CORR_DATABASE_URL=f"sqlite:///{tmp_path}/corr.sqlite",
        CORR_MAIL_DOMAIN=DOMAIN,
        CORR_REDIS_URL=redis.url,
        CORR_SMTP_URL=f"smtp://{HOST}:{free_port()}",
    )
    (tmp_path / "corr.sqlite").write_bytes(blank_database())
    beat = Process("beat", read_procfile()["beat"], settings, tmp_path / "beat.log")
    redis.freeze()
    beat.start()
    wait_until(lambda: has_connection(redis.port), "beat waits for its broker")

    assert beat.stop().status == 0


#: A beat whose work never ends and swallows every exception, as Celery does in places.
STUBBORN = """
import socket
from celery.signals import beat_init
import worker.beat

beat_init.send(sender=None)
silent, _ = socket.socketpair()
print("at work", flush=True)
while True:
    try:
        silent.recv(1)
    except BaseException:
        pass
"""


def test_a_beat_stops_at_once_during_its_work() -> None:
    beat = subprocess.Popen([sys.executable, "-c", STUBBORN], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert beat.stdout
    assert beat.stdout.readline() == "at work\n"

    beat.terminate()

    assert beat.wait(TIMEOUT) == 0
    beat.stdout.close()


@pytest.mark.parametrize("how", ["dead", "frozen"])
def test_without_the_broker_emails_are_stored_and_read_when_it_is_back(
    shared: Shared, server: Running, how: str
) -> None:
    redis = shared.redis
    server.begin()
    redis.kill() if how == "dead" else redis.freeze()
    server.far.reply(ANN, "e2e4")
    with urlopen(f"http://{server.settings['CORR_WEB_LISTEN']}/", timeout=TIMEOUT) as page:
        assert page.status == 200
    assert "Redis doesn't answer" in str(server.health()["broker"])
    redis.start() if how == "dead" else redis.thaw()

    server.far.wait_for(BEN, "Your turn")
    server.far.reply(BEN, "e7e5")
    server.far.wait_for(ANN, "Move 2. Your turn")


@pytest.mark.parametrize(
    ("name", "key"),
    [
        *((name, "CORR_REDIS_URL") for name in PROCESSES),
        ("worker", "CORR_DATABASE_URL"),
        ("web", "CORR_MAIL_DOMAIN"),
        ("fetch", "CORR_IMAP_URL"),
        ("fetch", "CORR_REDIS_URL"),
    ],
)
def test_a_process_without_a_setting_exits_and_names_it(tmp_path: Path, name: str, key: str) -> None:
    settings = environ(
        CORR_DATABASE_URL=f"sqlite:///{tmp_path / 'corr.sqlite'}",
        CORR_MAIL_DOMAIN=DOMAIN,
        CORR_REDIS_URL="redis://127.0.0.1:1/0",
        CORR_IMAP_URL=MAILBOX,
    )
    (tmp_path / "corr.sqlite").write_bytes(blank_database())
    part = Process(name, read_procfile()[name], {**settings, key: ""}, tmp_path / "log")

    part.start()
    wait_until(lambda: not part.is_running(), f"{name} ends")

    said = (tmp_path / "log").read_text()
    assert f"{key} isn't set. Set it in the environment, for example {key}=" in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    "name", [*(each for each in PROCESSES if each != "beat"), "fetch"]
)  # beat reads no tables
def test_a_process_refuses_tables_of_another_version(tmp_path: Path, name: str) -> None:
    settings = environ(
        CORR_DATABASE_URL=f"sqlite:///{tmp_path / 'corr.sqlite'}",
        CORR_MAIL_DOMAIN=DOMAIN,
        CORR_REDIS_URL="redis://127.0.0.1:1/0",
        CORR_IMAP_URL=MAILBOX,
    )
    part = Process(name, read_procfile()[name], settings, tmp_path / "log")

    part.start()
    wait_until(lambda: not part.is_running(), f"{name} ends")

    assert "Run: corr db upgrade" in (tmp_path / "log").read_text()


@on_sqlite
def test_a_stranger_plays_a_bot_at_once(shared: Shared, server: Running) -> None:
    thinker = Process("thinker", read_procfile()["thinker"], server.settings, shared.logs / "thinker.log")
    thinker.start()
    try:
        server.far.write(EVE, "challenge Pip wild16 3d white")
        server.far.wait_for(EVE, "confirm")
        server.far.reply(EVE, "confirm")
        server.far.wait_for(EVE, "Wild 16 with Pip (bot). You are White. Move 1. Your turn")
        server.far.reply(EVE, "e2e4")
        server.far.wait_for(EVE, "Move 2. Your turn")
    finally:
        thinker.kill()
