"""Keeps the games of an event: their players, starts and results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update

from corr.game.crosstable import Game, Score
from corr.store.rows import columns_of, rows_of
from corr.store.tables import EventGameRow, GameRow
from corr.words.board import Pair


class PairedGame(NamedTuple):
    """A game of an event; once settled it has a score, unless the event was stopped."""

    id: int
    white: int
    black: int
    game_id: int | None
    code: str | None
    score: str | None
    by_default: bool
    mended: bool
    settled_at: datetime | None

    @property
    def goes_on(self) -> bool:
        return self.settled_at is None

    @property
    def scored(self) -> Game:
        """The game as a crosstable takes it."""
        score = Score(self.score) if self.score else None
        return Game(self.white, self.black, score, self.by_default, self.code or "")

    @property
    def numbers(self) -> tuple[int, int]:
        return self.white, self.black


_CODE = select(GameRow.code).where(GameRow.id == EventGameRow.game_id).scalar_subquery()
_GAMES_QUERY = (
    select(*columns_of(PairedGame, EventGameRow, code=_CODE))
    .where(EventGameRow.event_id == bindparam("event"))
    .order_by(EventGameRow.id)
)
_SCORE_UPDATE = (
    update(EventGameRow)
    .where(EventGameRow.id == bindparam("of"), EventGameRow.settled_at.is_(None))
    .values(
        score=bindparam("how"),
        by_default=bindparam("default"),
        settled_at=bindparam("now", type_=EventGameRow.settled_at.type),
    )
)


def list_games(connection: Connection, event_id: int) -> Sequence[PairedGame]:
    return rows_of(PairedGame, connection.execute(_GAMES_QUERY, {"event": event_id}))


def add(connection: Connection, event_id: int, pairs: Iterable[Pair[int]]) -> None:
    """Add games for a worker to start, by the numbers of White and Black."""
    rows = [{"event_id": event_id, "white": pair.white, "black": pair.black} for pair in pairs]
    connection.execute(insert(EventGameRow), rows)


def settle(
    connection: Connection, game: int, score: str | None, now: datetime, *, by_default: bool = False
) -> bool:
    """Record a game's score once; return whether this call recorded it."""
    asked = {"of": game, "how": score, "default": by_default, "now": now}
    return connection.execute(_SCORE_UPDATE, asked).rowcount > 0
