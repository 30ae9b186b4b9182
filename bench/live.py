"""How soon an open table shows the opponent's move, and what many open tables cost while nothing happens.

    python -m bench.live [--moves 60] [--idle 10]

Pages are served by the Procfile's own line. In each game the side that waits holds its page's stream of news open. A
move is committed in one game after another; measured is how long it takes from the commit until the event has come and
the new page with it. Beside it stands the same page asked for every four seconds, as before there were streams.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.burst import Browsers
from bench.driver import Databases, ask, places
from bench.signed_in_server import (
    DOMAIN,
    MOVES,
    SignedInServer,
    Visitor,
    make_signed_in_server,
    run_website_and_worker,
    write_on_page,
)
from corr.service import worker_rounds
from corr.words.board import Side
from tests.support.database_servers import HOST

TABLES = (1, 100, 1_000)
POLLED_EVERY = 4.0
_TICKS = os.sysconf("SC_CLK_TCK")
_LONGEST = 60.0


class Streams:
    """The open streams of many pages."""

    def __init__(self, port: int) -> None:
        self._port, self._writers = port, list[asyncio.StreamWriter]()

    async def open(self, who: Visitor) -> asyncio.StreamReader:
        """The news of a visitor's game, after the first keep-alive."""
        reader, writer = await asyncio.open_connection(HOST, self._port)
        self._writers.append(writer)  # else the connection would end
        heads = (f"GET /games/{who.code}/news HTTP/1.1", f"Host: {DOMAIN}", f"Cookie: {who.cookie}")
        writer.write("\r\n".join((*heads, f"X-Forwarded-For: {who.place}", "", "")).encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 200 " in head, head
        await reader.readuntil(b": \n\n")
        return reader


async def shown_after(
    browsers: Browsers, gathering: SignedInServer, game: int, number: int, events: asyncio.StreamReader
) -> tuple[float, float]:
    """The seconds from a move's commit until its news and page have come, and those of the page alone."""
    pair, side = gathering.playing[game], tuple(Side)[number % 2]
    before = await browsers.ask("page", f"/games/{pair[side.other].code}", pair[side.other])
    write_on_page(gathering.server, pair[side].secret, pair[side].code, side, MOVES[number])
    await asyncio.to_thread(worker_rounds.read_some, gathering.server, gathering.server.now())
    committed = time.monotonic()
    await asyncio.wait_for(events.readuntil(b"data: news\n\n"), _LONGEST)
    told = time.monotonic()
    path = f"/games/{pair[side.other].code}"
    page = await browsers.ask("page", path, pair[side.other], mark=before.mark)
    assert page.status == 200, page.status
    return time.monotonic() - committed, time.monotonic() - told


def spent(port: int) -> tuple[float, float]:
    """The CPU seconds and the memory in MB of the web processes."""
    ticks = pages = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (
                f":{port}".encode() in (process / "environ").read_bytes()
                and b"gunicorn" in (process / "cmdline").read_bytes()
            ):
                fields = (process / "stat").read_text().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
                pages += int((process / "statm").read_text().split()[1])
        except OSError:
            continue
    return ticks / _TICKS, pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def measure(gathering: SignedInServer, port: int, moves: int, idle: float) -> str:
    browsers, dice = Browsers(port), random.Random(1)
    opened = Streams(port)
    streams = [await opened.open(pair.black) for pair in gathering.playing]
    before, _ = spent(port)
    await asyncio.sleep(idle)
    after, memory = spent(port)
    found: list[tuple[float, float]] = []
    for game in dice.sample(range(len(streams)), min(moves, len(streams))):
        found += [await shown_after(browsers, gathering, game, 0, streams[game])]
    if len(streams) == 1:
        streams += [await opened.open(gathering.playing[0].white)]
        for number in range(1, len(MOVES)):
            found += [await shown_after(browsers, gathering, 0, number, streams[number % 2])]
    seen = [whole for whole, _ in found]
    polled = [dice.uniform(0, POLLED_EVERY) + page for _, page in found for _ in range(20)]
    return (
        f"shown after p50 {_percentile(seen, 50):4.0f}, p95 {_percentile(seen, 95):4.0f} ms; polled: p50 "
        f"{_percentile(polled, 50):4.0f}, p95 {_percentile(polled, 95):4.0f} ms; idle "
        f"{(after - before) / idle:5.1%} of a core, {memory:4.0f} MB"
    )


def _percentile(seconds: Sequence[float], percent: int) -> float:
    return statistics.quantiles(seconds, n=100, method="inclusive")[percent - 1] * 1000


def run(place: Databases, tables: int, moves: int, idle: float) -> None:
    with (
        TemporaryDirectory() as name,
        make_signed_in_server(place.make(f"live{tables}"), tables, Path(name)) as gathering,
        run_website_and_worker(gathering, Path(name)) as port,
    ):
        said = asyncio.run(measure(gathering, port, moves, idle))
    print(f"{place.name:10} {tables:5} open tables: {said}", flush=True)


def main() -> None:
    asked = ask(__doc__, moves=60, idle=10)
    for place in places():
        for tables in TABLES:
            run(place, tables, asked.moves, asked.idle)


if __name__ == "__main__":
    main()
