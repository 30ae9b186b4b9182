"""Ranks players with reliable ratings for each variant, people and bots apart; who is listed: `corr/limits.py`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Float, bindparam, false, func, select, tuple_

from corr import limits
from corr.game.rating import Rating, age_rating, periods
from corr.service import catalogue
from corr.service.server import Server
from corr.store.rows import columns_of, pairs_of
from corr.store.tables import Moment, PlayerRow, RatingRow
from corr.text.messages import sentence
from corr.words.errors import Refused
from corr.words.view import VariantInfo


@dataclass(frozen=True, slots=True)
class Strength:
    """A rating with the counted wins, draws and losses, and the end of the last game."""

    rating: Rating
    won: int
    drawn: int
    lost: int
    last: datetime

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def within(self) -> int:
        """The likely error of the rating in points."""
        return round(self.rating.deviation)


class StoredStrength(NamedTuple):
    """A strength as stored: as of the last game."""

    rating: float
    deviation: float
    volatility: float
    won: int
    drawn: int
    lost: int
    rated_at: datetime

    def by(self, now: datetime) -> Strength:
        """Return the strength as of now, since a rating grows less certain with time."""
        known = Rating(self.rating, self.deviation, self.volatility)
        aged = age_rating(known, periods(now - self.rated_at))
        return Strength(aged, self.won, self.drawn, self.lost, self.rated_at)


STRENGTH_COLUMNS = columns_of(StoredStrength, RatingRow)


class LeaderboardKey(NamedTuple):
    """A leaderboard: the variant, and people or bots."""

    variant: str
    are_programs: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    rank: int
    name: str
    strength: Strength
    own: bool


@dataclass(frozen=True, slots=True)
class Board:
    """A page of a leaderboard, whether more follow, and the reader's own rank."""

    card: VariantInfo
    are_programs: bool
    places: tuple[Place, ...]
    number: int
    goes_on: bool
    own: int | None

    @property
    def own_number(self) -> int:
        """The number of the page with the reader's own rank; 0 if unranked."""
        return -(-(self.own or 0) // limits.PLACES_A_PAGE)


def load_board(
    server: Server, key: LeaderboardKey, number: int, player_id: int | None, now: datetime
) -> Board:
    """Return a page of a leaderboard for a reader; Refused beyond the last page."""
    card = catalogue.card(key.variant)
    most = limits.PLACES_A_PAGE
    listed = _query_parameters(key, now) | {"player": player_id}
    with server.store.reading() as connection:
        places = _places(connection, listed | {"most": most + 1, "passed": (number - 1) * most})
        own = _own_rank(connection, listed) if player_id else None
    if number > 1 and not places:
        raise Refused(sentence("players.no_place", number=number))
    return Board(card, key.are_programs, places[:most], number, len(places) > most, own)


def list_leaders(server: Server, now: datetime) -> dict[str, tuple[Place, ...]]:
    """Return the first few people on each variant's leaderboard, leaving out empty ones."""
    few = {"most": limits.FIRST_PLACES, "passed": 0, "player": None}
    with server.store.reading() as connection:
        leading = {
            card.key: _places(connection, _query_parameters(LeaderboardKey(card.key), now) | few)
            for card in catalogue.cards()
        }
    return {variant: places for variant, places in leading.items() if places}


class _PlaceRow(NamedTuple):
    player_id: int
    name: str | None  # None if the player hid their page while the game was rated


# The index alone tells which ratings are listed, so that a lower page needs no other rows.
_IS_LISTED: tuple[ColumnElement[bool], ...] = (
    RatingRow.variant == bindparam("variant"),
    RatingRow.program == bindparam("programs"),
    RatingRow.hidden == false(),
    RatingRow.listed_until > bindparam("now", type_=Moment),
)
_ORDER = (RatingRow.rating.desc(), RatingRow.player_id.desc())
_PAGE_PLAYERS = (
    select(RatingRow.player_id)
    .where(*_IS_LISTED)
    .order_by(*_ORDER)
    .limit(bindparam("most"))
    .offset(bindparam("passed"))
    .subquery()
)
# This is a subquery for each row, as a database that expects few players would go through them all.
_NAME = (
    select(PlayerRow.name)
    .where(PlayerRow.id == RatingRow.player_id, PlayerRow.hidden.is_not(True))
    .correlate(RatingRow)
    .scalar_subquery()
)
_PLACES = (
    select(RatingRow.player_id, _NAME.label("name"), *STRENGTH_COLUMNS)
    .join_from(_PAGE_PLAYERS, RatingRow, RatingRow.player_id == _PAGE_PLAYERS.c.player_id)
    .where(RatingRow.variant == bindparam("variant"))
    .order_by(*_ORDER)
)
_OWN_RATING_QUERY = select(RatingRow.rating).where(RatingRow.player_id == bindparam("player"), *_IS_LISTED)
_IS_ABOVE = tuple_(RatingRow.rating, RatingRow.player_id) > tuple_(
    bindparam("rating", type_=Float), bindparam("player", type_=RatingRow.player_id.type)
)
_COUNT_ABOVE_QUERY = select(func.count()).select_from(RatingRow).where(*_IS_LISTED, _IS_ABOVE)


def _query_parameters(key: LeaderboardKey, now: datetime) -> dict[str, Any]:
    """Return the parameters that all queries of one leaderboard need."""
    return {"variant": key.variant, "programs": key.are_programs, "now": now}


def _places(connection: Connection, asked: dict[str, Any]) -> tuple[Place, ...]:
    """Return the places on one page, without players who have just hidden their page."""
    found = pairs_of(_PlaceRow, StoredStrength, connection.execute(_PLACES, asked))
    return tuple(
        Place(asked["passed"] + number, who.name, kept.by(asked["now"]), own=who.player_id == asked["player"])
        for number, (who, kept) in enumerate(found, 1)
        if who.name
    )


def _own_rank(connection: Connection, listed: dict[str, Any]) -> int | None:
    """Return the reader's own rank; None if they aren't listed."""
    own = connection.execute(_OWN_RATING_QUERY, listed).scalar_one_or_none()
    if own is None:
        return None
    above: int = connection.execute(_COUNT_ABOVE_QUERY, listed | {"rating": own}).scalar_one()
    return above + 1
