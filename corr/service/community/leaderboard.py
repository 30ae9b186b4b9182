"""Leaderboards: who is rated highest in a variant, of those who are known well enough; people and programs apart."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Float, bindparam, false, func, select, tuple_

from corr import limits
from corr.messages import sentence
from corr.service import catalogue
from corr.service.community.strength import KEPT_STRENGTH, KeptStrength, Strength
from corr.service.house import House
from corr.store.rows import one_or_none_of, pairs_of
from corr.store.tables import Moment, Player, RatingRow
from corr.words.errors import Refused
from corr.words.view import Card


class Which(NamedTuple):
    """Which leaderboard: of a variant, that of people or that of programs."""

    variant: str
    are_programs: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """One place on a leaderboard."""

    rank: int
    name: str
    strength: Strength
    own: bool


@dataclass(frozen=True, slots=True)
class Board:
    """Some places of a leaderboard, whether there are lower ones, and the rank of who looks at it."""

    card: Card
    are_programs: bool
    places: tuple[Place, ...]
    number: int
    goes_on: bool
    own: int | None

    @property
    def own_number(self) -> int:
        """On which page the own place is."""
        return -(-(self.own or 0) // limits.PLACES_A_PAGE)


def board(house: House, which: Which, number: int, player_id: int | None, now: datetime) -> Board:
    """A page of a leaderboard as somebody sees it; Refused where it does not go that far."""
    card = catalogue.card(which.variant)
    most = limits.PLACES_A_PAGE
    listed = _listed(which, now) | {"player": player_id}
    with house.store.reading() as connection:
        places = _places(connection, listed | {"most": most + 1, "passed": (number - 1) * most})
        own = _own_rank(connection, listed) if player_id else None
    if number > 1 and not places:
        raise Refused(sentence("players.no_place", number=number))
    return Board(card, which.are_programs, places[:most], number, len(places) > most, own)


def first_places(house: House, now: datetime) -> dict[str, tuple[Place, ...]]:
    """Who leads among people, in each variant in which anybody does."""
    few = {"most": limits.FIRST_PLACES, "passed": 0, "player": None}
    with house.store.reading() as connection:
        leading = {
            card.key: _places(connection, _listed(Which(card.key), now) | few) for card in catalogue.cards()
        }
    return {variant: places for variant, places in leading.items() if places}


class _Named(NamedTuple):
    player_id: int
    name: str | None  # none of who has hidden while the game was rated


class _Own(NamedTuple):
    rating: float
    player_id: int


# The index alone tells who is listed: to come to a lower place, no other row is looked at.
_IS_LISTED: tuple[ColumnElement[bool], ...] = (
    RatingRow.variant == bindparam("variant"),
    RatingRow.program == bindparam("programs"),
    RatingRow.hidden == false(),
    RatingRow.listed_until > bindparam("now", type_=Moment),
)
_ORDER = (RatingRow.rating.desc(), RatingRow.player_id.desc())
_CHOSEN = (
    select(RatingRow.player_id)
    .where(*_IS_LISTED)
    .order_by(*_ORDER)
    .limit(bindparam("most"))
    .offset(bindparam("passed"))
    .subquery()
)
# By a question of its own for each: a database that takes the players for few would go through them all.
_NAME = (
    select(Player.name)
    .where(Player.id == RatingRow.player_id, Player.hidden.is_not(True))
    .correlate(RatingRow)
    .scalar_subquery()
)
_PLACES = (
    select(RatingRow.player_id, _NAME.label("name"), *KEPT_STRENGTH)
    .join_from(_CHOSEN, RatingRow, RatingRow.player_id == _CHOSEN.c.player_id)
    .where(RatingRow.variant == bindparam("variant"))
    .order_by(*_ORDER)
)
_OWN = select(RatingRow.rating, RatingRow.player_id).where(
    RatingRow.player_id == bindparam("player"), *_IS_LISTED
)
_IS_ABOVE = tuple_(RatingRow.rating, RatingRow.player_id) > tuple_(
    bindparam("rating", type_=Float), bindparam("player", type_=RatingRow.player_id.type)
)
_ABOVE = select(func.count()).select_from(RatingRow).where(*_IS_LISTED, _IS_ABOVE)


def _listed(which: Which, now: datetime) -> dict[str, Any]:
    """What is asked for whoever stands on a leaderboard."""
    return {"variant": which.variant, "programs": which.are_programs, "now": now}


def _places(connection: Connection, asked: dict[str, Any]) -> tuple[Place, ...]:
    found = pairs_of(_Named, KeptStrength, connection.execute(_PLACES, asked))
    return tuple(
        Place(asked["passed"] + number, who.name, kept.by(asked["now"]), own=who.player_id == asked["player"])
        for number, (who, kept) in enumerate(found, 1)
        if who.name
    )


def _own_rank(connection: Connection, listed: dict[str, Any]) -> int | None:
    """On which place a player stands; None who stands on none."""
    own = one_or_none_of(_Own, connection.execute(_OWN, listed))
    if own is None:
        return None
    above: int = connection.execute(_ABOVE, listed | {"rating": own.rating}).scalar_one()
    return above + 1
