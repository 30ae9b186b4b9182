"""How long the pages of players take the server, among 100,000 who are rated in one variant.

    python -m bench.leaderboard --players 100000

Players and their ratings are laid in the database itself, one in a hundred of them hidden, and a thousand rated games
of one of them. Each page is asked for by a client of Flask's own, as often as is said, when it has been asked for once.
"""

from __future__ import annotations

import argparse
import statistics
import time

from flask.testing import FlaskClient
from sqlalchemy import text

from bench.databases import places
from corr.service.house import House
from corr.service.players import authentication
from corr.service.players.lookalikes import looks
from corr.web import create_app
from tests.support.crowd import Hollow, house
from tests.support.table import ANN

GAMES = 1_000
_DAY = 86_400_000_000
#: Names go by the letters of a number, so that many begin alike.
_NAMES = ("ka", "lo", "mi", "nu", "pe", "ra", "so", "ti", "vu", "we")
_HIDDEN = 100


def fill(laid: House, players: int) -> None:
    """So many players who are rated, and one of them with a thousand rated games."""
    now = round(laid.now().timestamp() * 1e6)
    people = [_person(number) for number in range(1, players + 1)]
    numbers = range(1, players + 1)
    ratings = [
        {"id": number, "rating": 800 + number * 7919 % 120_000 / 100, "deviation": 45 + number % 60}
        | {"at": now - number % 80 * _DAY, "until": now + (1 + number % 9) * _DAY}
        | {"hidden": number % _HIDDEN == 0}
        for number in numbers
    ]
    with laid.store.writing() as connection:
        connection.execute(text(_PLAYER), people)
        connection.execute(text(_RATING), ratings)
        connection.execute(text(_GAME), [{"id": each, "at": now} for each in range(1, GAMES + 1)])
        connection.execute(text(_SEAT), [seat for each in range(1, GAMES + 1) for seat in _seats(each)])
        connection.execute(
            text(_RATED), [{"id": each, "at": now, "other": each + 1} for each in range(1, GAMES + 1)]
        )
        if laid.store.engine.name == "postgresql":
            for table in ("players", "games", "rated_games", "seats"):
                connection.execute(text(f"SELECT setval('{table}_id_seq', max(id)) FROM {table}"))
    _keep_house(laid)


def _keep_house(laid: House) -> None:
    """Do what either database does by itself before long."""
    if laid.store.engine.name == "postgresql":
        with laid.store.asking() as connection:
            connection.exec_driver_sql("VACUUM")
    laid.store.take_stock()


_PLAYER = (
    "INSERT INTO players (id, name, name_key, address, address_key, hidden)"
    " VALUES (:id, :name, :key, :address, :address, :hidden)"
)
_RATING = (
    "INSERT INTO ratings (player_id, variant, rating, deviation, volatility, won, drawn, lost, opponents,"
    " rated_at, program, hidden, listed_until)"
    " VALUES (:id, 'wild16', :rating, :deviation, 0.09, 10, 2, 8, 9, :at, false, :hidden, :until)"
)
_GAME = (
    "INSERT INTO games (id, code, variant, clock, state, ply, winner, reason, offered_white, offered_black, rated,"
    " ended_at) VALUES (:id, 'g' || :id, 'wild16', '3d', 'over', 40, 'white', 'resignation', 0, 0, true, :at)"
)
_SEAT = (
    "INSERT INTO seats (id, game_id, player_id, side, code, key, accepted, slips, steps, letters)"
    " VALUES (:id, :game, :player, :side, 's' || :id, :key, true, 0, 0, 0)"
)
_SIDES = ", ".join(
    f"{side}_{name}"
    for side in ("white", "black")
    for name in ("rating", "deviation", "volatility", "rating_after", "deviation_after", "volatility_after")
)
_RATED = (
    f"INSERT INTO rated_games (id, game_id, variant, ended_at, white_id, black_id, winner, {_SIDES})"
    " VALUES (:id, :id, 'wild16', :at, 1, :other, 'white',"
    " 1500, 60, 0.09, 1505, 60, 0.09, 1500, 60, 0.09, 1495, 60, 0.09)"
)


def _person(number: int) -> dict[str, object]:
    name = "".join(_NAMES[int(digit)] for digit in str(number)).capitalize()
    address = ANN if number == 1 else f"p{number}@many.example"
    return {
        "id": number,
        "name": name,
        "key": looks(name),
        "address": address,
        "hidden": number % _HIDDEN == 0,
    }


def _seats(game: int) -> list[dict[str, object]]:
    """Of the first player, who is White each time, and of another."""
    return [
        {"id": 2 * game, "game": game, "player": 1, "side": "white", "key": b"k"},
        {"id": 2 * game + 1, "game": game, "player": game + 1, "side": "black", "key": b"k"},
    ]


def milliseconds(client: FlaskClient, path: str, times: int) -> list[float]:
    """How long a page takes, each time it is asked for, once it has been."""
    assert client.get(path).status_code == 200, path
    took = []
    for _ in range(times):
        begun = time.perf_counter()
        client.get(path)
        took.append((time.perf_counter() - begun) * 1e3)
    return sorted(took)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=40)
    given = parser.parse_args()
    with places() as found:
        for place in found:
            laid = house(place.make("leaderboard"), Hollow())
            fill(laid, given.players)
            _measure(laid, place.name, given.players, given.times)
            laid.store.close()


def _measure(laid: House, name: str, players: int, times: int) -> None:
    app = create_app(laid, lambda _work: None)
    stranger, own = app.test_client(), app.test_client()
    with own.session_transaction() as kept:
        kept["in"] = authentication.let_in_by_house(laid, ANN, laid.now()).secret
    last = -(-(players - players // _HIDDEN) // 50)
    first = _person(1)["name"]
    for what, client, path in (
        ("all boards' first places", stranger, "/players/"),
        ("first page", stranger, "/players/board/wild16"),
        ("page 20", stranger, "/players/board/wild16?page=20"),
        ("the last page", stranger, f"/players/board/wild16?page={last}"),
        ("with one's own place", own, "/players/board/wild16"),
        ("search", stranger, "/players/?name=Wevu"),
        ("a player's page", stranger, f"/players/{first}"),
        ("how a rating came about", stranger, f"/players/{first}/wild16"),
    ):
        took = milliseconds(client, path, times)
        print(f"{name:10} {what:26} {statistics.median(took):6.1f} ms, the slowest {took[-1]:6.1f}")


if __name__ == "__main__":
    main()
