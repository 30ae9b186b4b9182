"""A rated game that ends is rated, once, in the transaction in which it ends."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update

from corr.desk.people import persons
from corr.desk.people.players import IS_ANY_PROGRAM
from corr.desk.ratings import reckoning
from corr.desk.ratings.rating_rows import LATELY, MET, Uncounted, columns
from corr.desk.ratings.reckoning import Known
from corr.game.rating import Rating
from corr.store.once import take_turns
from corr.store.rows import one_of, rows_of
from corr.store.tables import Player, RatedGame, RatingRow, SeatRow
from corr.words.board import Pair, Side
from corr.words.slips import Outcome

#: All that have to do with ratings come one after another, so that there is one order in which they came about.
TURNS = "ratings"
#: Games that end so have no result.
_WITHOUT_RESULT = ("void", "declined")


class Result(NamedTuple):
    """A rated game that is over."""

    game_id: int
    variant: str
    outcome: Outcome
    at: datetime


class Change(NamedTuple):
    """What a rated game has made of a player's rating, or why it does not count."""

    before: str
    now: str
    uncounted: str


class _Player(NamedTuple):
    side: str
    player_id: int
    is_program: bool
    is_hidden: bool
    rating: float | None
    deviation: float | None
    volatility: float | None
    rated_at: datetime | None
    opponents: int | None

    @property
    def known(self) -> Known:
        if self.rating is None or self.deviation is None or self.volatility is None:
            return Known()
        return Known(Rating(self.rating, self.deviation, self.volatility), self.rated_at)


class _Between(NamedTuple):
    lately: int
    have_met: bool


_PLAYERS = (
    select(
        SeatRow.side,
        SeatRow.player_id,
        IS_ANY_PROGRAM.label("is_program"),
        Player.hidden.label("is_hidden"),
        RatingRow.rating,
        RatingRow.deviation,
        RatingRow.volatility,
        RatingRow.rated_at,
        RatingRow.opponents,
    )
    .join(Player, Player.id == SeatRow.player_id)
    .outerjoin(
        RatingRow,
        (RatingRow.player_id == SeatRow.player_id) & (RatingRow.variant == bindparam("variant")),
    )
    .where(SeatRow.game_id == bindparam("game"))
)
_BETWEEN = select(LATELY.label("lately"), MET.label("have_met"))
_KEEP = insert(RatedGame)
_FIRST = insert(RatingRow)
_NEXT = (
    update(RatingRow)
    .where(RatingRow.player_id == bindparam("player"), RatingRow.variant == bindparam("of_variant"))
    .values(
        won=RatingRow.won + bindparam("wins"),
        drawn=RatingRow.drawn + bindparam("draws"),
        lost=RatingRow.lost + bindparam("losses"),
    )
)


def rate(connection: Connection, result: Result) -> Pair[Change] | None:
    """Rate a game; None where it has no result."""
    if result.outcome.reason in _WITHOUT_RESULT:
        return None
    take_turns(connection, TURNS)
    asked = {"game": result.game_id, "variant": result.variant}
    found = {Side(each.side): each for each in rows_of(_Player, connection.execute(_PLAYERS, asked))}
    players = Pair(*(found[side] for side in Side))
    between = _between(connection, players, result)
    uncounted = _uncounted(connection, players, between)
    before = Pair(players.white.known, players.black.known)
    now = Pair(before.white.rating, before.black.rating)
    if not uncounted:
        now = reckoning.after(before, result.outcome.winner, result.at)
        for side in Side:
            _keep(connection, players[side], now[side], _points(result.outcome, side), result, between)
    connection.execute(
        _KEEP,
        {
            "game_id": result.game_id,
            "variant": result.variant,
            "ended_at": result.at,
            "white_id": players.white.player_id,
            "black_id": players.black.player_id,
            "winner": result.outcome.winner,
            "uncounted": uncounted,
            **columns(before, now),
        },
    )
    return Pair(*(Change(before[side].rating.shown, now[side].shown, uncounted) for side in Side))


def _between(connection: Connection, players: Pair[_Player], result: Result) -> _Between:
    asked = {
        "white": players.white.player_id,
        "black": players.black.player_id,
        "variant": result.variant,
        "since": reckoning.since(result.at),
    }
    return one_of(_Between, connection.execute(_BETWEEN, asked))


def _uncounted(connection: Connection, players: Pair[_Player], between: _Between) -> Uncounted:
    if persons.share_a_mailbox(connection, players.white.player_id, players.black.player_id):
        return Uncounted.PERSON
    return Uncounted.THREE if reckoning.is_one_too_many(between.lately) else Uncounted.NOT


def _points(outcome: Outcome, side: Side) -> dict[str, int]:
    """Whether a side has won, drawn or lost."""
    return {
        "won": int(outcome.winner is side),
        "drawn": int(outcome.winner is None),
        "lost": int(outcome.winner is side.other),
    }


def _keep(
    connection: Connection,
    player: _Player,
    now: Rating,
    points: dict[str, int],
    result: Result,
    between: _Between,
) -> None:
    """Keep what became of a player's rating."""
    opponents = (player.opponents or 0) + (not between.have_met)
    values: dict[str, Any] = {
        **now._asdict(),
        "opponents": opponents,
        "rated_at": result.at,
        "program": player.is_program,
        "hidden": player.is_hidden,
        "listed_until": reckoning.listed_until(now, opponents, result.at),
    }
    if player.opponents is None:
        connection.execute(
            _FIRST, {"player_id": player.player_id, "variant": result.variant, **points, **values}
        )
    else:
        this = {"player": player.player_id, "of_variant": result.variant}
        counted = {"wins": points["won"], "draws": points["drawn"], "losses": points["lost"]}
        connection.execute(_NEXT, {**this, **counted, **values})
