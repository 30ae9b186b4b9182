"""How long pages take while two hundred moves come by page within a second, on the Procfile's processes.

    python -m bench.burst [--games 200] [--rounds 4]

In every round a player of each game sends a move as a browser does, and asks for the page until the umpire's answer
stands there. Meanwhile others ask for the rules, for their games and for a game. Printed is how long all of them had to
wait, how soon the last move was judged, and how many moves were lost or made twice.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

from bench.driver import ask, places
from bench.signed_in_server import (
    DOMAIN,
    Move,
    SignedInServer,
    Visitor,
    make_signed_in_server,
    run_website_and_worker,
)
from tests.support.database_servers import HOST
from tests.support.waiting import wait_until

A_SECOND = 10
#: The polling intervals of `table.js`: short while an order waits, otherwise long and growing.
SOON, LATE, LONGER = 0.4, 4.0, 1.25
#: Seconds of reading before the moves come.
_BEFORE = 1.0
_NOTHING_NEW = 304


@dataclass(frozen=True, slots=True)
class Page:
    """A response."""

    status: int
    mark: str
    body: bytes

    @property
    def is_answered(self) -> bool:
        """True if the page shows the umpire's answer."""
        return b'id="answer"' in self.body


@dataclass
class Browsers:
    """All browsers; each request has its own connection, as behind nginx."""

    port: int
    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    statuses: Counter[int] = field(default_factory=Counter)

    async def ask(
        self, what: str, path: str, who: Visitor, form: dict[str, str] | None = None, mark: str = ""
    ) -> Page:
        """Send a request; return the answer and its time."""
        body = urlencode(form).encode() if form else b""
        heads = [
            f"{'POST' if form else 'GET'} {path} HTTP/1.1",
            *(f"Host: {DOMAIN}", f"Cookie: {who.cookie}", f"X-Forwarded-For: {who.place}"),
            *("Connection: close", f"If-None-Match: {mark}", f"Content-Length: {len(body)}"),
            *("Content-Type: application/x-www-form-urlencoded", "", ""),
        ]
        begun = time.monotonic()
        reader, writer = await asyncio.open_connection(HOST, self.port)
        writer.write("\r\n".join(heads).encode() + body)
        raw = await reader.read(-1)
        writer.close()
        self.seconds[what].append(time.monotonic() - begun)
        head, _, shown = raw.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        status = int(first.split()[1])
        self.statuses[status] += 1
        told = dict(line.lower().split(": ", 1) for line in lines)
        return Page(status, told.get("etag", ""), shown)

    async def move(self, move: Move, begins: float) -> None:
        """Send a move, and reload the page until it shows the umpire's answer."""
        await asyncio.sleep(begins)
        path, wait, begun = f"/games/{move.who.code}", SOON, time.monotonic()
        await self.ask("a move sent", path, move.who, move.form)
        page = await self.ask("its page", path, move.who)
        while not page.is_answered:
            await asyncio.sleep(wait if b"data-waits" in page.body else LATE)
            wait *= LONGER
            newer = await self.ask("asked again", path, move.who, mark=page.mark)
            page = page if newer.status == _NOTHING_NEW else newer
        assert b'class="news answer"' in page.body
        self.seconds["a move answered"].append(time.monotonic() - begun)


async def read_on(browsers: Browsers, readers: Sequence[Visitor], ended: asyncio.Event) -> None:
    """Request each kind of page this often a second, whether or not earlier answers have come."""
    asked: list[asyncio.Task[Page]] = []
    begun = time.monotonic()
    while not ended.is_set():
        who = readers[len(asked) // 3 % len(readers)]
        paths = {"rules": "/rules/wild16", "games": "/games/", "a game": f"/games/{who.code}"}
        asked += [asyncio.create_task(browsers.ask(what, path, who)) for what, path in paths.items()]
        await asyncio.sleep(begun + len(asked) / 3 / A_SECOND - time.monotonic())
    await asyncio.gather(*asked)


async def burst(browsers: Browsers, gathering: SignedInServer, number: int) -> float:
    """Send a move in every game within a second while others read; return when the last was judged."""
    moves, wanted, ended = (
        gathering.moves(number),
        gathering.judged() + len(gathering.playing),
        asyncio.Event(),
    )
    reading = asyncio.create_task(read_on(browsers, gathering.reading, ended))
    await asyncio.sleep(_BEFORE)
    begun = time.monotonic()
    playing = [asyncio.create_task(browsers.move(each, at / len(moves))) for at, each in enumerate(moves)]
    await asyncio.to_thread(wait_until, lambda: gathering.judged() >= wanted, "all moves are judged")
    seconds = time.monotonic() - begun
    await asyncio.gather(*playing)
    ended.set()
    await reading
    return seconds


def main() -> None:
    asked = ask(__doc__, games=200, rounds=4)
    for place in places():
        with (
            TemporaryDirectory() as name,
            make_signed_in_server(place.make("burst"), asked.games, Path(name)) as gathering,
        ):
            with run_website_and_worker(gathering, Path(name)) as port:
                browsers = Browsers(port)
                took = [asyncio.run(burst(browsers, gathering, number)) for number in range(asked.rounds)]
            made = gathering.made()
        for what, each in browsers.seconds.items():
            p50, p95 = (statistics.quantiles(each, n=20)[at] * 1000 for at in (9, 18))
            print(f"{place.name:10} {what:15} {len(each):5} times, p50 {p50:5.0f} ms, p95 {p95:5.0f} ms")
        answers = ", ".join(f"{count} of {status}" for status, count in sorted(browsers.statuses.items()))
        lost = sum(max(0, asked.rounds - ply) for ply, _ in made)
        doubled = sum(max(0, max(ply, orders) - asked.rounds) for ply, orders in made)
        print(f"{place.name:10} last move judged after {statistics.median(took):.2f} s; answers: {answers}")
        print(f"{place.name:10} of {asked.games * asked.rounds} moves {lost} were lost, {doubled} made twice")


if __name__ == "__main__":
    main()
