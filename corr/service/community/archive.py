"""Lists the public archive of ended games, newest first, in pages (size: `corr/limits.py`), and writes them as PGN."""

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
from corr.service.community.archive_filters import (
    ArchiveFilter,
    ArchivePlace,
    FilterForm,
    read_filter,
    read_place,
)
from corr.service.games import finished
from corr.service.players import erasure, publishing
from corr.service.server import Server
from corr.store.rows import columns_of, rows_of
from corr.store.slips import unpack
from corr.store.tables import ArchiveRow, GameRow, Moment, PlayerRow, SeatRow, SlipRow
from corr.words.board import Pair, Side
from corr.words.slips import Outcome


class Direction(Enum):
    OLDER = "older"
    NEWER = "newer"


class PlayerName(NamedTuple):
    """A player's name beside a game, and the name of their page, if public."""

    name: str
    page: str


class ArchivedGame(NamedTuple):
    place: ArchivePlace
    mark: str  # identifies its page
    variant: str
    players: Pair[PlayerName]
    outcome: Outcome
    made: int  # the number of full moves
    facts: bytes | None  # those of White's last slip, as stored
    sight: bytes | None


class ArchivePage(NamedTuple):
    """A page of games, and where the older and newer pages begin, if any."""

    games: tuple[ArchivedGame, ...]
    older: ArchivePlace | None
    newer: ArchivePlace | None


def load_page(server: Server, typed: FilterForm, before: str, after: str) -> ArchivePage:
    """Return filtered games before or after a place, or the newest; Refused if unclear."""
    with server.store.reading() as connection:
        asked = read_filter(connection, typed)
        if before:
            return _older(connection, asked, read_place(before))
        return _newer(connection, asked, read_place(after)) if after else _newest(connection, asked)


def _newest(connection: Connection, search: ArchiveFilter) -> ArchivePage:
    """Return the first page, which has the newest games."""
    games, goes_on = _list_games(connection, search, search.before, Direction.OLDER)
    return ArchivePage(games, goes_on, None)


def _older(connection: Connection, search: ArchiveFilter, than: ArchivePlace) -> ArchivePage:
    """Return the page of games that ended before a place."""
    games, goes_on = _list_games(connection, search, min(than, search.before), Direction.OLDER)
    return ArchivePage(games, goes_on, games[0].place if games else than)


def _newer(connection: Connection, search: ArchiveFilter, than: ArchivePlace) -> ArchivePage:
    """Return the games that ended after a place; the newest if they fill no page."""
    games, goes_on = _list_games(connection, search, max(than, search.after), Direction.NEWER)
    if goes_on is None:
        return _newest(connection, search)
    return ArchivePage(games[::-1], games[0].place if games else than, goes_on)


def pgn(server: Server, typed: FilterForm) -> Iterator[bytes]:
    """Return the filtered games as PGN, newest first; Refused at once for an unclear filter."""
    with server.store.reading() as connection:
        asked = read_filter(connection, typed)
    return _file(server, asked)


def _file(server: Server, search: ArchiveFilter) -> Iterator[bytes]:
    """Yield the games' PGN, with no transaction open while the reader downloads it."""
    left = limits.ARCHIVE_FILE_GAMES
    place: ArchivePlace | None = search.before
    while left and place:
        with server.store.reading() as connection:
            most = min(left, limits.ARCHIVE_GAMES_A_PAGE)
            games, place = _list_games(connection, search, place, Direction.OLDER, most)
            written = [_write_pgn(connection, server, game) for game in games]
        yield from written
        left -= len(games)
        if not games:  # do not keep the reader waiting while it looks through games that are not listed
            return


def board_signs(game: ArchivedGame) -> tuple[str, ...]:
    """Return a sign for each square of a game's last board, from a1 on."""
    if game.facts is None or game.sight is None:
        return ("?",) * 64
    return unpack(Side.WHITE, game.facts, game.sight).sight.signs()


def _write_pgn(connection: Connection, server: Server, game: ArchivedGame) -> bytes:
    """Return a game's PGN with the names that its players chose to show."""
    told = finished.load_game(connection, game.place.game_id, server.domain)
    names = Pair(*(game.players[side].name for side in Side))
    return f"{told.under(names).pgn}\n".encode()


def _list_games(
    connection: Connection,
    search: ArchiveFilter,
    start: ArchivePlace,
    way: Direction,
    most: int | None = None,
) -> tuple[tuple[ArchivedGame, ...], ArchivePlace | None]:
    """Return up to `most` listed games from a place, and where the next begins, if any."""
    most = limits.ARCHIVE_GAMES_A_PAGE if most is None else most
    found, place, looked_through = list[ArchivedGame](), start, 0
    goes_on: ArchivePlace | None = start
    while goes_on and len(found) <= most and looked_through < limits.ARCHIVE_GAMES_SEARCHED:
        at_once = most + 1 + looked_through  # read more at once, the more unlisted games were skipped
        places = _places(connection, search, place, way, at_once)
        found += _load_games(connection, search.player, places)
        place, looked_through = (places or [place])[-1], looked_through + len(places)
        goes_on = place if len(places) == at_once else None
    return tuple(found[:most]), found[most - 1].place if len(found) > most else goes_on


def _places(
    connection: Connection, search: ArchiveFilter, start: ArchivePlace, way: Direction, most: int
) -> list[ArchivePlace]:
    """Return the next games that match, by end and id, including unlisted ones."""
    after, before = (search.after, start) if way is Direction.OLDER else (start, search.before)
    values: dict[str, Any] = {f"kind_{number}": each for number, each in enumerate(search.kinds)}
    values |= {"player": search.player, "most": most, "after": after.ended_at, "after_id": after.game_id}
    values |= {"before": before.ended_at, "before_id": before.game_id}
    return rows_of(ArchivePlace, connection.execute(_select_kinds(len(search.kinds), way), values))


_MAX_ROWS = bindparam("most", type_=Integer)
_ROW_PLACE = tuple_(ArchiveRow.ended_at, ArchiveRow.game_id)
_BOUNDS = {
    bound: tuple_(bindparam(bound, type_=Moment), bindparam(f"{bound}_id", type_=ArchiveRow.game_id.type))
    for bound in ("after", "before")
}
_ORDERS: dict[Direction, Callable[[Any], Any]] = {Direction.OLDER: desc, Direction.NEWER: asc}


@cache
def _select_kinds(kinds: int, way: Direction) -> Select[datetime, int]:
    """Select the first games of several kinds (bound as `kind_0`, …), each kind from its own index range."""
    if not kinds:
        return _select_one_kind(way)
    of_each = [
        _select_one_kind(way, ArchiveRow.kind == bindparam(f"kind_{number}")).subquery()
        for number in range(kinds)
    ]
    found = union_all(*(select(each.c.ended_at, each.c.game_id) for each in of_each)).subquery()
    columns = found.c.ended_at, found.c.game_id
    return select(*columns).order_by(*map(_ORDERS[way], columns)).limit(_MAX_ROWS)


def _select_one_kind(way: Direction, *kind: ColumnElement[bool]) -> Select[datetime, int]:
    """Select the first games of the bound `player`, of one kind or of all, within `_BOUNDS`."""
    return (
        select(ArchiveRow.ended_at, ArchiveRow.game_id)
        .where(
            ArchiveRow.player_id == bindparam("player"),
            *kind,
            _BOUNDS["after"] < _ROW_PLACE,
            _BOUNDS["before"] > _ROW_PLACE,
        )
        .order_by(*map(_ORDERS[way], (ArchiveRow.ended_at, ArchiveRow.game_id)))
        .limit(_MAX_ROWS)
    )


class _GameRow(NamedTuple):
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

    def called(self, secret: bytes) -> Pair[PlayerName]:
        """Return both players' public names, and their pages unless hidden or deleted."""
        return Pair(
            _name(secret, self.white, self.white_name, self.white_publishes, is_hidden=self.white_hidden),
            _name(secret, self.black, self.black_name, self.black_publishes, is_hidden=self.black_hidden),
        )


def _name(secret: bytes, player: int, own_name: str, publishes: str, *, is_hidden: bool) -> PlayerName:
    """Return a player's public name, and their page's name if everybody may read it."""
    name = publishing.public_name(secret, player, own_name, publishes)
    has_page = name == own_name != erasure.NOBODY and not is_hidden
    return PlayerName(name, name if has_page else "")


_WHITE_SEAT, _BLACK_SEAT = aliased(SeatRow), aliased(SeatRow)
_WHITE_PLAYER, _BLACK_PLAYER = aliased(PlayerRow), aliased(PlayerRow)
_WHITE_PUBLISHES = publishing.select_publishing(_WHITE_SEAT, _WHITE_PLAYER)
_BLACK_PUBLISHES = publishing.select_publishing(_BLACK_SEAT, _BLACK_PLAYER)
_IS_LAST_SLIP = (
    (SlipRow.seat_id == _WHITE_SEAT.id)
    & (SlipRow.number == _WHITE_SEAT.slips)
    & (SlipRow.step == _WHITE_SEAT.steps)
)
_GAMES = (
    select(
        *columns_of(
            _GameRow,
            GameRow,
            facts=SlipRow.facts,
            sight=SlipRow.sight,
            white=_WHITE_PLAYER.id,
            white_name=_WHITE_PLAYER.name,
            white_publishes=_WHITE_PUBLISHES,
            white_hidden=_WHITE_PLAYER.hidden,
            black=_BLACK_PLAYER.id,
            black_name=_BLACK_PLAYER.name,
            black_publishes=_BLACK_PUBLISHES,
            black_hidden=_BLACK_PLAYER.hidden,
        )
    )
    .join(_WHITE_SEAT, (_WHITE_SEAT.game_id == GameRow.id) & (_WHITE_SEAT.side == "white"))
    .join(_BLACK_SEAT, (_BLACK_SEAT.game_id == GameRow.id) & (_BLACK_SEAT.side == "black"))
    .join(_WHITE_PLAYER, _WHITE_PLAYER.id == _WHITE_SEAT.player_id)
    .join(_BLACK_PLAYER, _BLACK_PLAYER.id == _BLACK_SEAT.player_id)
    .outerjoin(SlipRow, _IS_LAST_SLIP)
    .where(
        GameRow.id.in_(bindparam("games", expanding=True)),
        _WHITE_PUBLISHES != publishing.NO,
        _BLACK_PUBLISHES != publishing.NO,
    )
)


def _load_games(connection: Connection, player: int, places: list[ArchivePlace]) -> list[ArchivedGame]:
    """Load the games at these places, except those that a player keeps unlisted or nameless."""
    kept = rows_of(_GameRow, connection.execute(_GAMES, {"games": [each.game_id for each in places]}))
    secret = publishing.load_secret(connection)
    by_id = {game.id: game for game in kept if not game.hides(player)}
    listed = ((place, by_id[place.game_id]) for place in places if place.game_id in by_id)
    return [
        ArchivedGame(
            place,
            finished.compute_page_key(secret, game.code),
            catalogue.card(game.variant).name,
            game.called(secret),
            Outcome(Side(game.winner) if game.winner else None, game.reason or ""),
            (game.ply + 1) // 2,
            game.facts,
            game.sight,
        )
        for place, game in listed
    ]
