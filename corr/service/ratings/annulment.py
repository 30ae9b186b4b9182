"""Annuls a rated game for an admin: rates all later games again as if it had not been played."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Select,
    bindparam,
    case,
    delete,
    distinct,
    func,
    insert,
    select,
    union_all,
    update,
)

from corr import limits
from corr.service.players import players
from corr.service.ratings import rated_games
from corr.service.ratings.rated_games import (
    RATED_GAMES_QUERY,
    KnownRating,
    StoredRatedGame,
    Uncounted,
    is_between,
    rating_columns,
)
from corr.service.ratings.rating_updates import LOCK_NAME
from corr.store.locks import take_lock
from corr.store.rows import one_of, one_or_none_of, rows_of
from corr.store.tables import RatedGameRow, RatingRow
from corr.words.board import Pair, Side


class RatingKey(NamedTuple):
    player: int
    variant: str


_GAME_QUERY = RATED_GAMES_QUERY.where(RatedGameRow.game_id == bindparam("game"))
_IS_BETWEEN = is_between(bindparam("one"), bindparam("other"))
_EARLIER_COUNTED_QUERY = select(RatedGameRow.ended_at).where(
    RatedGameRow.id < bindparam("game"), _IS_BETWEEN, RatedGameRow.uncounted == Uncounted.NOT
)
_VARIANTS = select(RatedGameRow.variant).where(RatedGameRow.id >= bindparam("game"), _IS_BETWEEN).distinct()
_LATER_GAMES_QUERY = RATED_GAMES_QUERY.where(
    RatedGameRow.id > bindparam("game"), RatedGameRow.variant.in_(bindparam("variants", expanding=True))
).order_by(RatedGameRow.id)
_IS_RATED_QUERY = select(RatedGameRow.id).where(
    RatedGameRow.game_id == bindparam("game"), RatedGameRow.uncounted != Uncounted.ANNULLED
)
_GAME_UPDATE = update(RatedGameRow).where(RatedGameRow.id == bindparam("this"))


def is_rated(connection: Connection, game_id: int) -> bool:
    """Tell whether a game was rated and not annulled."""
    return connection.execute(_IS_RATED_QUERY, {"game": game_id}).scalar_one_or_none() is not None


def annul(connection: Connection, game_id: int) -> None:
    """Take a game out of the ratings, and rate again all later games that it affects."""
    take_lock(connection, LOCK_NAME)
    game = one_or_none_of(StoredRatedGame, connection.execute(_GAME_QUERY, {"game": game_id}))
    if game is None or game.uncounted == Uncounted.ANNULLED:
        return
    asked = {"game": game.id, "one": game.white_id, "other": game.black_id}
    counted = connection.execute(_EARLIER_COUNTED_QUERY, asked).scalars().all()
    # In other variants too, another game between the two may count now.
    variants = connection.execute(_VARIANTS, asked).scalars().all()
    later = {"game": game.id, "variants": variants}
    once_more = _Recalculation(game.both, counted)
    once_more.rate(game, Uncounted.ANNULLED)
    for each in rows_of(StoredRatedGame, connection.execute(_LATER_GAMES_QUERY, later)):
        once_more.rate(each, each.uncounted)
    connection.execute(_GAME_UPDATE, once_more.changed)
    for whose in once_more.touched:
        _store_rating(connection, whose, once_more.known[whose])


class _Recalculation:
    """Rates games again in order, and collects the changes to write."""

    def __init__(self, both: frozenset[int], counted: Iterable[datetime]) -> None:
        """Take the annulled game's two players, and when their earlier counted games ended."""
        self.known: dict[RatingKey, KnownRating] = {}
        self.changed: list[dict[str, Any]] = []
        self.touched: dict[RatingKey, None] = {}  # a dict, to keep the order
        self._both, self._counted = both, [*counted]

    def rate(self, game: StoredRatedGame, said: str) -> None:
        """Rate one game on the recomputed ratings; `said` is why it didn't count before."""
        before = Pair(*(self.known.get(_make_key(game, side), game.before[side]) for side in Side))
        uncounted = self._uncounted(game, said)
        if uncounted:
            known = before
        else:
            if game.both == self._both:
                self._counted.append(game.ended_at)
            now = rated_games.compute_ratings(before, game.won_by, game.ended_at)
            known = Pair(*(KnownRating(now[side], game.ended_at) for side in Side))
        for side in Side:
            self.known[_make_key(game, side)] = known[side]
        made = {
            "uncounted": uncounted,
            **rating_columns(before, Pair(known.white.rating, known.black.rating)),
        }
        if any(getattr(game, name) != value for name, value in made.items()):
            self.changed.append({"this": game.id, **made})
            self.touched |= dict.fromkeys(_make_key(game, side) for side in Side)

    def _uncounted(self, game: StoredRatedGame, said: str) -> str:
        """Decide whether a game counts now; only between the annulled game's players this can change."""
        if game.both != self._both or said not in (Uncounted.NOT, Uncounted.THREE):
            return said
        since = game.ended_at - limits.RATED_PAIR_PERIOD
        lately = sum(at > since for at in self._counted)
        return Uncounted.THREE if lately >= limits.RATED_GAMES_PER_PAIR else Uncounted.NOT


def _make_key(game: StoredRatedGame, side: Side) -> RatingKey:
    return RatingKey(game.players[side], game.variant)


class _TotalsRow(NamedTuple):
    won: int
    drawn: int
    lost: int
    opponents: int


def _select_results(side: Side) -> Any:
    """Select the bound `player`'s opponents and results on one side, in games of `variant` that count."""
    own, other = (getattr(RatedGameRow, f"{each}_id") for each in (side, side.other))
    won = case((RatedGameRow.winner == side, 1), else_=0).label("won")
    lost = case((RatedGameRow.winner == side.other, 1), else_=0).label("lost")
    drawn = case((RatedGameRow.winner.is_(None), 1), else_=0).label("drawn")
    return select(other.label("opponent"), won, drawn, lost).where(
        own == bindparam("player"),
        RatedGameRow.variant == bindparam("variant"),
        RatedGameRow.uncounted == Uncounted.NOT,
    )


_RESULTS = union_all(*(_select_results(side) for side in Side)).subquery()
_TOTALS_QUERY: Select[int, int, int, int] = select(
    *(func.coalesce(func.sum(_RESULTS.c[name]), 0).label(name) for name in ("won", "drawn", "lost")),
    func.count(distinct(_RESULTS.c.opponent)).label("opponents"),
)
_RATING_DELETE = delete(RatingRow).where(
    RatingRow.player_id == bindparam("player"), RatingRow.variant == bindparam("of_variant")
)
_RATING_INSERT = insert(RatingRow)


def _store_rating(connection: Connection, key: RatingKey, rating: KnownRating) -> None:
    """Store a recomputed rating, or delete it if no counted game remains."""
    connection.execute(_RATING_DELETE, {"player": key.player, "of_variant": key.variant})
    if rating.at is None:
        return
    played = one_of(_TotalsRow, connection.execute(_TOTALS_QUERY, key._asdict()))
    row = {
        "player_id": key.player,
        "variant": key.variant,
        **rating.rating._asdict(),
        **played._asdict(),
        "rated_at": rating.at,
        "program": players.is_any_bot(connection, key.player),
        "hidden": players.is_hidden(connection, key.player),
        "listed_until": rated_games.listed_until(rating.rating, played.opponents, rating.at),
    }
    connection.execute(_RATING_INSERT, row)
