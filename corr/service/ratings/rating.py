"""Rates a rated game once, in the transaction that ends it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select
from sqlalchemy.orm import aliased

from corr.game.rating import Rating
from corr.service.players import same_person
from corr.service.players.players import IS_ANY_PROGRAM
from corr.service.ratings import calculation
from corr.service.ratings.calculation import Known
from corr.service.ratings.rating_rows import Uncounted, columns, have_met, lately
from corr.store.locks import insert_or_change, take_turns
from corr.store.rows import rows_of
from corr.store.tables import Player, RatedGame, RatingRow, SeatRow
from corr.words.board import Pair, Side
from corr.words.slips import Outcome

#: The lock for all changes to ratings, so that they happen in one order.
TURNS = "ratings"
#: The endings of games that have no result.
_WITHOUT_RESULT = ("void", "declined")
#: The columns that a game adds to.
_ADDED = ("won", "drawn", "lost", "opponents")


class Result(NamedTuple):
    """A rated game that is over."""

    game_id: int
    variant: str
    outcome: Outcome
    at: datetime


class Change(NamedTuple):
    """A rated game's change to a player's rating, or why it does not count."""

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
    lately: int
    have_met: bool
    addresses: str | None

    @property
    def known(self) -> Known:
        if self.rating is None or self.deviation is None or self.volatility is None:
            return Known()
        return Known(Rating(self.rating, self.deviation, self.volatility), self.rated_at)


_OTHER = aliased(SeatRow)
_BOTH = SeatRow.player_id, _OTHER.player_id
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
        lately(*_BOTH).label("lately"),
        have_met(*_BOTH).label("have_met"),
        same_person.addresses_of(SeatRow.player_id).label("addresses"),
    )
    .join(_OTHER, (_OTHER.game_id == SeatRow.game_id) & (_OTHER.id != SeatRow.id))
    .join(Player, Player.id == SeatRow.player_id)
    .outerjoin(
        RatingRow,
        (RatingRow.player_id == SeatRow.player_id) & (RatingRow.variant == bindparam("variant")),
    )
    .where(SeatRow.game_id == bindparam("game"))
)
_KEEP_GAME = insert(RatedGame)


def rate(connection: Connection, result: Result) -> Pair[Change] | None:
    """Rate a game; None if it has no result."""
    if result.outcome.reason in _WITHOUT_RESULT:
        return None
    take_turns(connection, TURNS)
    asked = {"game": result.game_id, "variant": result.variant, "since": calculation.since(result.at)}
    found = {Side(each.side): each for each in rows_of(_Player, connection.execute(_PLAYERS, asked))}
    players = Pair(*(found[side] for side in Side))
    uncounted = _uncounted(players)
    before = Pair(players.white.known, players.black.known)
    now = Pair(before.white.rating, before.black.rating)
    if not uncounted:
        now = calculation.after(before, result.outcome.winner, result.at)
        rows = [_rating(players[side], now[side], side, result) for side in Side]
        insert_or_change(connection, RatingRow, rows, added=_ADDED)
    connection.execute(
        _KEEP_GAME,
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
    shown = Pair(*(before[side].shown(result.at) for side in Side))
    return Pair(*(Change(shown[s], shown[s] if uncounted else now[s].shown, uncounted) for s in Side))


def _uncounted(players: Pair[_Player]) -> Uncounted:
    white, black = players.white, players.black
    if white.player_id == black.player_id or same_person.share_a_mailbox(white.addresses, black.addresses):
        return Uncounted.PERSON
    return Uncounted.THREE if calculation.is_one_too_many(players.white.lately) else Uncounted.NOT


def _rating(player: _Player, now: Rating, side: Side, result: Result) -> dict[str, Any]:
    """Return a player's new rating, and what the game adds to their counts."""
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
        "listed_until": calculation.listed_until(now, (player.opponents or 0) + is_new, result.at),
    }
