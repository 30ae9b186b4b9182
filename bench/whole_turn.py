"""The whole way from an incoming email to both answers, for the server and the lean floor.

    python -m bench.whole_turn [--games 100] [--rounds 9]

The floor does the same wire work, and the least with a database by which nothing is lost or doubled. On SQLite all
is one process; on PostgreSQL with Redis both have a listening process and a Celery worker.
"""

from __future__ import annotations

import gc
import pickle
import shlex
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from aiosmtpd.controller import Controller

from bench import floor
from bench.driver import Databases, PostgresDatabases, ask, places
from bench.outside_world import World, run_outside_world
from corr.mail.outward.transport import Delivery, DeliveryFate, Envelope, make_mailer
from corr.mail.smtp_server import ListenAddress, Listener, SmtpProtocol
from corr.service.answer_timing import EMAILS
from corr.service.mail import inbox
from corr.service.mail.arrivals import Arrival
from corr.service.mail.entrance import EmailEntrance
from corr.service.server import wall_clock
from corr.service.worker_rounds import WorkerRounds
from tests.support import procfile
from tests.support.database_servers import HOST, RedisServer, answers, free_port
from tests.support.many_players import DOMAIN, DiscardingMailer, Letter, ManyPlayers, make_server, run_workers
from tests.support.procfile import Process
from tests.support.waiting import wait_until

WARM = 2
STINT = 2.0
#: Emails, and how many answers they have.
Round = tuple[Sequence[Letter], int]


@dataclass
class Prepared:
    """Running games in two databases, rounds of emails, and an email of the server."""

    urls: dict[str, str]
    rounds: list[Round]
    letter: Envelope


class _Counting(DiscardingMailer):
    """Keeps the newest email, and counts all."""

    count = 0

    def send(self, envelope: Envelope) -> Delivery:
        self.count += 1
        self.letter = envelope
        return Delivery(DeliveryFate.SENT)


def prepare(place: Databases, games: int, rounds: int) -> Prepared:
    """Play in a copy of a database what will be played in other copies."""
    post = _Counting()
    played = make_server(place.make("played"), post)
    crowd = ManyPlayers(played)
    crowd.begin(games)
    played.store.close()
    urls = {"ours": place.copy("played", "ours"), "floor": floor.make_database(place.make("floor"), played)}
    made: list[Round] = []
    for _ in range(WARM + rounds):
        letters, before = crowd.replies(), post.count
        for letter in letters:
            inbox.store_email(played, Arrival(letter.raw, (letter.recipient,), played.now()))
        run_workers(played)
        made.append((letters, post.count - before))
    played.store.close()
    gc.freeze()
    return Prepared(urls, made, post.letter)


@contextmanager
def working(take_turns: Callable[[Callable[..., None]], object]) -> Iterator[Callable[..., None]]:
    """A thread that works at each knock."""
    knocked, ended = threading.Event(), threading.Event()

    def knock(*_works: object) -> None:
        knocked.set()

    def go_on() -> None:
        while not ended.is_set():
            knocked.wait()
            knocked.clear()
            take_turns(knock)

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield knock
    finally:
        ended.set()
        knocked.set()
        thread.join()


@contextmanager
def our_process(url: str, world: World) -> Iterator[int]:
    ours, port = replace(make_server(url, make_mailer(world.url)), now=wall_clock, pace=EMAILS), free_port()
    turns = WorkerRounds(ours)

    def take_turns(knock: Callable[..., None]) -> None:
        turns.take(STINT, lambda seconds: threading.Timer(seconds, knock).start())

    with working(take_turns) as knock:
        listener = Listener(EmailEntrance(ours, knock), ListenAddress(HOST, port, SmtpProtocol), DOMAIN)
        listener.start()
        yield port
        listener.stop()
    ours.store.close()


@contextmanager
def floor_process(url: str, world: World, letter: Envelope) -> Iterator[int]:
    post, desk, port = floor.LeanMailer(world.url), floor.LeanWorker(url, letter), free_port()
    with working(lambda _knock: desk.take_turns(post.send)) as knock:
        listener = Controller(
            floor.LeanListener(floor.LeanWorker(url, letter), knock), hostname=HOST, port=port
        )
        listener.start()
        yield port
        listener.stop()


@contextmanager
def running(folder: Path, settings: dict[str, str], **commands: str) -> Iterator[int]:
    """A listening process and a worker; the port where emails are accepted."""
    port = free_port()
    environ = procfile.environ(**settings, CORR_MAIL_DOMAIN=DOMAIN, CORR_SMTP_LISTEN=f"{HOST}:{port}")
    parts = [Process(name, command, environ, folder / f"{name}.log") for name, command in commands.items()]
    for part in parts:
        part.start()
    wait_until(lambda: answers(port), "emails are accepted")
    yield port
    for part in parts:
        part.stop()


_FLOOR_WORKER = "celery --quiet --app bench.floor worker --concurrency 1 --without-gossip --without-mingle"


def open_doors(stack: ExitStack, place: Databases, made: Prepared, world: World) -> dict[str, int]:
    """Start both sides; yield their ports."""
    if not isinstance(place, PostgresDatabases):
        processes = (
            our_process(made.urls["ours"], world),
            floor_process(made.urls["floor"], world, made.letter),
        )
        return dict(zip(made.urls, map(stack.enter_context, processes), strict=True))
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    (folder / "letter").write_bytes(pickle.dumps(made.letter))
    redis = RedisServer()
    redis.start()
    stack.callback(redis.stop)
    mail, worker = procfile.read_procfile()["mail"], procfile.read_procfile()["worker"]
    own_mail = f"{shlex.quote(sys.executable)} -m bench.floor"
    commands = {
        "ours": {"mail": mail, "worker": worker},
        "floor": {"floor-mail": own_mail, "floor-worker": _FLOOR_WORKER},
    }
    doors = {}
    for number, side in enumerate(commands):
        settings = {
            "CORR_DATABASE_URL": made.urls[side],
            "CORR_REDIS_URL": redis.url.replace("/0", f"/{number}"),
            "CORR_SMTP_URL": world.url,
            "CORR_WORKER_PROCESSES": "1",
            "CORR_LOG_LEVEL": "WARNING",
            "BENCH_LETTER": str(folder / "letter"),
        }
        doors[side] = stack.enter_context(running(folder, settings, **commands[side]))
    return doors


def race(doors: dict[str, int], rounds: Sequence[Round], world: World) -> dict[str, float]:
    """The median emails a second of both sides, in alternate rounds."""
    speeds: dict[str, list[float]] = {side: [] for side in doors}
    for number, (letters, answered) in enumerate(rounds):
        for side in sorted(doors, reverse=number % 2 == 1):
            wanted, begun = world.count + answered, time.perf_counter()
            world.bring(doors[side], letters)
            world.wait_for(wanted)
            speeds[side].append(len(letters) / (time.perf_counter() - begun))
            world.join()
    return {side: statistics.median(each[WARM:]) for side, each in speeds.items()}


def main() -> None:
    asked = ask(__doc__, games=100, rounds=9)
    with run_outside_world() as world:
        for place in places():
            made = prepare(place, asked.games, asked.rounds)
            with ExitStack() as stack:
                speeds = race(open_doors(stack, place, made, world), made.rounds, world)
            ours, lean = speeds["ours"], speeds["floor"]
            print(f"{place.name:10} {ours:5.0f} emails/s, lean floor {lean:5.0f}: {ours / lean:.2f}x")


if __name__ == "__main__":
    main()
