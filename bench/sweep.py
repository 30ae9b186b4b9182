"""What beat wakes every few seconds, in a house of 10,000 games and in one of a million, built by script."""

from __future__ import annotations

import sqlite3
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import timedelta
from functools import partial
from itertools import chain

import psycopg
from sqlalchemy import make_url, text

from bench.crowd import Crowd, Hollow, house, work
from bench.databases import Databases, places
from corr.desk import hours, inbox, outbox, reader
from corr.desk.arrival import Arrival
from corr.desk.house import House
from corr.store.packed import pack
from corr.store.tables import Base

SIZES = 10_000, 1_000_000
PLAYERS, DUE, ROUNDS = 5_000, 20, 200
_DAY = 86_400_000_000
_SIGHT = '[[65535,65535,65280,66,36,129,8,16],["o-o","o-o-o"],[[0,0],[0,0]]]'
_WORDS = '{"public":{"state":"running","ply":20,"turn":"white","deadline":null,"late":false}}'
_TEXT = "Wild 16 with Ben, you are White. Move 11. " * 3

Rows = Iterator[tuple[object, ...]]


def history(games: int, now: int) -> Iterable[tuple[str, Rows]]:
    """Each table's name and rows: games with deadlines in the next days, a letter in and two out for each."""
    each, seats = range(1, games + 1), range(1, 2 * games + 1)
    turn = ("white", "black")

    def player(id_: int) -> tuple[object, ...]:
        address = f"p{id_}@a.example"
        return (id_, f"P{id_}", f"p{id_}", address, address)

    def game(id_: int) -> tuple[object, ...]:
        deadline = now + _DAY // 8 + id_ * 7_919_000_001 % (3 * _DAY)
        remind_at = deadline - _DAY if deadline - _DAY > now + _DAY // 8 else None
        head = (id_, f"g{id_}", "wild16", "3d", "running", id_ % 60, turn[id_ % 2], deadline, remind_at)
        return (*head, None, None, 0, 0, None, None)

    def seat(id_: int) -> tuple[object, ...]:
        head = (id_, (id_ + 1) // 2, id_ * 31 % PLAYERS + 1, turn[(id_ + 1) % 2], f"s{id_}", b"k" * 32)
        return (*head, True, 10, 0, 11)

    def letter_in(id_: int) -> tuple[object, ...]:
        at = now - id_ % 1000 * 1_000_000
        head = (id_, 2 * id_, 10, False, "[]", f"<{id_}@a.example>", b"From: a@a.example\r\n\r\ne2e4\r\n", at)
        return (*head, 1, at, None, at, "read", 20, "e2e4")

    def letter_out(id_: int) -> tuple[object, ...]:
        at = now - id_ % 1000 * 1_000_000
        head = (id_, id_, 11, "turn", 10, 0, None, _WORDS, at, at, None)
        return (*head, 1, None, pack(_TEXT.encode()), at, None, None)

    yield "players", map(player, range(1, PLAYERS + 1))
    yield "games", map(game, each)
    yield "seats", map(seat, seats)
    yield "slips", ((id_, 10, 0, 20, "[]", _SIGHT) for id_ in seats)
    yield "inbox", map(letter_in, each)
    yield "outbox", map(letter_out, seats)


def fill(url: str, games: int, now: int) -> None:
    """Put a history into an empty database, as fast as it goes."""
    tables = (_with_columns(table, rows) for table, rows in history(games, now))
    if make_url(url).get_backend_name() == "sqlite":
        with closing(sqlite3.connect(str(make_url(url).database))) as connection:
            connection.execute("PRAGMA synchronous=OFF")
            for table, columns, rows in tables:
                marks = ", ".join("?" * len(columns))
                connection.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)
            connection.commit()
            connection.execute("ANALYZE")
            connection.commit()
        return
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")  # nobody checks the foreign keys
        for table, columns, rows in tables:
            with connection.cursor().copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            if "id" in columns:
                connection.execute(f"SELECT setval('{table}_id_seq', max(id)) FROM {table}")
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")


def _with_columns(table: str, rows: Rows) -> tuple[str, list[str], Rows]:
    """A table's rows and the columns that they fill; the others are as they are in a new row."""
    first = next(rows)
    columns = [column.name for column in Base.metadata.tables[table].columns]
    return table, columns[: len(first)], chain([first], rows)


def microseconds(work: Callable[[], object], afterwards: Callable[[], object] = bool) -> float:
    """The median time of some work, not counting what is done after each."""
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        work()
        times.append((time.perf_counter() - begun) * 1e6)
        afterwards()
    return statistics.median(times)


def say(ours: House, *statements: str) -> None:
    with ours.store.writing() as connection:
        for statement in statements:
            connection.execute(text(statement))


def whole_letters(ours: House) -> float:
    """The median time of a letter in some games of this house, from the door to both answers."""
    crowd, times = Crowd(ours), []
    crowd.begin(DUE)
    for _ in range(5):
        for letter in crowd.replies():
            begun = time.perf_counter()
            inbox.drop(ours, Arrival(letter.raw, (letter.recipient,), ours.now()))
            work(ours)
            times.append((time.perf_counter() - begun) * 1e6)
    return statistics.median(times)


def measure(place: Databases, games: int) -> dict[str, float]:
    url = place.make(f"games{games}")
    ours = house(url, Hollow())
    now = ours.now()
    begun = time.perf_counter()
    fill(url, games, int(now.timestamp() * 1e6))
    print(f"{place.name}: {games:,} games built in {time.perf_counter() - begun:.0f} s", flush=True)
    times = {
        "sweep, nothing due": microseconds(lambda: hours.sweep(ours, now)),
        "letters in, none waits": microseconds(lambda: reader.read_some(ours, now)),
        "letters out, none is due": microseconds(lambda: outbox.send_some(ours, now)),
    }
    times["a letter in, read, two sent"] = whole_letters(ours)
    some = f"id % 457 = 0 AND id <= {457 * DUE}"
    past = int((now - timedelta(days=1)).timestamp() * 1e6)
    say(ours, f"UPDATE games SET deadline = {past}, remind_at = NULL WHERE {some}")
    times[f"{DUE} flags found"] = microseconds(lambda: hours._due(ours, now))
    assert len(hours._due(ours, now)) == DUE
    for table, waits, queue in (
        ("inbox", "read_at", reader._QUEUE),
        ("outbox", "sent_at", outbox.TRAY._queue),
    ):
        fresh = f"UPDATE {table} SET {waits} = NULL, leased_until = NULL, tries = 0 WHERE {some}"
        claim = partial(queue.claim, ours.store, now, now + ours.lease, DUE)
        say(ours, fresh)
        times[f"{DUE} rows of {table} claimed, committed"] = microseconds(claim, partial(say, ours, fresh))
        assert len(claim()) == DUE
    ours.store.close()
    return times


def main() -> None:
    with places() as all_places:
        for place in all_places:
            small, large = (measure(place, games) for games in SIZES)
            for what, figure in small.items():
                print(f"{place.name:10} {what:36}{figure:7.0f} µs, of a million {large[what]:7.0f} µs")


if __name__ == "__main__":
    main()
