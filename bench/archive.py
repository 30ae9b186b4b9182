"""How long a page of the archive takes the server, of 1,000,000 games, and how much room they take.

    python -m bench.archive [GAMES]

The games are laid as rows into the tables, and the archive is filled from them. A player of the house has played three
in ten; one player in fifty would not be listed. Nothing that was made for one page is kept for the next.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

from flask.testing import FlaskClient
from sqlalchemy import Connection, create_engine, make_url, select, text

from bench.databases import Databases, places
from corr.rules.variants import UMPIRES
from corr.store.session import Store
from corr.store.tables import SeatRow, SlipRow
from corr.web import create_app
from corr.web.community import archive as pages
from corr.web.games.thumbnail import little
from tests.support.crowd import Hollow, house
from tests.support.history import count
from tests.support.records import played_at_random
from tests.support.table import lay

GAMES, ROUNDS, ENDS = 1_000_000, 15, 25
PLAYERS, HOUSE = 20_000, 1
_FIRST_END, _MINUTE = 1_600_000_000_000_000, 60_000_000
_COUNTED = """
    WITH RECURSIVE counted (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM counted WHERE i < :rows)
"""
_VARIANT = (
    "CASE WHEN i % 1000 = 7 THEN 'assassin' WHEN i % 20 < 12 THEN 'wild16' WHEN i % 20 < 15 THEN 'rbc'"
    " WHEN i % 20 < 17 THEN 'crazykrieg' WHEN i % 20 = 17 THEN 'classic' WHEN i % 20 = 18 THEN 'cincinnati'"
    " ELSE 'welbeck' END"
)
_LOT = "i * 7919 % 1000003 % 100"
_WINNER = f"CASE WHEN {_LOT} < 49 THEN 'white' WHEN {_LOT} < 97 THEN 'black' END"
_WHITE = f"CASE WHEN i % 10 < 2 THEN {HOUSE} ELSE 2 + i * 31 % {PLAYERS - 1} END"
_BLACK = f"CASE WHEN i % 10 = 2 THEN {HOUSE} ELSE 2 + i * 37 % {PLAYERS - 1} END"
_OF_GAMES = "id, code, variant, clock, state, ply, offered_white, offered_black, winner, reason, ended_at"
_PLY, _END = "i * 104729 % 1000003 % 110", f"{_FIRST_END} + i * {_MINUTE}"
_ADDRESS = "CASE i WHEN 1 THEN 'house Pip (bot)' ELSE 'p' || i END"
_PUBLISHES = "CASE WHEN i % 50 = 3 THEN 'no' WHEN i % 5 = 2 THEN 'yes' ELSE '' END"
_SEAT = "INSERT INTO seats (id, game_id, player_id, side, code, key, accepted, slips, steps, letters, house)"
_FILL = (
    (
        "players",
        "INSERT INTO players (id, name, name_key, address, address_key, publishes)",
        f"SELECT i, 'P' || i, 'p' || i, '', {_ADDRESS}, {_PUBLISHES} FROM counted",
    ),
    (
        "games",
        f"INSERT INTO games ({_OF_GAMES})",
        f"SELECT i, 'g' || i, {_VARIANT}, '3d', 'over', {_PLY}, 0, 0, {_WINNER}, 'mate', {_END} FROM counted",
    ),
    (
        "games",
        _SEAT,
        f"SELECT 2 * i - 1, i, {_WHITE}, 'white', 'w' || i, :key, true, 9, 0, 9, i % 10 < 2 FROM counted",
    ),
    (
        "games",
        _SEAT,
        f"SELECT 2 * i, i, {_BLACK}, 'black', 'b' || i, :key, true, 9, 0, 9, i % 10 = 2 FROM counted",
    ),
)
_SLIPS = """
    INSERT INTO slips (seat_id, number, step, ply, facts, sight)
    SELECT 2 * games.id - 1, 9, 0, games.ply, :facts, :sight FROM games WHERE games.id % :most = :number
"""
_KIND = (
    "games.variant || ' ' || CASE games.winner WHEN 'white' THEN 'w' WHEN 'black' THEN 'b' ELSE 'd' END"
    " || CASE WHEN games.ply <= 40 THEN 's' WHEN games.ply <= 80 THEN 'm' ELSE 'l' END"
)
_INTO = "INSERT INTO archive (player_id, kind, ended_at, game_id)"
_OWN = f"SELECT seats.player_id, {_KIND} || substr(seats.side, 1, 1), games.ended_at, games.id"
_ARCHIVE = (
    f"{_INTO} SELECT 0, {_KIND}, ended_at, id FROM games",
    f"{_INTO} {_OWN} FROM games JOIN seats ON seats.game_id = games.id",
)


def ends() -> Iterator[tuple[bytes, bytes]]:
    """What White was handed at the ends of different games."""
    last = (
        (SlipRow.seat_id == SeatRow.id) & (SlipRow.number == SeatRow.slips) & (SlipRow.step == SeatRow.steps)
    )
    with tempfile.TemporaryDirectory() as folder:
        played = lay(Path(folder)).house
        for seed in range(ENDS):
            game = played_at_random(played, list(UMPIRES)[seed % len(UMPIRES)], seed, most=24)
            asked = (
                select(SlipRow.facts, SlipRow.sight).join(SeatRow, last).where(SeatRow.id == game.seats.white)
            )
            with played.store.reading() as connection:
                facts, sight = connection.execute(asked).one()
                yield facts, sight
        played.store.close()


def fill(url: str, games: int) -> None:
    """Games that are over, and aren't in the archive yet."""
    is_sqlite = url.startswith("sqlite")
    place = make_url(url) if is_sqlite else make_url(url).set(drivername="postgresql+psycopg")
    engine = create_engine(place)
    with engine.begin() as connection:
        unchecked = "PRAGMA synchronous=OFF" if is_sqlite else "SET LOCAL session_replication_role = replica"
        connection.execute(text(unchecked))
        _fill(connection, games)
    engine.dispose()
    count(url)


def _fill(connection: Connection, games: int) -> None:
    for what, into, rows in _FILL:
        size = PLAYERS if what == "players" else games
        connection.execute(
            text(f"{into} {_COUNTED} {rows}"), {"rows": size} | ({"key": b""} if into == _SEAT else {})
        )
    for number, (facts, sight) in enumerate(ends()):
        values = {"facts": facts, "sight": sight, "most": ENDS, "number": number}
        connection.execute(text(_SLIPS), values)


def room(store: Store) -> int:
    """How many bytes there are: on SQLite of all tables, on PostgreSQL of the archive."""
    is_sqlite = store.engine.dialect.name == "sqlite"
    with store.reading() as connection:
        if not is_sqlite:
            size = "SELECT pg_total_relation_size('archive')"
            return int(connection.exec_driver_sql(size).scalar_one())
        used = (
            "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count"
        )
        return int(connection.exec_driver_sql(f"{used}, pragma_page_size").scalar_one())


def asked_for(games: int) -> dict[str, str]:
    """The pages, by what is asked for."""
    early = _FIRST_END + 26 * _MINUTE
    return {
        "nothing": "",
        "a variant": "?variant=wild16",
        "a rare variant": "?variant=assassin",
        "a result": "?result=drawn",
        "a length": "?length=long",
        "the rarest of all": "?variant=assassin&result=drawn&length=long",
        "a player": "?player=P4774",
        "a player and the rarest of all": "?player=P4774&variant=assassin&result=drawn&length=long",
        "the player of the house": "?player=Pip",
        "the player of the house, who lost": "?player=Pip&result=lost",
        "the same and the rarest of all": "?player=Pip&variant=assassin&result=drawn&length=short",
        "games that there are none of": "?player=P4774&variant=assassin&result=won&to=1980-01-01",
        "the last page": f"?before={early}-0",
        "the last page but one, from the last": f"?after={early}-{games}",
        "a year long ago": "?from=2020-10-01&to=2021-02-28",
        "a year long ago, of the player of the house": "?player=Pip&from=2020-10-01&to=2021-02-28",
    }


class Taken(NamedTuple):
    """How many milliseconds a page took, by the clock and of this process's own work, and how many games it showed."""

    clock: float
    own: float
    games: int


def taken(client: FlaskClient, path: str) -> Taken:
    """The medians of a page that is made anew again and again."""
    clock, own = list[float](), list[float]()
    for _ in range(ROUNDS):
        pages._row.cache_clear()
        little.cache_clear()
        begun, worked = perf_counter(), process_time()
        answer = client.get(path)
        clock.append((perf_counter() - begun) * 1000)
        own.append((process_time() - worked) * 1000)
        assert answer.status_code == 200, path
    games = answer.get_data().count(b'href="/finished/')
    return Taken(statistics.median(clock), statistics.median(own), games)


def measure(place: Databases, games: int) -> None:
    url = place.make("archive")
    laid = house(url, Hollow())
    fill(url, games)
    before, begun = room(laid.store), perf_counter()
    with laid.store.writing() as connection:
        for statement in _ARCHIVE:
            connection.exec_driver_sql(statement)
    filled = perf_counter() - begun
    print(
        f"{place.name}: {games} games put into the archive in {filled:.0f} s,"
        f" {(room(laid.store) - before) / games:.0f} bytes a game"
    )
    count(url)
    client = create_app(laid, lambda _work: None).test_client()
    for asked, path in asked_for(games).items():
        page = taken(client, f"/archive{path}")
        print(
            f"{place.name:10} {asked:45} {page.clock:5.1f} ms, {page.own:5.1f} of CPU, {page.games:2} games"
        )
    laid.store.close()


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    with places() as found:
        for place in found:
            measure(place, games)


if __name__ == "__main__":
    main()
