"""The whole way, from a letter at the door to both answers at the mail server: the house against the lean floor.

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
from dataclasses import replace
from pathlib import Path

from aiosmtpd.controller import Controller

from bench import lean
from bench.bare import BareDoor, BarePost, Floor
from bench.databases import Databases, PostgresDatabases, places
from bench.tape import Recorder, Tape
from bench.world import Postman, Sink
from corr.answer_timing import LETTERS, Pace
from corr.mail.outward.transport import post_of
from corr.mail.smtp_server import ListenAt, Listener, SmtpDoor
from corr.mail_entrance import FrontDoor
from corr.service.house import wall_clock
from corr.service.worker_rounds import Turns
from tests.support import procfile
from tests.support.crowd import DOMAIN, Crowd, Hollow, Letter, house
from tests.support.procfile import Part
from tests.support.servers import HOST, RedisServer, answers, free_port
from tests.support.waiting import wait_until

GAMES, ROUNDS, WARM = 100, 9, 2
STINT = 2.0
Round = tuple[Sequence[Letter], int]


# ---------------------------------------------------------------- all in one process


@contextmanager
def working(work: Callable[[Callable[..., None]], object]) -> Iterator[Callable[..., None]]:
    """A thread that works whenever it is knocked for, by itself or by others."""
    knocked, ended = threading.Event(), threading.Event()

    def knock(*_works: object) -> None:
        knocked.set()

    def go_on() -> None:
        while not ended.is_set():
            knocked.wait()
            knocked.clear()
            work(knock)

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield knock
    finally:
        ended.set()
        knocked.set()
        thread.join()


@contextmanager
def our_process(url: str, sink: Sink, pace: Pace = LETTERS) -> Iterator[int]:
    ours, port = replace(house(url, post_of(sink.url)), now=wall_clock, pace=pace), free_port()
    turns = Turns(ours)

    def work(knock: Callable[..., None]) -> None:
        turns.take(STINT, lambda seconds: threading.Timer(seconds, knock).start())

    with working(work) as knock:
        listener = Listener(FrontDoor(ours, knock), ListenAt(HOST, port, SmtpDoor), DOMAIN)
        listener.start()
        yield port
        listener.stop()
    ours.store.close()


@contextmanager
def bare_process(url: str, sink: Sink, floor: Floor) -> Iterator[int]:
    post, desk, port = BarePost(sink.url), floor.desk(url), free_port()
    with working(lambda _knock: desk.take_turns(post.send)) as knock:
        listener = Controller(BareDoor(floor.desk(url), knock), hostname=HOST, port=port)
        listener.start()
        yield port
        listener.stop()


# ---------------------------------------------------------------- several processes


@contextmanager
def running(folder: Path, settings: dict[str, str], **commands: str) -> Iterator[int]:
    """A listening process and a worker; the port where accepting email."""
    port = free_port()
    environ = procfile.environ(**settings, CORR_MAIL_DOMAIN=DOMAIN, CORR_SMTP_LISTEN=f"{HOST}:{port}")
    parts = [Part(name, command, environ, folder / f"{name}.log") for name, command in commands.items()]
    for part in parts:
        part.start()
    wait_until(lambda: answers(port), "the door answers")
    yield port
    for part in parts:
        part.stop()


# ---------------------------------------------------------------- both sides


def lay(place: Databases) -> tuple[Crowd, dict[str, str]]:
    """Begun games, and the URLs of two copies of their database."""
    first = house(place.make("recorded"), Hollow())
    crowd = Crowd(first)
    crowd.begin(GAMES)
    first.store.close()
    return crowd, {side: place.copy("recorded", side) for side in ("ours", "bare")}


def record(crowd: Crowd) -> tuple[Tape, list[Round]]:
    """Some rounds of letters, how many answers each has, and all that they do to a database."""
    recorder = Recorder()
    recorder.listen(crowd.house)
    rounds: list[Round] = []
    for _ in range(WARM + ROUNDS):
        letters = crowd.replies()
        rounds.append((letters, recorder.record(crowd.house, letters)))
    crowd.house.store.close()
    gc.freeze()
    return recorder.tape, rounds


def race(doors: dict[str, int], rounds: Sequence[Round], sink: Sink, postman: Postman) -> dict[str, float]:
    """Letters a second on either side, round by round in turn; the median."""
    speeds: dict[str, list[float]] = {side: [] for side in doors}
    for number, (letters, answered) in enumerate(rounds):
        for side in sorted(doors, reverse=number % 2 == 1):
            wanted, begun = sink.count + answered, time.perf_counter()
            postman.bring(doors[side], letters)
            sink.wait_for(wanted)
            speeds[side].append(len(letters) / (time.perf_counter() - begun))
            postman.join()
    return {side: statistics.median(each[WARM:]) for side, each in speeds.items()}


def open_doors(
    stack: ExitStack, place: Databases, urls: dict[str, str], sink: Sink, floor: Floor
) -> dict[str, int]:
    """Start both sides; where each takes letters in."""
    if not isinstance(place, PostgresDatabases):
        ours, bare = our_process(urls["ours"], sink), bare_process(urls["bare"], sink, floor)
        return {"ours": stack.enter_context(ours), "bare": stack.enter_context(bare)}
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    (folder / "floor").write_bytes(pickle.dumps(floor))
    redis = RedisServer()
    redis.start()
    stack.callback(redis.stop)
    lines = procfile.lines()
    commands = {
        "ours": {"mail": lines["mail"], "worker": lines["worker"]},
        "bare": {
            "bare-mail": f"{shlex.quote(sys.executable)} -m bench.bare",
            "bare-worker": lines["worker"].replace("worker.main", "bench.barehands"),
        },
    }
    doors = {}
    for number, side in enumerate(commands):
        settings = {
            "CORR_DATABASE_URL": urls[side],
            "CORR_REDIS_URL": redis.url.replace("/0", f"/{number}"),
            "CORR_SMTP_URL": sink.url,
            "CORR_WORKER_PROCESSES": "1",
            "CORR_LOG_LEVEL": "WARNING",
            "BENCH_FLOOR": str(folder / "floor"),
        }
        doors[side] = stack.enter_context(running(folder, settings, **commands[side]))
    return doors


def main() -> None:
    sink, postman = Sink(), Postman()
    sink.start()
    postman.start()
    with places() as found:
        for place in found:
            crowd, urls = lay(place)
            urls["bare"] = lean.lay(place.make("lean"), crowd.house)
            tape, rounds = record(crowd)
            floor = lean.Lean(tape.letters.popitem()[1], DOMAIN)
            with ExitStack() as stack:
                doors = open_doors(stack, place, urls, sink, floor)
                speeds = race(doors, rounds, sink, postman)
            ours, bare = speeds["ours"], speeds["bare"]
            print(f"{place.name:10} {ours:5.0f} letters/s, lean floor {bare:5.0f}: {ours / bare:.2f}x")
    postman.stop()
    sink.stop()


if __name__ == "__main__":
    main()
