"""Inserts ratings and rated games as rows, for pages that show them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, insert, select

from corr.service.players.names import fold_lookalikes
from corr.store.tables import GameRow, PlayerRow, RatedGameRow, RatingRow, SeatRow
from tests.support.table import NOON, Table

_LISTED_FOR = timedelta(days=90)


def player_id(connection: Connection, name: str) -> int:
    """The id of a player."""
    return connection.execute(select(PlayerRow.id).where(PlayerRow.name == name)).scalar_one()


def add_players(table: Table, *names: str) -> None:
    """Add players who have only a name."""
    with table.server.store.writing() as connection:
        for name in names:
            key = f"{fold_lookalikes(name)}@many.example"
            connection.execute(
                insert(PlayerRow).values(
                    name=name, name_key=fold_lookalikes(name), address=key, address_key=key
                )
            )


def add_rating(table: Table, name: str, rating: float, deviation: float = 62, **values: Any) -> None:
    """Rate a player, by default in Wild 16 and listed for the usual time."""
    kept: dict[str, Any] = {
        "variant": "wild16",
        "rating": rating,
        "deviation": deviation,
        "volatility": 0.09,
        "won": 3,
        "drawn": 1,
        "lost": 2,
        "opponents": 6,
        "rated_at": NOON,
        "listed_until": NOON + _LISTED_FOR if deviation <= 110 else None,
    }
    with table.server.store.writing() as connection:
        connection.execute(insert(RatingRow).values(player_id=player_id(connection, name), **kept | values))


def add_rated_game(
    table: Table,
    white: str,
    black: str,
    winner: str | None,
    ratings: Iterable[tuple[float, float]] = ((1500, 1516), (1500, 1484)),
    at: datetime = NOON,
    **values: Any,
) -> None:
    """Add a finished rated game with the ratings before and after it, White's first."""
    made: dict[str, Any] = {"variant": "wild16", "uncounted": ""}
    for side, (before, after) in zip(("white", "black"), ratings, strict=True):
        made |= {f"{side}_rating": before, f"{side}_rating_after": after}
        made |= {f"{side}_deviation": 80, f"{side}_deviation_after": 78}
        made |= {f"{side}_volatility": 0.09, f"{side}_volatility_after": 0.09}
    with table.server.store.writing() as connection:
        pair = player_id(connection, white), player_id(connection, black)
        made |= {"white_id": pair[0], "black_id": pair[1], "winner": winner, "ended_at": at}
        made |= {"game_id": _game(connection, at, *pair)}
        connection.execute(insert(RatedGameRow).values(**made | values))


def _game(connection: Connection, at: datetime, white: int, black: int) -> int:
    """Add a finished game without slips."""
    number = len(connection.execute(select(GameRow.id)).all())
    kept = {"code": f"r{number}", "variant": "wild16", "clock": "3d", "state": "over", "ply": -1}
    added = insert(GameRow).values(**kept, offered_white=0, offered_black=0, rated=True, ended_at=at)
    game: int = connection.execute(added.returning(GameRow.id)).scalar_one()
    empty = {"game_id": game, "key": b"k" * 32, "accepted": True, "slips": 0, "steps": 0, "letters": 0}
    for player_id, side in ((white, "white"), (black, "black")):
        seat = insert(SeatRow).values(player_id=player_id, side=side, code=f"r{number}{side}", **empty)
        connection.execute(seat)
    return game
