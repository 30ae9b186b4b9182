"""What each process of a house weighs after 1,000 letters and after 11,000: the Procfile's own lines, one of each."""

from __future__ import annotations

import argparse
import re
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.request import urlopen

from bench.databases import Databases, places
from bench.world import Postman, Sink
from tests.support import procfile
from tests.support.crowd import DOMAIN, Crowd, Hollow, house
from tests.support.procfile import Part
from tests.support.servers import HOST, RedisServer, answers, free_port
from tests.support.waiting import wait_until

GAMES = 500
FIRST, MORE = 1_000, 10_000


def weights(parts: list[Part]) -> dict[str, float]:
    """Megabytes of each process and of its children."""
    found = {}
    for part in parts:
        assert part._process
        found[part.name] = megabytes(part._process.pid)
        for number, child in enumerate(part._children()):
            found[f"{part.name}, child {number + 1}"] = megabytes(child)
    return found


def megabytes(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(re.finditer(r"VmRSS:\s+(\d+)", status))[1]) / 1024


@contextmanager
def asked_all_the_time(address: str) -> Iterator[list[int]]:
    """Somebody asks for a page again and again; how often it was answered."""
    ended, count = threading.Event(), [0]

    def ask() -> None:
        while not ended.wait(0.05):
            with suppress(OSError), urlopen(address) as answer:
                count[0] += answer.status == 200

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield count
    finally:
        ended.set()
        thread.join()


class Letters:
    """Brings rounds of letters until there were enough."""

    def __init__(self, crowd: Crowd, door: int, sink: Sink, postman: Postman) -> None:
        self._crowd, self._door, self._sink, self._postman = crowd, door, sink, postman
        self._count = 0

    def bring(self, count: int) -> None:
        """Go on until so many letters have been answered, to both players each."""
        while self._count < count:
            letters = self._crowd.replies()[: count - self._count]
            wanted = self._sink.count + 2 * len(letters)
            self._postman.bring(self._door, letters)
            self._sink.wait_for(wanted)
            self._postman.join()
            self._count += len(letters)


def measure(place: Databases, sink: Sink, postman: Postman) -> None:
    laid = house(place.make("memory"), Hollow())
    crowd = Crowd(laid)
    crowd.begin(GAMES)
    door, web = free_port(), free_port()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        redis = RedisServer()
        redis.start()
        stack.callback(redis.stop)
        settings: Mapping[str, str] = procfile.environ(
            CORR_DATABASE_URL=laid.store.engine.url.render_as_string(hide_password=False),
            CORR_MAIL_DOMAIN=DOMAIN,
            CORR_REDIS_URL=redis.url,
            CORR_SMTP_URL=sink.url,
            CORR_SMTP_LISTEN=f"{HOST}:{door}",
            CORR_WEB_LISTEN=f"{HOST}:{web}",
            CORR_WORKER_PROCESSES="1",
        )
        parts = [Part(name, line, settings, folder / name) for name, line in procfile.of_a_house().items()]
        for part in parts:
            part.start()
            stack.callback(part.stop)
        wait_until(lambda: answers(door) and answers(web), "the house answers")
        letters = Letters(crowd, door, sink, postman)
        with asked_all_the_time(f"http://{HOST}:{web}/healthz") as pages:
            letters.bring(FIRST)
            before, begun = weights(parts), time.perf_counter()
            letters.bring(FIRST + MORE)
            took, after = time.perf_counter() - begun, weights(parts)
        print(f"{place.name}: {MORE:,} letters and {pages[0]:,} pages in {took:.0f} s")
        for name, weight in before.items():
            print(f"  {name:18}{weight:6.1f} MB, then {after[name]:6.1f} MB: {after[name] - weight:+5.1f} MB")
    laid.store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database", nargs="?", default="PostgreSQL", choices=["PostgreSQL", "SQLite"])
    wanted = parser.parse_args().database
    sink, postman = Sink(), Postman()
    sink.start()
    postman.start()
    with places() as found:
        for place in found:
            if place.name == wanted:
                measure(place, sink, postman)
    postman.stop()
    sink.stop()


if __name__ == "__main__":
    main()
