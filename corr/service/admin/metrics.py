"""Measures figures for `/metrics` and `/healthz`, which reveal nothing that one side does privately."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, case, func, select

from corr.service.games import outages
from corr.service.server import Server
from corr.store.rows import one_of
from corr.store.tables import GameRow, Moment, OutboxRow
from corr.words.view import Stage

#: The kinds of emails written when both sides are told of something.
NEWS_KINDS = ("turn", "over", "challenge", "declined", "again", "decree", "restored")
#: The steps in which late news is reported; a slightly slow mail server reports nothing.
LATENESS_STEPS = (timedelta(minutes=10), timedelta(hours=1), timedelta(hours=4), timedelta(days=1))
_MINUTE = timedelta(minutes=1)

_UNDER_WAY = GameRow.state.in_((Stage.DEPLOYING, Stage.RUNNING))
_GAMES = select(
    func.coalesce(func.sum(case((_UNDER_WAY, 1), else_=0)), 0).label("running"),
    func.coalesce(func.sum(case((GameRow.state == Stage.OVER, 1), else_=0)), 0).label("over"),
    func.coalesce(func.sum(case((GameRow.ply > 0, GameRow.ply), else_=0)), 0).label("turns"),
).where(GameRow.lesson.is_(None))
_IS_NEWS = OutboxRow.kind.in_(NEWS_KINDS)
_OLDEST_NEWS_QUERY = select(func.min(OutboxRow.made_at)).where(
    OutboxRow.sent_at.is_(None),
    OutboxRow.dead_at.is_(None),
    _IS_NEWS,
    OutboxRow.made_at <= bindparam("late", type_=Moment),
)
_DEAD_NEWS_QUERY = select(func.count()).where(OutboxRow.dead_at.is_not(None), _IS_NEWS)


class _GameCounts(NamedTuple):
    running: int
    over: int
    turns: int


@dataclass(frozen=True, slots=True)
class Metrics:
    """Counts of games, turns and undelivered news, and the age of the last sweep in seconds, by whole minutes."""

    games_running: int
    games_over: int
    turns: int
    late_news: int  # the longest of `LATENESS_STEPS` that any news has waited, in seconds
    dead_news: int
    last_sweep: int | None


def measure(server: Server, now: datetime) -> Metrics:
    """Measure the figures; SQLAlchemyError if the database does not answer."""
    with server.store.reading() as connection:
        games = one_of(_GameCounts, connection.execute(_GAMES))
        swept = connection.execute(select(outages.LAST_SWEEP)).scalar_one()
        return Metrics(
            games_running=int(games.running),
            games_over=int(games.over),
            turns=int(games.turns),
            late_news=_measure_lateness(connection, now),
            dead_news=connection.execute(_DEAD_NEWS_QUERY).scalar_one(),
            last_sweep=None if swept is None else max(0, (now - swept) // _MINUTE * 60),
        )


def _measure_lateness(connection: Connection, now: datetime) -> int:
    """Return the longest of LATENESS_STEPS that unsent news has waited, in seconds; 0 if none."""
    oldest = connection.execute(_OLDEST_NEWS_QUERY, {"late": now - LATENESS_STEPS[0]}).scalar_one()
    if oldest is None:
        return 0
    return round(max(step for step in LATENESS_STEPS if now - oldest >= step).total_seconds())
