"""Rates a finished game in the transaction that ends it (limits: `corr/limits.py`), and unlists expired ratings."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update

from corr import limits
from corr.game.rating import Rating
from corr.service.players import addresses
from corr.service.players.players import IS_ANY_BOT
from corr.service.ratings import rated_games
from corr.service.ratings.rated_games import (
    KnownRating,
    Uncounted,
    have_met,
    rating_columns,
    select_recent_count,
)
from corr.service.server import Server
from corr.store.locks import NOW, take_lock, upsert_rows
from corr.store.rows import columns_of, rows_of
from corr.store.tables import PlayerRow, RatedGameRow, RatingRow
from corr.words.board import Pair, Side
from corr.words.slips import Outcome

#: The lock for all changes to ratings, so that they happen in one order.
LOCK_NAME = "ratings"
#: The endings of games that have no result.
_WITHOUT_RESULT = ("void", "declined")
#: The columns that a game adds to.
_COUNTERS = ("won", "drawn", "lost", "opponents")


class Result(NamedTuple):
    game_id: int
    variant: str
    players: Pair[int]
    outcome: Outcome
    at: datetime


class RatingChange(NamedTuple):
    """A rated game's change to a player's rating, or why it does not count."""

    before: str
    now: str
    uncounted: str


class _PlayerRow(NamedTuple):
    player_id: int
    is_program: bool
    is_hidden: bool
    rating: float | None
    deviation: float | None
    volatility: float | None
    rated_at: datetime | None
    opponents: int | None
    lately: int
    have_met: bool
    addresses: str | None

    @property
    def known(self) -> KnownRating:
        if self.rating is None or self.deviation is None or self.volatility is None:
            return KnownRating()
        return KnownRating(Rating(self.rating, self.deviation, self.volatility), self.rated_at)


_BOTH = bindparam("white", type_=PlayerRow.id.type), bindparam("black", type_=PlayerRow.id.type)
_PLAYERS = (
    select(
        *columns_of(
            _PlayerRow,
            RatingRow,
            player_id=PlayerRow.id,
            is_program=IS_ANY_BOT,
            is_hidden=PlayerRow.hidden,
            lately=select_recent_count(*_BOTH),
            have_met=have_met(*_BOTH),
            addresses=addresses.select_joined_addresses(PlayerRow.id),
        )
    )
    .outerjoin(
        RatingRow,
        (RatingRow.player_id == PlayerRow.id) & (RatingRow.variant == bindparam("variant")),
    )
    .where(PlayerRow.id.in_(_BOTH))
)
_GAME_INSERT = insert(RatedGameRow)


def rate_finished_game(connection: Connection, result: Result) -> Pair[RatingChange] | None:
    """Rate a finished game and store both ratings; return the changes, None if without result."""
    if result.outcome.reason in _WITHOUT_RESULT:
        return None
    take_lock(connection, LOCK_NAME)
    since = result.at - limits.RATED_PAIR_PERIOD
    white, black = result.players.white, result.players.black
    asked = {"white": white, "black": black, "variant": result.variant, "since": since}
    found = {each.player_id: each for each in rows_of(_PlayerRow, connection.execute(_PLAYERS, asked))}
    players = Pair(found[white], found[black])
    uncounted = _find_uncounted(players)
    before = Pair(players.white.known, players.black.known)
    now = Pair(before.white.rating, before.black.rating)
    if not uncounted:
        now = rated_games.compute_ratings(before, result.outcome.winner, result.at)
        rows = [_rating(players[side], now[side], side, result) for side in Side]
        upsert_rows(connection, RatingRow, rows, added=_COUNTERS)
    connection.execute(
        _GAME_INSERT,
        {
            "game_id": result.game_id,
            "variant": result.variant,
            "ended_at": result.at,
            "white_id": players.white.player_id,
            "black_id": players.black.player_id,
            "winner": result.outcome.winner,
            "uncounted": uncounted,
            **rating_columns(before, now),
        },
    )
    shown = Pair(*(before[side].shown(result.at) for side in Side))
    return Pair(*(RatingChange(shown[s], shown[s] if uncounted else now[s].shown, uncounted) for s in Side))


def _find_uncounted(players: Pair[_PlayerRow]) -> Uncounted:
    """Return why a game doesn't count: one person, or too many games lately; NOT if it counts."""
    white, black = players.white, players.black
    if white.player_id == black.player_id or addresses.share_a_mailbox(white.addresses, black.addresses):
        return Uncounted.PERSON
    return Uncounted.THREE if white.lately >= limits.RATED_GAMES_PER_PAIR else Uncounted.NOT


def _rating(player: _PlayerRow, now: Rating, side: Side, result: Result) -> dict[str, Any]:
    """Return a player's new RatingRow: the rating, and what to add to the counts."""
    winner, is_new = result.outcome.winner, not player.have_met
    return {
        "player_id": player.player_id,
        "variant": result.variant,
        **now._asdict(),
        "won": int(winner is side),
        "drawn": int(winner is None),
        "lost": int(winner is side.other),
        "opponents": int(is_new),
        "rated_at": result.at,
        "program": player.is_program,
        "hidden": player.is_hidden,
        "listed_until": rated_games.listed_until(now, (player.opponents or 0) + is_new, result.at),
    }


_IS_EXPIRED = RatingRow.listed_until <= NOW
# Without the order, PostgreSQL's plan for any moment would go through all ratings.
_EXPIRED_QUERY = select(RatingRow.player_id).where(_IS_EXPIRED).order_by(RatingRow.listed_until).limit(1)
_UNLIST = update(RatingRow).where(_IS_EXPIRED).values(listed_until=None)


def unlist_some(server: Server, now: datetime) -> int:
    """Take expired ratings off the leaderboards, and return how many."""
    with server.store.asking() as connection:
        if connection.execute(_EXPIRED_QUERY, {"now": now}).scalar_one_or_none() is None:
            return 0
    with server.store.writing() as connection:
        take_lock(connection, LOCK_NAME)
        return connection.execute(_UNLIST, {"now": now}).rowcount
