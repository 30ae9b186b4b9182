"""Lists the public archive of ended games, newest first, page by page, and writes them as PGN."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Select,
    asc,
    bindparam,
    desc,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.orm import aliased

from corr import limits
from corr.service import catalogue
from corr.service.community.archive_filters import Place, Typed, Wanted, place_of, wanted
from corr.service.games import finished
from corr.service.house import House
from corr.service.players import erasure, publishing
from corr.store.rows import rows_of
from corr.store.slips import unpack
from corr.store.tables import ArchiveRow, Game, Moment, Player, SeatRow, SlipRow
from corr.words.board import Pair, Side
from corr.words.slips import Outcome


class Way(Enum):
    """The direction in which to list games."""

    OLDER = "older"
    NEWER = "newer"


class Called(NamedTuple):
    """A player's name beside a game, and the name of their page, if public."""

    name: str
    page: str


class Archived(NamedTuple):
    """A game as the archive lists it."""

    place: Place
    mark: str  # identifies its page
    variant: str
    players: Pair[Called]
    outcome: Outcome
    made: int  # the number of full moves
    facts: bytes | None  # those of White's last slip, as stored
    sight: bytes | None


class Page(NamedTuple):
    """A page of games, and where the older and newer pages begin, if any."""

    games: tuple[Archived, ...]
    older: Place | None
    newer: Place | None


# ---------------------------------------------------------------- pages


def page(house: House, typed: Typed, before: str, after: str) -> Page:
    """Return the filtered games before or after a place; Refused if the filter is unclear."""
    with house.store.reading() as connection:
        asked = wanted(connection, typed)
        if before:
            return _older(connection, asked, place_of(before))
        return _newer(connection, asked, place_of(after)) if after else _newest(connection, asked)


def _newest(connection: Connection, asked: Wanted) -> Page:
    """Return the games that ended last."""
    games, goes_on = _listed(connection, asked, asked.before, Way.OLDER, limits.ARCHIVED_A_PAGE)
    return Page(games, goes_on, None)


def _older(connection: Connection, asked: Wanted, than: Place) -> Page:
    """Return the games that ended before a place."""
    games, goes_on = _listed(connection, asked, min(than, asked.before), Way.OLDER, limits.ARCHIVED_A_PAGE)
    return Page(games, goes_on, games[0].place if games else than)


def _newer(connection: Connection, asked: Wanted, than: Place) -> Page:
    """Return the games that ended after a place; the newest if they fill no page."""
    games, goes_on = _listed(connection, asked, max(than, asked.after), Way.NEWER, limits.ARCHIVED_A_PAGE)
    if goes_on is None:
        return _newest(connection, asked)
    return Page(games[::-1], games[0].place if games else than, goes_on)


def pgn(house: House, typed: Typed) -> Iterator[bytes]:
    """Return the filtered games as a file, newest first.

    Refused if the filter is unclear, before any of the file is made.
    """
    with house.store.reading() as connection:
        asked = wanted(connection, typed)
    return _file(house, asked)


def _file(house: House, asked: Wanted) -> Iterator[bytes]:
    """Write the file page by page, with no transaction open during the download."""
    left = limits.ARCHIVED_IN_FILE
    place: Place | None = asked.before
    while left and place:
        with house.store.reading() as connection:
            games, place = _listed(connection, asked, place, Way.OLDER, min(left, limits.ARCHIVED_A_PAGE))
            written = [_written(connection, house, game) for game in games]
        yield from written
        left -= len(games)
        if not games:  # do not keep the reader waiting while it looks through games that are not listed
            return


def signs(game: Archived) -> tuple[str, ...]:
    """Return the signs of the final board's squares, from a1 on."""
    if game.facts is None or game.sight is None:
        return ("?",) * 64
    return unpack(Side.WHITE, game.facts, game.sight).sight.signs()


def _written(connection: Connection, house: House, game: Archived) -> bytes:
    told = finished.of_game(connection, game.place.game_id, house.domain)
    names = Pair(*(game.players[side].name for side in Side))
    return f"{told.under(names).pgn}\n".encode()


# ---------------------------------------------------------------- reading on


def _listed(
    connection: Connection, asked: Wanted, start: Place, way: Way, most: int
) -> tuple[tuple[Archived, ...], Place | None]:
    """Return up to `most` games from a place on, and where the next page begins, if any.

    Games that a player does not want listed are skipped; if these are very many, the page is shorter.
    """
    found, place, looked_through = list[Archived](), start, 0
    goes_on: Place | None = start
    while goes_on and len(found) <= most and looked_through < limits.ARCHIVED_LOOKED_THROUGH:
        at_once = most + 1 + looked_through  # read more at once, the more were skipped
        places = _places(connection, asked, place, way, at_once)
        found += _archived(connection, asked.player, places)
        place, looked_through = (places or [place])[-1], looked_through + len(places)
        goes_on = place if len(places) == at_once else None
    return tuple(found[:most]), found[most - 1].place if len(found) > most else goes_on


def _places(connection: Connection, asked: Wanted, start: Place, way: Way, most: int) -> list[Place]:
    """Return the places of the next games that may match."""
    after, before = (asked.after, start) if way is Way.OLDER else (start, asked.before)
    values: dict[str, Any] = {f"kind_{number}": each for number, each in enumerate(asked.kinds)}
    values |= {"player": asked.player, "most": most, "after": after.ended_at, "after_id": after.game_id}
    values |= {"before": before.ended_at, "before_id": before.game_id}
    return rows_of(Place, connection.execute(_of_kinds(len(asked.kinds), way), values))


_MOST = bindparam("most", type_=Integer)
_HERE = tuple_(ArchiveRow.ended_at, ArchiveRow.game_id)
_BOUNDS = {
    bound: tuple_(bindparam(bound, type_=Moment), bindparam(f"{bound}_id", type_=ArchiveRow.game_id.type))
    for bound in ("after", "before")
}
_ORDERS: dict[Way, Callable[[Any], Any]] = {Way.OLDER: desc, Way.NEWER: asc}


@cache
def _of_kinds(kinds: int, way: Way) -> Select[datetime, int]:
    """Select the first games of several kinds: each kind in its own index range, then merged."""
    if not kinds:
        return _first(way)
    of_each = [
        _first(way, ArchiveRow.kind == bindparam(f"kind_{number}")).subquery() for number in range(kinds)
    ]
    found = union_all(*(select(each.c.ended_at, each.c.game_id) for each in of_each)).subquery()
    columns = found.c.ended_at, found.c.game_id
    return select(*columns).order_by(*map(_ORDERS[way], columns)).limit(_MOST)


def _first(way: Way, *kind: ColumnElement[bool]) -> Select[datetime, int]:
    """Select the first games of one kind, or of all, within bounds."""
    return (
        select(ArchiveRow.ended_at, ArchiveRow.game_id)
        .where(
            ArchiveRow.player_id == bindparam("player"),
            *kind,
            _BOUNDS["after"] < _HERE,
            _BOUNDS["before"] > _HERE,
        )
        .order_by(*map(_ORDERS[way], (ArchiveRow.ended_at, ArchiveRow.game_id)))
        .limit(_MOST)
    )


# ---------------------------------------------------------------- what is shown of a game


class _Kept(NamedTuple):
    """A game's row in the archive."""

    id: int
    code: str
    variant: str
    winner: str | None
    reason: str | None
    ply: int
    facts: bytes | None
    sight: bytes | None
    white: int
    white_name: str
    white_publishes: str
    white_hidden: bool
    black: int
    black_name: str
    black_publishes: str
    black_hidden: bool

    def hides(self, player: int) -> bool:
        """Tell whether a player goes by a made-up name in this game."""
        chosen = {self.white: self.white_publishes, self.black: self.black_publishes}
        return chosen.get(player) == publishing.YES

    def called(self, secret: bytes) -> Pair[Called]:
        """Return both players' public names."""
        white = _Player(self.white, self.white_name, self.white_publishes, self.white_hidden)
        black = _Player(self.black, self.black_name, self.black_publishes, self.black_hidden)
        return Pair(white.called(secret), black.called(secret))


class _Player(NamedTuple):
    """A player of one side, with their choice of how to be listed."""

    id: int
    name: str
    publishes: str
    is_hidden: bool

    def called(self, secret: bytes) -> Called:
        """Return the player's public name, and their page unless hidden or deleted."""
        name = publishing.called(secret, self.id, self.name, self.publishes)
        has_page = name == self.name != erasure.NOBODY and not self.is_hidden
        return Called(name, name if has_page else "")


_WHITE, _BLACK = aliased(SeatRow), aliased(SeatRow)
_BY_WHITE, _BY_BLACK = aliased(Player), aliased(Player)
_IS_LAST = (SlipRow.seat_id == _WHITE.id) & (SlipRow.number == _WHITE.slips) & (SlipRow.step == _WHITE.steps)
_GAMES = (
    select(
        Game.id,
        Game.code,
        Game.variant,
        Game.winner,
        Game.reason,
        Game.ply,
        SlipRow.facts,
        SlipRow.sight,
        _BY_WHITE.id.label("white"),
        _BY_WHITE.name.label("white_name"),
        publishing.in_game(_WHITE, _BY_WHITE).label("white_publishes"),
        _BY_WHITE.hidden.label("white_hidden"),
        _BY_BLACK.id.label("black"),
        _BY_BLACK.name.label("black_name"),
        publishing.in_game(_BLACK, _BY_BLACK).label("black_publishes"),
        _BY_BLACK.hidden.label("black_hidden"),
    )
    .join(_WHITE, (_WHITE.game_id == Game.id) & (_WHITE.side == "white"))
    .join(_BLACK, (_BLACK.game_id == Game.id) & (_BLACK.side == "black"))
    .join(_BY_WHITE, _BY_WHITE.id == _WHITE.player_id)
    .join(_BY_BLACK, _BY_BLACK.id == _BLACK.player_id)
    .outerjoin(SlipRow, _IS_LAST)
    .where(
        Game.id.in_(bindparam("games", expanding=True)),
        publishing.in_game(_WHITE, _BY_WHITE) != publishing.NO,
        publishing.in_game(_BLACK, _BY_BLACK) != publishing.NO,
    )
)


def _archived(connection: Connection, player: int, places: list[Place]) -> list[Archived]:
    """Return the games of places, without those that a player keeps unlisted or nameless."""
    kept = rows_of(_Kept, connection.execute(_GAMES, {"games": [each.game_id for each in places]}))
    secret = publishing.secret(connection)
    by_id = {game.id: game for game in kept if not game.hides(player)}
    return [_shown(secret, place, by_id[place.game_id]) for place in places if place.game_id in by_id]


def _shown(secret: bytes, place: Place, game: _Kept) -> Archived:
    return Archived(
        place,
        finished.marked(secret, game.code),
        _names()[game.variant],
        game.called(secret),
        Outcome(Side(game.winner) if game.winner else None, game.reason or ""),
        (game.ply + 1) // 2,
        game.facts,
        game.sight,
    )


@cache
def _names() -> dict[str, str]:
    return {card.key: card.name for card in catalogue.cards()}
