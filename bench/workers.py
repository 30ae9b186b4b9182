"""A backlog of letters, worked off by one worker process and then by two, on PostgreSQL with Redis."""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from celery import Celery
from sqlalchemy import func, select

from bench.databases import Databases, PostgresDatabases, places
from bench.world import Sink
from corr.service.house import House
from corr.service.mail import inbox
from corr.service.mail.arrival import Arrival
from corr.store.tables import InboxRow
from corr.worker_wakeup import Knocker, Work
from tests.support import procfile
from tests.support.crowd import DOMAIN, Crowd, Hollow, house
from tests.support.procfile import Part
from tests.support.servers import RedisServer
from tests.support.waiting import wait_until
from worker.tasks import make_app

LETTERS, ROUNDS = 2_000, 3


def lay(place: Databases) -> None:
    """A house in which a letter of each game waits."""
    laid = house(place.make("laid"), Hollow())
    crowd = Crowd(laid)
    crowd.begin(LETTERS)
    for letter in crowd.replies():
        inbox.drop(laid, Arrival(letter.raw, (letter.recipient,), laid.now()))
    laid.store.close()


def rows_of_one_knock(url: str) -> int:
    """How many letters a worker reads that was woken once."""
    ours = house(url, Hollow())
    make_app(ours, Knocker("memory://"), "memory://").tasks[Work.LETTERS.value]()
    count = LETTERS - _unread(ours)
    ours.store.close()
    return count


def speed(url: str, workers: int, sink: Sink) -> float:
    """Letters a second, read and both answers sent, by some worker processes."""
    wanted = sink.count + 2 * LETTERS
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        redis = RedisServer()
        redis.start()
        stack.callback(redis.stop)
        settings = procfile.environ(
            CORR_DATABASE_URL=url,
            CORR_MAIL_DOMAIN=DOMAIN,
            CORR_REDIS_URL=redis.url,
            CORR_SMTP_URL=sink.url,
            CORR_WORKER_PROCESSES="1",
        )
        line = procfile.lines()["worker"]
        for number in range(workers):
            part = Part("worker", f"{line} --hostname {number}@bench", settings, folder / f"{number}.log")
            part.start()
            stack.callback(part.stop)
        control = Celery(broker=redis.url).control
        wait_until(lambda: len(control.ping(timeout=0.5)) == workers, "the workers are ready")
        knock, begun = Knocker(redis.url), time.perf_counter()
        knock(Work.LETTERS)
        sink.wait_for(wanted)
        return LETTERS / (time.perf_counter() - begun)


def _unread(ours: House) -> int:
    with ours.store.reading() as connection:
        unread = select(func.count()).select_from(InboxRow).where(InboxRow.read_at.is_(None))
        return connection.execute(unread).scalar_one()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    rounds = parser.parse_args().rounds
    sink = Sink()
    speeds: dict[int, list[float]] = {1: [], 2: []}
    sink.start()
    with places() as found:
        for place in found:
            if not isinstance(place, PostgresDatabases):
                continue
            lay(place)
            print(f"one knock: {rows_of_one_knock(place.copy('laid', 'knocked'))} letters read by one task")
            for number in range(rounds):
                for workers, each in speeds.items():
                    url = place.copy("laid", f"round{number}by{workers}")
                    each.append(speed(url, workers, sink))
            one, two = (statistics.median(each) for each in speeds.values())
            print(f"{place.name}: one worker {one:.0f} letters/s, two {two:.0f}: {two / one:.2f}x")
    sink.stop()


if __name__ == "__main__":
    main()
