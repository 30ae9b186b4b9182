"""Keeps the games of an event: their players, starts and results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update

from corr.store.rows import rows_of
from corr.store.tables import EventGame, Game
from corr.words.board import Pair


class Played(NamedTuple):
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
    def numbers(self) -> tuple[int, int]:
        return self.white, self.black


_CODE = select(Game.code).where(Game.id == EventGame.game_id).scalar_subquery()
_OF_EVENT = (
    select(
        EventGame.id,
        EventGame.white,
        EventGame.black,
        EventGame.game_id,
        _CODE.label("code"),
        EventGame.score,
        EventGame.by_default,
        EventGame.mended,
        EventGame.settled_at,
    )
    .where(EventGame.event_id == bindparam("event"))
    .order_by(EventGame.id)
)
_ADD = insert(EventGame)
_SETTLE = (
    update(EventGame)
    .where(EventGame.id == bindparam("of"), EventGame.settled_at.is_(None))
    .values(
        score=bindparam("how"),
        by_default=bindparam("default"),
        settled_at=bindparam("now", type_=EventGame.settled_at.type),
    )
)


def of_event(connection: Connection, event_id: int) -> Sequence[Played]:
    """Return all games of an event, in the order of pairing."""
    return rows_of(Played, connection.execute(_OF_EVENT, {"event": event_id}))


def add(connection: Connection, event_id: int, pairs: Iterable[Pair[int]]) -> None:
    """Add games for a worker to start, by the numbers of White and Black."""
    rows = [{"event_id": event_id, "white": pair.white, "black": pair.black} for pair in pairs]
    connection.execute(_ADD, rows)


def settle(
    connection: Connection, game: int, score: str | None, now: datetime, *, by_default: bool = False
) -> bool:
    """Record a game's score once; return whether this call recorded it."""
    asked = {"of": game, "how": score, "default": by_default, "now": now}
    return connection.execute(_SETTLE, asked).rowcount > 0
