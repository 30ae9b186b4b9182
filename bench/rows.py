"""One turn's rows: select, update, six inserts, commit, by the house's store and by the bare driver."""

from __future__ import annotations

import sqlite3
import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import psycopg
from sqlalchemy import Connection, bindparam, insert, make_url, select, update

from bench.databases import Databases, places
from corr.service.games import game_session
from corr.store.session import Store
from corr.store.tables import Game, OutboxRow, SlipRow
from tests.support.crowd import Crowd, Hollow, house

TURNS, ROUNDS = 40, 25
SLIP = {"number": 0, "step": 0, "ply": 1, "facts": b"said" * 5, "sight": b"seen" * 8}
LETTER = {"kind": "turn", "slip": 1, "step": 0, "made_at": 0, "due_at": 0, "tries": 0}
WORDS = "{}" * 100
MOMENTS = dict.fromkeys(("made_at", "due_at"), datetime(1970, 1, 1, tzinfo=UTC))
SELECT = "SELECT * FROM games WHERE id = %s"
UPDATE = "UPDATE games SET ply = %s WHERE id = %s"
INSERT_SLIP = f"INSERT INTO slips (seat_id, {', '.join(SLIP)}) VALUES (%s, %s, %s, %s, %s, %s)"
INSERT_LETTER = (
    f"INSERT INTO outbox (seat_id, number, {', '.join(LETTER)}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s)"
)
INSERT_WORDS = (
    "INSERT INTO letter_words (letter_id, words)"
    " VALUES ((SELECT id FROM outbox WHERE seat_id = %s AND number = %s), %s)"
)
CORE_SELECT = select(Game).where(Game.id == bindparam("game"))
CORE_UPDATE = update(Game).where(Game.id == bindparam("game"))
CORE_SLIP, CORE_LETTER = insert(SlipRow), insert(OutboxRow)

Execute = Callable[[str, tuple[object, ...]], Any]


def by_the_store(connection: Connection, turn: int) -> None:
    connection.execute(CORE_SELECT, {"game": 1}).one()
    connection.execute(CORE_UPDATE, {"game": 1, "ply": turn})
    for seat in (1, 2):
        connection.execute(CORE_SLIP, SLIP | {"seat_id": seat, "number": turn})
        connection.execute(CORE_LETTER, LETTER | MOMENTS | {"seat_id": seat, "number": turn})
        connection.execute(game_session.WORD, {"seat": seat, "letter": turn, "said": WORDS})


def by_hand(execute: Execute, turn: int) -> None:
    execute(SELECT, (1,)).fetchone()
    execute(UPDATE, (turn, 1))
    for seat in (1, 2):
        execute(INSERT_SLIP, (seat, *(SLIP | {"number": turn}).values()))
        execute(INSERT_LETTER, (seat, turn, *LETTER.values()))
        execute(INSERT_WORDS, (seat, turn, WORDS.encode()))


def bare(url: str) -> Callable[[int], None]:
    """One turn by the bare driver, as durable as the house's."""
    if url.startswith("sqlite"):
        connection = sqlite3.connect(str(make_url(url).database), isolation_level=None)
        connection.execute("PRAGMA synchronous=FULL")

        def turn_of_sqlite(turn: int) -> None:
            connection.execute("BEGIN IMMEDIATE")
            by_hand(lambda said, values: connection.execute(said.replace("%s", "?"), values), turn)
            connection.execute("COMMIT")

        return turn_of_sqlite
    server = psycopg.connect(url)

    def turn_of_postgresql(turn: int) -> None:
        by_hand(server.execute, turn)
        server.commit()

    return turn_of_postgresql


def ours(store: Store) -> Callable[[int], None]:
    def turn_of_ours(turn: int) -> None:
        with store.writing() as connection:
            by_the_store(connection, turn)

    return turn_of_ours


def microseconds(work: Callable[[int], None], first: int) -> float:
    begun = time.perf_counter()
    for turn in range(first, first + TURNS):
        work(turn)
    return (time.perf_counter() - begun) / TURNS * 1e6


def measure(place: Databases) -> tuple[float, float]:
    url = place.make("rows")
    laid = house(url, Hollow())
    Crowd(laid).begin(1)
    store, hand = ours(laid.store), bare(url)
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(1, ROUNDS + 1):
        first = number * 2 * TURNS + 1000
        times[0].append(microseconds(store, first))
        times[1].append(microseconds(hand, first + TURNS))
    laid.store.close()
    return statistics.median(times[0]), statistics.median(times[1])


def main() -> None:
    with places() as found:
        for place in found:
            store, hand = measure(place)
            print(
                f"{place.name:10} one turn's rows  {store:6.0f} µs, bare {hand:5.0f} µs: {hand / store:.2f}x"
            )


if __name__ == "__main__":
    main()
