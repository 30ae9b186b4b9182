"""Publishes finished games as monthly files, where both players allow it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, NamedTuple, TypeVarTuple

from sqlalchemy import ColumnElement, Connection, Select, bindparam, literal_column, select, tuple_
from sqlalchemy.orm import aliased

from corr.messages import sentence
from corr.record.seals import canonical
from corr.service.games import finished, game_records, reconchess_json
from corr.service.games.finished import FinishedGame
from corr.service.house import House
from corr.service.players import publishing
from corr.store.rows import rows_of
from corr.store.tables import Decree, Game, Moment, Player, SeatRow
from corr.words.board import Pair
from corr.words.errors import Refused
from corr.words.view import Stage

_Columns = TypeVarTuple("_Columns")
LICENCE = "CC0-1.0"
#: How many games are written at a time; no transaction stays open while a client fetches them.
_AT_ONCE = 25
_MONTH = re.compile(r"(2\d{3})-(0[1-9]|1[0-2])", re.ASCII)
_EVER = datetime(3000, 1, 1, tzinfo=UTC)


class What(StrEnum):
    """The formats in which games are published."""

    RECORDS = "records"
    PGN = "pgn"
    RBC = "rbc"


@dataclass(frozen=True, slots=True)
class Month:
    """A month in UTC, or all of time."""

    name: str
    first: datetime
    end: datetime


#: All of time.
EVER = Month("", datetime(1970, 1, 1, tzinfo=UTC), _EVER)


def month_of(name: str) -> Month:
    """Return the month of a name such as "2026-10"; Refused for any other."""
    found = _MONTH.fullmatch(name)
    if not found:
        raise Refused(sentence("publishing.no_month", month=name[:20]))
    return _month(int(found[1]), int(found[2]))


def _month(year: int, month: int) -> Month:
    following = (year + 1, 1) if month == 12 else (year, month + 1)
    return Month(
        f"{year}-{month:02}", datetime(year, month, 1, tzinfo=UTC), datetime(*following, 1, tzinfo=UTC)
    )


# ---------------------------------------------------------------- which games are open


class _Player(NamedTuple):
    """The player of a side, and the name that they publish under."""

    id: int
    name: str
    publishes: str
    is_house: bool

    def shown(self, secret: bytes) -> str:
        """Return the player's public name; the site's bots use their own."""
        is_by_name = self.is_house or self.publishes == publishing.NAME
        return self.name if is_by_name else publishing.made_up(secret, self.id)


class _Open(NamedTuple):
    """A game that anybody may download."""

    id: int
    ended_at: datetime | None
    white: int
    white_name: str
    white_publishes: str
    white_house: bool
    black: int
    black_name: str
    black_publishes: str
    black_house: bool

    def names(self, secret: bytes) -> Pair[str]:
        """Return the players' public names."""
        white = _Player(self.white, self.white_name, self.white_publishes, self.white_house)
        black = _Player(self.black, self.black_name, self.black_publishes, self.black_house)
        return Pair(white.shown(secret), black.shown(secret))


_WHITE, _BLACK = aliased(SeatRow), aliased(SeatRow)
_BY_WHITE, _BY_BLACK = aliased(Player), aliased(Player)
_LEAVE = [
    seat.house | publishing.in_game(seat, player).in_(publishing.GIVEN)
    for seat, player in ((_WHITE, _BY_WHITE), (_BLACK, _BY_BLACK))
]
_ALSO: dict[What, ColumnElement[bool]] = {
    What.RECORDS: Game.leaves > 0,
    What.PGN: Game.leaves >= 0,
    What.RBC: Game.variant == "rbc",
}


def _open(asked: Select[*_Columns], what: What) -> Select[*_Columns]:
    """Select the first finished games in a span that both players let be published.

    An admin's statement is part of its game and may name anybody, so a game with one stays unpublished.
    """
    return (
        asked.select_from(Game)
        .join(_WHITE, (_WHITE.game_id == Game.id) & (_WHITE.side == "white"))
        .join(_BLACK, (_BLACK.game_id == Game.id) & (_BLACK.side == "black"))
        .join(_BY_WHITE, _BY_WHITE.id == _WHITE.player_id)
        .join(_BY_BLACK, _BY_BLACK.id == _BLACK.player_id)
        .where(
            Game.ended_at.is_not(None),
            Game.lesson.is_(None),
            Game.ply >= literal_column("0"),
            Game.state == Stage.OVER,
            tuple_(Game.ended_at, Game.id)
            > tuple_(bindparam("after", type_=Moment), bindparam("after_id", type_=Game.id.type)),
            Game.ended_at < bindparam("end", type_=Moment),
            _WHITE.slips > 0,
            _BLACK.slips > 0,
            *_LEAVE,
            ~select(Decree.id).where(Decree.game_id == Game.id, Decree.said.is_not(None)).exists(),
            _ALSO[what],
        )
        .order_by(Game.ended_at, Game.id)
        .limit(bindparam("most"))
    )


_GAMES = {
    what: _open(
        select(
            Game.id,
            Game.ended_at,
            _BY_WHITE.id.label("white"),
            _BY_WHITE.name.label("white_name"),
            publishing.in_game(_WHITE, _BY_WHITE).label("white_publishes"),
            _WHITE.house.label("white_house"),
            _BY_BLACK.id.label("black"),
            _BY_BLACK.name.label("black_name"),
            publishing.in_game(_BLACK, _BY_BLACK).label("black_publishes"),
            _BLACK.house.label("black_house"),
        ),
        what,
    )
    for what in What
}
_ENDS = {what: _open(select(Game.ended_at), what) for what in What}


# ---------------------------------------------------------------- the files


def export(house: House, what: What, month: Month) -> Iterator[bytes]:
    """Write a month's open games, earliest first: the same bytes for the same database."""
    if what is What.RECORDS:
        yield _line({"corr": "open games", "licence": LICENCE})
    asked: dict[str, Any] = {"after": month.first, "after_id": -1, "end": month.end, "most": _AT_ONCE}
    write, is_whole = _WRITE[what], False
    while not is_whole:
        with house.store.reading() as connection:
            games = rows_of(_Open, connection.execute(_GAMES[what], asked))
            secret = publishing.secret(connection)
            written = [write(connection, house, each, each.names(secret)) for each in games]
        yield from written
        is_whole = len(games) < _AT_ONCE
        if games:
            asked |= {"after": games[-1].ended_at, "after_id": games[-1].id}


def _record(connection: Connection, _house: House, game: _Open, _names: Pair[str]) -> bytes:
    return "".join(f"{each}\n" for each in game_records.lines(connection, game.id, None)).encode()


def _pgn(connection: Connection, house: House, game: _Open, names: Pair[str]) -> bytes:
    return f"{_told(connection, house, game, names).pgn}\n".encode()


def _rbc(connection: Connection, house: House, game: _Open, names: Pair[str]) -> bytes:
    told = _told(connection, house, game, names)
    return _line(reconchess_json.history(told) | {"game": told.finished.game, "licence": LICENCE})


def _told(connection: Connection, house: House, game: _Open, names: Pair[str]) -> FinishedGame:
    """Return a game as anybody may read it."""
    found = finished.of_game(connection, game.id, house.domain)
    return replace(found, finished=replace(found.finished, players=names, licence=LICENCE))


def _line(value: dict[str, Any]) -> bytes:
    return f"{canonical(value)}\n".encode()


_WRITE: dict[What, Callable[[Connection, House, _Open, Pair[str]], bytes]] = {
    What.RECORDS: _record,
    What.PGN: _pgn,
    What.RBC: _rbc,
}


# ---------------------------------------------------------------- which files there are


class Listed(NamedTuple):
    """A month with open games, its file formats, and whether it still goes on."""

    month: Month
    kinds: tuple[What, ...]
    goes_on: bool


def months(house: House) -> list[Listed]:
    """List the months in which open games ended, the newest first."""
    found, span, now = list[Listed](), EVER, house.now()
    with house.store.reading() as connection:
        while first := _first_end(connection, What.PGN, span):
            month = _month(first.year, first.month)
            kinds = tuple(each for each in What if _first_end(connection, each, month))
            found.append(Listed(month, kinds, month.end > now))
            span = replace(EVER, first=month.end)
    return found[::-1]


def _first_end(connection: Connection, what: What, span: Month) -> datetime | None:
    """Return when the first open game in a span ended."""
    asked = {"after": span.first, "after_id": -1, "end": span.end, "most": 1}
    first: datetime | None = connection.execute(_ENDS[what], asked).scalar_one_or_none()
    return first
