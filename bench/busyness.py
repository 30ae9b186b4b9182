"""How well the house's haste tells whether the other side's orders are judged, by fifty questions a second.

    python -m bench.busyness [SECONDS]

Ann asks for her own page's mark from as many browsers and addresses as the limits allow for that. Each second it is
drawn by lot whether Ben tries something in vain, on his page or by letter. Printed is the AUC of what Ann measures in
such seconds against the others, for SQLite and for PostgreSQL: 0.5 is by lot, 1 is always told. A hundred seconds leave
an error of about 0.06.
"""

from __future__ import annotations

import http.client
import random
import re
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

from sqlalchemy import select

from bench.databases import places
from corr.config import Config
from corr.mail.address import Kind, Signet
from corr.service import worker_rounds
from corr.service.games import lifecycle, page
from corr.service.games.pairing import Pairing
from corr.service.house import House, house_of
from corr.service.mail import inbox
from corr.service.mail.arrival import Arrival
from corr.service.players import authentication, players
from corr.service.players.mailboxes import known_or_new
from corr.store.tables import Game, SeatRow
from corr.web import create_app
from corr.words.board import Pair
from corr.worker_wakeup import Knocker, Work
from tests.support.procfile import environ, pages_and_worker
from tests.support.servers import HOST, RedisServer, free_port

SECONDS, A_SECOND, BROWSERS, ADDRESSES, THREADS, GAMES = 110, 50, 14, 4, 10, 12
#: For so many seconds it is asked before anything is measured: all are asking by then.
WARMING_UP = 3
DOMAIN, CSRF = "play.example", "bench"
ANN, BEN = "ann@players.example", "ben@players.example"
#: Nothing that a pawn of Black's can do in one move, while nobody has met anybody.
IN_VAIN = [
    f"{one}7{other}{rank}" for one, other, rank in product("abcdefgh", "abcdefgh", "432") if one != other
]


@dataclass(frozen=True, slots=True)
class Asked:
    """When Ann asked, and how long she waited for the answer; whether she was told to ask less often."""

    at: float
    seconds: float
    refused: bool


@dataclass(frozen=True, slots=True)
class Laid:
    """A house with games of two players, each of them let in at browsers: their cookies."""

    settings: dict[str, str]
    port: int
    codes: list[str]
    anns: list[str]
    bens_secret: str
    bens: str


# ---------------------------------------------------------------- the house


@contextmanager
def served(folder: Path, url: str) -> Iterator[Laid]:
    """A house that is served by the Procfile's own processes; Ann has moved in all games."""
    redis, port = RedisServer(), free_port()
    settings = environ(
        CORR_DATABASE_URL=url,
        CORR_MAIL_DOMAIN=DOMAIN,
        CORR_REDIS_URL=redis.url,
        CORR_SMTP_URL=f"spool:{folder / 'spool'}",
        CORR_WEB_LISTEN=f"{HOST}:{port}",
        CORR_WORKER_PROCESSES="1",
    )
    laid = _lay(settings, port)
    with pages_and_worker(settings, folder, redis, port):
        yield laid


def _lay(settings: dict[str, str], port: int) -> Laid:
    house = house_of(Config.from_env(settings))
    now = house.now()
    with house.store.writing() as connection:
        ann, ben = (
            players.enrol_as_written(connection, known_or_new(connection, address, now), "", now)
            for address in (ANN, BEN)
        )
        for _ in range(GAMES):
            lifecycle.start(connection, Pairing(Pair(ann, ben), "wild16", "3d", rated=False), now)
        codes = list(connection.execute(select(Game.code).order_by(Game.id)).scalars())
    secrets = [authentication.let_in_by_house(house, ANN, now).secret for _ in range(BROWSERS)]
    for code in codes:
        _write(house, secrets[0], code, "e2e4")
    while worker_rounds.read_some(house, now) or worker_rounds.send_some(house, now):
        pass
    bens = authentication.let_in_by_house(house, BEN, now).secret
    cookies = [_cookie(house, secret) for secret in (bens, *secrets)]
    house.store.close()
    return Laid(settings, port, codes, cookies[1:], bens, cookies[0])


def _cookie(house: House, secret: str) -> str:
    client = create_app(house, lambda _work: None).test_client()
    with client.session_transaction() as session:
        session["in"], session["csrf"] = secret, CSRF
    kept = client.get_cookie("corr")
    assert kept
    return f"corr={kept.value}"


def _write(house: House, secret: str, code: str, text: str) -> None:
    seat = page.at_table(house, secret, code, "", house.now())
    assert seat
    page.write(house, seat.seat_id, page.PageText(text, seat.standing.stamp), house.now())


# ---------------------------------------------------------------- Ann asks


def ask(laid: Laid, ended: threading.Event, number: int, found: list[Asked]) -> None:
    """One of Ann's threads: it asks when it is its turn, whatever the others wait for."""
    connection = http.client.HTTPConnection(HOST, laid.port, timeout=20)
    span, path, marks = THREADS / A_SECOND, f"/games/{laid.codes[0]}", dict[str, str]()
    due, count = time.monotonic() + number / A_SECOND, number
    while not ended.is_set():
        time.sleep(max(0.0, due - time.monotonic()))
        cookie = laid.anns[count % BROWSERS]
        heads = {
            "Cookie": cookie,
            "X-Forwarded-For": f"192.0.2.{count % ADDRESSES}",
            "If-None-Match": marks.get(cookie, ""),
        }
        begun = time.monotonic()
        connection.request("GET", path, headers=heads)
        answer = connection.getresponse()
        answer.read()
        found.append(
            Asked(begun, time.monotonic() - begun, answer.status == http.HTTPStatus.TOO_MANY_REQUESTS)
        )
        marks[cookie] = answer.headers.get("ETag", marks.get(cookie, ""))
        due, count = due + span, count + THREADS
    connection.close()


# ---------------------------------------------------------------- Ben tries


def tries(laid: Laid, way: str, told: Connection) -> None:
    """Ben's process: one try in vain for each word that it is told."""
    house = house_of(Config.from_env(laid.settings))
    knock = Knocker(laid.settings["CORR_REDIS_URL"])
    todo = iter(product(IN_VAIN, laid.codes))
    told.send(True)
    while told.recv():
        text, code = next(todo)
        if way == "page":
            _by_page(house, laid, code, text)
        else:
            _by_letter(house, code, text)
            knock(Work.LETTERS)
        told.send(True)
    house.store.close()


def _by_page(house: House, laid: Laid, code: str, text: str) -> None:
    seat = page.at_table(house, laid.bens_secret, code, "", house.now())
    assert seat
    form = {
        "csrf": CSRF,
        "stamp": seat.standing.stamp,
        "side": "black",
        "orders": text,
    }
    connection = http.client.HTTPConnection(HOST, laid.port, timeout=20)
    heads = {
        "Cookie": laid.bens,
        "X-Forwarded-For": "192.0.2.99",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    connection.request("POST", f"/games/{code}", urlencode(form), heads)
    assert connection.getresponse().status == http.HTTPStatus.SEE_OTHER
    connection.close()


def _by_letter(house: House, code: str, text: str) -> None:
    with house.store.reading() as connection:
        asked = select(SeatRow.code, SeatRow.key, SeatRow.slips).join(Game, Game.id == SeatRow.game_id)
        seat = connection.execute(asked.where(Game.code == code, SeatRow.side == "black")).one()
    address = Signet(seat.code, seat.key).mailbox(Kind.REPLY, seat.slips, DOMAIN)
    name = f"{code}.{re.sub('[^a-z0-9]', '', text)}"
    raw = f"From: {BEN}\r\nTo: {address}\r\nMessage-ID: <{name}@players.example>\r\n\r\n{text}\r\n"
    inbox.drop(house, Arrival(raw.encode(), (address,), datetime.now(UTC)))


# ---------------------------------------------------------------- what it tells

Feature = Callable[[list[float]], float]
FEATURES: dict[str, Feature] = {
    "mean": statistics.mean,
    "median": statistics.median,
    "slowest": max,
    "spread": statistics.pstdev,
}


def watch(laid: Laid, way: str, seconds: int) -> tuple[list[tuple[bool, list[float]]], float]:
    """Each second's answers, with whether Ben tried; and which part of all questions was refused."""
    spawn = get_context("spawn")
    ours, his = spawn.Pipe()
    ben = spawn.Process(target=tries, args=(laid, way, his))
    ben.start()
    ours.recv()
    found: list[Asked] = []
    ended, dice = threading.Event(), random.Random(way)
    threads = [threading.Thread(target=ask, args=(laid, ended, each, found)) for each in range(THREADS)]
    for thread in threads:
        thread.start()
    time.sleep(WARMING_UP)
    windows = []
    for _ in range(seconds):
        begun, is_tried = time.monotonic(), dice.random() < 0.5
        if is_tried:
            ours.send(True)
        windows.append((is_tried, begun))
        time.sleep(max(0.0, begun + 1 - time.monotonic()))
        if is_tried:
            ours.recv()
    ours.send(False)
    ended.set()
    for thread in threads:
        thread.join()
    ben.join()
    told = [
        (is_tried, [each.seconds for each in found if begun <= each.at < begun + 0.5])
        for is_tried, begun in windows
    ]
    return told, statistics.mean(each.refused for each in found)


def auc(tried: list[float], others: list[float]) -> float:
    """How often a second with a try has more of it than one without."""
    pairs = [(one > other) + (one == other) / 2 for one, other in product(tried, others)]
    return statistics.mean(pairs)


def main() -> None:
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    with places() as found:
        for place, way in product(found, ("page", "letter")):
            with TemporaryDirectory() as folder, served(Path(folder), place.make(way)) as laid:
                told, refused = watch(laid, way, seconds)
            report(f"{place.name:10} {way:6}", told, refused)


def report(what: str, told: list[tuple[bool, list[float]]], refused: float) -> None:
    """Print how well each feature of a second's answers tells whether Ben tried something in it."""
    for name, feature in FEATURES.items():
        tried, others = (
            [feature(each) for was_tried, each in told if was_tried is which and each]
            for which in (True, False)
        )
        print(
            f"{what} {name:8} AUC {auc(tried, others):.2f}   {statistics.median(tried) * 1000:6.1f} ms with "
            f"a try, {statistics.median(others) * 1000:6.1f} ms without"
        )
    print(f"{what} refused  {refused:.0%} of {A_SECOND} a second")


if __name__ == "__main__":
    main()
