"""Publishes finished games as files to download, month by month, where both players allow it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, NamedTuple, TypeVarTuple

from sqlalchemy import ColumnElement, Connection, Select, bindparam, literal_column, select, tuple_
from sqlalchemy.orm import aliased

from corr.record.seals import to_canonical_json
from corr.service.games import finished, game_records, json_format
from corr.service.games.finished import FinishedGame
from corr.service.players import publishing
from corr.service.server import Server
from corr.store.rows import rows_of
from corr.store.tables import DecisionRow, GameRow, Moment, PlayerRow, SeatRow
from corr.text.messages import sentence
from corr.words.board import Pair
from corr.words.errors import Refused
from corr.words.view import Stage

_Columns = TypeVarTuple("_Columns")
LICENCE = "CC0-1.0"
#: How many games are written at a time; no transaction stays open while a client fetches them.
_BATCH = 25
_MONTH = re.compile(r"(2\d{3})-(0[1-9]|1[0-2])", re.ASCII)
_FAR_FUTURE = datetime(3000, 1, 1, tzinfo=UTC)


class FileFormat(StrEnum):
    RECORDS = "records"
    PGN = "pgn"
    RBC = "rbc"


@dataclass(frozen=True, slots=True)
class Month:
    """A month in UTC, or all of time."""

    name: str
    first: datetime
    end: datetime


ALL_TIME = Month("", datetime(1970, 1, 1, tzinfo=UTC), _FAR_FUTURE)


def parse_month(name: str) -> Month:
    """Return the month of a name such as "2026-10"; raise Refused for any other."""
    found = _MONTH.fullmatch(name)
    if not found:
        raise Refused(sentence("publishing.no_month", month=name[:20]))
    return _month(int(found[1]), int(found[2]))


def _month(year: int, month: int) -> Month:
    following = (year + 1, 1) if month == 12 else (year, month + 1)
    return Month(
        f"{year}-{month:02}", datetime(year, month, 1, tzinfo=UTC), datetime(*following, 1, tzinfo=UTC)
    )


class _OpenGameRow(NamedTuple):
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
        """Return both names for the public: own or pen names, as chosen; bots use their own."""
        return Pair(
            self.white_name
            if self.white_house or self.white_publishes == publishing.NAME
            else publishing.make_pen_name(secret, self.white),
            self.black_name
            if self.black_house or self.black_publishes == publishing.NAME
            else publishing.make_pen_name(secret, self.black),
        )


_WHITE_SEAT, _BLACK_SEAT = aliased(SeatRow), aliased(SeatRow)
_WHITE_PLAYER, _BLACK_PLAYER = aliased(PlayerRow), aliased(PlayerRow)
_CONSENT_CONDITIONS = [
    seat.house | publishing.select_publishing(seat, player).in_(publishing.PUBLISHED)
    for seat, player in ((_WHITE_SEAT, _WHITE_PLAYER), (_BLACK_SEAT, _BLACK_PLAYER))
]
_FORMAT_CONDITIONS: dict[FileFormat, ColumnElement[bool]] = {
    FileFormat.RECORDS: GameRow.leaves > 0,
    FileFormat.PGN: GameRow.leaves >= 0,
    FileFormat.RBC: GameRow.variant == "rbc",
}


def _select_open(asked: Select[*_Columns], what: FileFormat) -> Select[*_Columns]:
    """Build a query for the next `most` published games, from `after` and `after_id` until `end` (all bound)."""
    # An admin's statement is part of its game and may name anybody, so a game with one stays unpublished.
    return (
        asked.select_from(GameRow)
        .join(_WHITE_SEAT, (_WHITE_SEAT.game_id == GameRow.id) & (_WHITE_SEAT.side == "white"))
        .join(_BLACK_SEAT, (_BLACK_SEAT.game_id == GameRow.id) & (_BLACK_SEAT.side == "black"))
        .join(_WHITE_PLAYER, _WHITE_PLAYER.id == _WHITE_SEAT.player_id)
        .join(_BLACK_PLAYER, _BLACK_PLAYER.id == _BLACK_SEAT.player_id)
        .where(
            GameRow.ended_at.is_not(None),
            GameRow.lesson.is_(None),
            GameRow.ply >= literal_column("0"),
            GameRow.state == Stage.OVER,
            tuple_(GameRow.ended_at, GameRow.id)
            > tuple_(bindparam("after", type_=Moment), bindparam("after_id", type_=GameRow.id.type)),
            GameRow.ended_at < bindparam("end", type_=Moment),
            _WHITE_SEAT.slips > 0,
            _BLACK_SEAT.slips > 0,
            *_CONSENT_CONDITIONS,
            ~select(DecisionRow.id)
            .where(DecisionRow.game_id == GameRow.id, DecisionRow.said.is_not(None))
            .exists(),
            _FORMAT_CONDITIONS[what],
        )
        .order_by(GameRow.ended_at, GameRow.id)
        .limit(bindparam("most"))
    )


_GAME_QUERIES = {
    what: _select_open(
        select(
            GameRow.id,
            GameRow.ended_at,
            _WHITE_PLAYER.id.label("white"),
            _WHITE_PLAYER.name.label("white_name"),
            publishing.select_publishing(_WHITE_SEAT, _WHITE_PLAYER).label("white_publishes"),
            _WHITE_SEAT.house.label("white_house"),
            _BLACK_PLAYER.id.label("black"),
            _BLACK_PLAYER.name.label("black_name"),
            publishing.select_publishing(_BLACK_SEAT, _BLACK_PLAYER).label("black_publishes"),
            _BLACK_SEAT.house.label("black_house"),
        ),
        what,
    )
    for what in FileFormat
}
_END_QUERIES = {what: _select_open(select(GameRow.ended_at), what) for what in FileFormat}


def export(server: Server, what: FileFormat, month: Month) -> Iterator[bytes]:
    """Yield a month's published games, earliest first: the same bytes for the same database."""
    if what is FileFormat.RECORDS:
        yield _line({"corr": "open games", "licence": LICENCE})
    asked: dict[str, Any] = {"after": month.first, "after_id": -1, "end": month.end, "most": _BATCH}
    write, is_whole = _WRITERS[what], False
    while not is_whole:
        with server.store.reading() as connection:
            games = rows_of(_OpenGameRow, connection.execute(_GAME_QUERIES[what], asked))
            secret = publishing.load_secret(connection)
            written = [write(connection, server, each, each.names(secret)) for each in games]
        yield from written
        is_whole = len(games) < _BATCH
        if games:
            asked |= {"after": games[-1].ended_at, "after_id": games[-1].id}


def _record(connection: Connection, _server: Server, game: _OpenGameRow, _names: Pair[str]) -> bytes:
    """Return one game for the file of records, without names."""
    return "".join(f"{each}\n" for each in game_records.write_lines(connection, game.id, None)).encode()


def _pgn(connection: Connection, server: Server, game: _OpenGameRow, names: Pair[str]) -> bytes:
    """Return one game for the file of PGN."""
    return f"{_load_public_game(connection, server, game, names).pgn}\n".encode()


def _rbc(connection: Connection, server: Server, game: _OpenGameRow, names: Pair[str]) -> bytes:
    """Return one game for the file of Reconnaissance Blind Chess, as a line of JSON."""
    told = _load_public_game(connection, server, game, names)
    return _line(json_format.history_to_json(told) | {"game": told.finished.game, "licence": LICENCE})


def _load_public_game(
    connection: Connection, server: Server, game: _OpenGameRow, names: Pair[str]
) -> FinishedGame:
    """Read a finished game, with its players' public names and the licence."""
    found = finished.load_game(connection, game.id, server.domain)
    return replace(found, finished=replace(found.finished, players=names, licence=LICENCE))


def _line(value: dict[str, Any]) -> bytes:
    """Write a value as one line of JSON."""
    return f"{to_canonical_json(value)}\n".encode()


_WRITERS: dict[FileFormat, Callable[[Connection, Server, _OpenGameRow, Pair[str]], bytes]] = {
    FileFormat.RECORDS: _record,
    FileFormat.PGN: _pgn,
    FileFormat.RBC: _rbc,
}


class ListedMonth(NamedTuple):
    month: Month
    kinds: tuple[FileFormat, ...]
    goes_on: bool


def list_months(server: Server) -> list[ListedMonth]:
    """List the months in which published games ended, the newest first."""
    found, span, now = list[ListedMonth](), ALL_TIME, server.now()
    with server.store.reading() as connection:
        while first := _first_end(connection, FileFormat.PGN, span):
            month = _month(first.year, first.month)
            kinds = tuple(each for each in FileFormat if _first_end(connection, each, month))
            found.append(ListedMonth(month, kinds, month.end > now))
            span = replace(ALL_TIME, first=month.end)
    return found[::-1]


def _first_end(connection: Connection, what: FileFormat, span: Month) -> datetime | None:
    """Return when the first published game in a span ended; None if there is none."""
    asked = {"after": span.first, "after_id": -1, "end": span.end, "most": 1}
    first: datetime | None = connection.execute(_END_QUERIES[what], asked).scalar_one_or_none()
    return first
