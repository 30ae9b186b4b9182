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

from corr.service.players import players
from corr.service.ratings import calculation
from corr.service.ratings.calculation import Known
from corr.service.ratings.rating import TURNS
from corr.service.ratings.rating_rows import GAMES, KeptGame, Uncounted, columns, is_between
from corr.store.locks import take_turns
from corr.store.rows import one_of, one_or_none_of, rows_of
from corr.store.tables import RatedGame, RatingRow
from corr.words.board import Pair, Side


class Whose(NamedTuple):
    """A player and the variant of their rating."""

    player: int
    variant: str


_THIS = GAMES.where(RatedGame.game_id == bindparam("game"))
_BETWEEN = is_between(bindparam("one"), bindparam("other"))
_COUNTED_BEFORE = select(RatedGame.ended_at).where(
    RatedGame.id < bindparam("game"), _BETWEEN, RatedGame.uncounted == Uncounted.NOT
)
_VARIANTS = select(RatedGame.variant).where(RatedGame.id >= bindparam("game"), _BETWEEN).distinct()
_AFTER = GAMES.where(
    RatedGame.id > bindparam("game"), RatedGame.variant.in_(bindparam("variants", expanding=True))
).order_by(RatedGame.id)
_STANDS = select(RatedGame.id).where(
    RatedGame.game_id == bindparam("game"), RatedGame.uncounted != Uncounted.ANNULLED
)
_CHANGE = update(RatedGame).where(RatedGame.id == bindparam("this"))


def stands(connection: Connection, game_id: int) -> bool:
    """Tell whether a game was rated and not annulled."""
    return connection.execute(_STANDS, {"game": game_id}).scalar_one_or_none() is not None


def annul(connection: Connection, game_id: int) -> None:
    """Annul a rated game."""
    take_turns(connection, TURNS)
    game = one_or_none_of(KeptGame, connection.execute(_THIS, {"game": game_id}))
    if game is None or game.uncounted == Uncounted.ANNULLED:
        return
    asked = {"game": game.id, "one": game.white_id, "other": game.black_id}
    counted = connection.execute(_COUNTED_BEFORE, asked).scalars().all()
    # In other variants too, another game between the two may count now.
    variants = connection.execute(_VARIANTS, asked).scalars().all()
    later = {"game": game.id, "variants": variants}
    once_more = _OnceMore(game.both, counted)
    once_more.rate(game, Uncounted.ANNULLED)
    for each in rows_of(KeptGame, connection.execute(_AFTER, later)):
        once_more.rate(each, each.uncounted)
    connection.execute(_CHANGE, once_more.changed)
    for whose in once_more.touched:
        _keep(connection, whose, once_more.known[whose])


class _OnceMore:
    """Rates games again in order, and collects the changes to write.

    Only for `both`, the players of the annulled game, has the number of counted games between two players changed.
    """

    def __init__(self, both: frozenset[int], counted: Iterable[datetime]) -> None:
        self.known: dict[Whose, Known] = {}
        self.changed: list[dict[str, Any]] = []
        self.touched: dict[Whose, None] = {}  # a dict, to keep the order
        self._both, self._counted = both, [*counted]

    def rate(self, game: KeptGame, said: str) -> None:
        """Rate one game on the new earlier ratings; `said` is its previous reason not to count."""
        before = Pair(*(self.known.get(_whose(game, side), game.before[side]) for side in Side))
        uncounted = self._uncounted(game, said)
        if uncounted:
            known = before
        else:
            if game.both == self._both:
                self._counted.append(game.ended_at)
            now = calculation.after(before, game.won_by, game.ended_at)
            known = Pair(*(Known(now[side], game.ended_at) for side in Side))
        for side in Side:
            self.known[_whose(game, side)] = known[side]
        made = {"uncounted": uncounted, **columns(before, Pair(known.white.rating, known.black.rating))}
        if any(getattr(game, name) != value for name, value in made.items()):
            self.changed.append({"this": game.id, **made})
            self.touched |= dict.fromkeys(_whose(game, side) for side in Side)

    def _uncounted(self, game: KeptGame, said: str) -> str:
        """Decide anew whether a game counts; for other pairs of players nothing changed."""
        if game.both != self._both or said not in (Uncounted.NOT, Uncounted.THREE):
            return said
        since = calculation.since(game.ended_at)
        lately = sum(at > since for at in self._counted)
        return Uncounted.THREE if calculation.is_one_too_many(lately) else Uncounted.NOT


def _whose(game: KeptGame, side: Side) -> Whose:
    return Whose(game.players[side], game.variant)


# ---------------------------------------------------------------- the rating itself


class _Played(NamedTuple):
    won: int
    drawn: int
    lost: int
    opponents: int


def _by(side: Side) -> Any:
    """Select a player's opponents and results on one side, of games that count."""
    own, other = (getattr(RatedGame, f"{each}_id") for each in (side, side.other))
    won = case((RatedGame.winner == side, 1), else_=0).label("won")
    lost = case((RatedGame.winner == side.other, 1), else_=0).label("lost")
    drawn = case((RatedGame.winner.is_(None), 1), else_=0).label("drawn")
    return select(other.label("opponent"), won, drawn, lost).where(
        own == bindparam("player"),
        RatedGame.variant == bindparam("variant"),
        RatedGame.uncounted == Uncounted.NOT,
    )


_GAMES = union_all(*(_by(side) for side in Side)).subquery()
_PLAYED: Select[int, int, int, int] = select(
    *(func.coalesce(func.sum(_GAMES.c[name]), 0).label(name) for name in ("won", "drawn", "lost")),
    func.count(distinct(_GAMES.c.opponent)).label("opponents"),
)
_FORGET = delete(RatingRow).where(
    RatingRow.player_id == bindparam("player"), RatingRow.variant == bindparam("of_variant")
)
_KEEP = insert(RatingRow)


def _keep(connection: Connection, whose: Whose, known: Known) -> None:
    """Store a recomputed rating, or delete it if no counted game remains."""
    connection.execute(_FORGET, {"player": whose.player, "of_variant": whose.variant})
    if known.at is None:
        return
    played = one_of(_Played, connection.execute(_PLAYED, whose._asdict()))
    row = {
        "player_id": whose.player,
        "variant": whose.variant,
        **known.rating._asdict(),
        **played._asdict(),
        "rated_at": known.at,
        "program": players.is_any_program(connection, whose.player),
        "hidden": players.is_hidden(connection, whose.player),
        "listed_until": calculation.listed_until(known.rating, played.opponents, known.at),
    }
    connection.execute(_KEEP, row)
