"""Logs what the tables show of a server at work, as it happens."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, TypeAlias

from sqlalchemy import Connection, Select, bindparam, exists, select

from bench.driver import Diary
from corr.service.server import Server
from corr.store.tables import GameRow, InboxRow, OrderRow, OutboxRow, PlayerRow, QuotableRow, SeatRow

#: What keeps a simulated fault from whoever only looks.
Undisturbed: TypeAlias = Callable[[], AbstractContextManager[None]]
Table = type[InboxRow] | type[OrderRow] | type[OutboxRow] | type[SeatRow] | type[GameRow] | type[PlayerRow]


def _newer(table: Table, *names: str) -> Select[Any]:
    columns = (getattr(table, name) for name in names)
    return select(table.id, *columns).where(table.id > bindparam("last")).order_by(table.id)


def _those(table: Table, *names: str) -> Select[Any]:
    columns = (getattr(table, name) for name in names)
    return select(table.id, *columns).where(table.id.in_(bindparam("ids", expanding=True)))


_TAKEN_IN = _newer(InboxRow, "seat_id", "message_key", "received_at", "page")
_WRITTEN = _newer(OutboxRow, "seat_id", "number", "kind", "made_at")
_ORDERED = _newer(OrderRow, "seat_id", "inbox_id", "ply", "text", "verdict", "at")
_SEATS = _newer(SeatRow, "game_id", "side", "player_id", "code")
_READ = _those(InboxRow, "seat_id", "reading", "read_at").where(InboxRow.read_at.is_not(None))
_GAMES = _those(GameRow, "state", "reason", "ended_at", "paused_at")
_HOURS = ("zone", "weekends", "vacations", "remind", "quiet", "goes_on_leave", "mailing")
_PLAYERS = _those(PlayerRow, "address", *_HOURS)
#: Emails that count as sent but have no stored words, such as those left out.
_SPARED = select(OutboxRow.seat_id, OutboxRow.number).where(
    OutboxRow.sent_at.is_not(None),
    ~exists(select(QuotableRow.letter_id).where(QuotableRow.letter_id == OutboxRow.id)),
)
_GIVEN_UP = select(OutboxRow.seat_id, OutboxRow.number).where(OutboxRow.dead_at.is_not(None))


class Witness:
    """Logs each change once."""

    def __init__(self, server: Server, diary: Diary, undisturbed: Undisturbed) -> None:
        self._store, self._diary, self._undisturbed = server.store, diary, undisturbed
        self.seats: dict[int, Any] = {}
        self.seat_of_code: dict[str, Any] = {}
        self.over: dict[int, str] = {}
        self.moves: list[tuple[int, int, str]] = []  # game, ply and move, since somebody took them
        self._last: dict[Table, int] = {InboxRow: 0, OrderRow: 0, OutboxRow: 0}
        self.has_news = False  # since somebody has asked
        self._letters: set[tuple[int, int]] = set()
        self._spared: set[tuple[int, int]] = set()
        self._unread: set[int] = set()
        self._begun: set[int] = set()
        self._paused: set[int] = set()
        self._hours: dict[int, Any] = {}

    def look(self, name: str = "", says: str = "") -> None:
        """Note what is new; `name` is what a player calls what was just taken in, and `says` what it says."""
        with self._undisturbed(), self._store.reading() as connection:
            self._meet(connection)
            seats = self._see_what_came(connection, name, says)
            letters = self._new(connection, OutboxRow, _WRITTEN)
            seats |= {letter.seat_id for letter in letters}
            self._see_hours(connection, seats)
            self._see_games(connection, {self.seats[seat].game_id for seat in seats})
            spared = {(row.seat_id, row.number) for row in connection.execute(_SPARED)}
        for letter in letters:
            self._letters.add((letter.seat_id, letter.number))
            self._note("wrote", letter.seat_id, number=letter.number, kind=letter.kind, made=letter.made_at)
        for seat_id, number in spared - self._spared:
            self._note("spared", seat_id, number=number)
        self._spared |= spared

    def has_seen(self, code: str, number: int) -> bool:
        """Whether it was noted that an email to a seat was written."""
        seat = self.seat_of_code.get(code)
        return seat is not None and (seat.id, number) in self._letters

    def _note(self, what: str, seat_id: int, **fields: object) -> None:
        seat = self.seats[seat_id]
        self._diary.note(what, game=seat.game_id, side=seat.side, **fields)

    def _new(self, connection: Connection, table: Table, question: Select[Any]) -> list[Any]:
        rows = list(connection.execute(question, {"last": self._last[table]}))
        self.has_news |= bool(rows)
        self._last[table] = rows[-1].id if rows else self._last[table]
        return rows

    def _meet(self, connection: Connection) -> None:
        for seat in connection.execute(_SEATS, {"last": max(self.seats, default=0)}):
            self.seats[seat.id] = self.seat_of_code[seat.code] = seat

    def _see_what_came(self, connection: Connection, name: str, says: str) -> set[int]:
        """The seats with something received or read."""
        came = self._new(connection, InboxRow, _TAKEN_IN)
        for row in came:
            self._unread.add(row.id)
            told = {"row": row.id, "name": name, "says": says, "received": row.received_at, "page": row.page}
            self._note("row", row.seat_id, **told)
        seats = {row.seat_id for row in came}
        if self._unread:
            read = connection.execute(_READ, {"ids": list(self._unread)}).all()
            for row in read:
                self._unread.discard(row.id)
                seats.add(row.seat_id)
                self._diary.note("judged", row=row.id, reading=row.reading, read=row.read_at)
        return seats

    def _see_orders(self, connection: Connection) -> None:
        for row in self._new(connection, OrderRow, _ORDERED):
            if row.verdict == "moved":
                self._note("moved", row.seat_id, row=row.inbox_id, ply=row.ply, order=row.text, time=row.at)
                self.moves.append((self.seats[row.seat_id].game_id, row.ply, row.text))

    def _see_games(self, connection: Connection, games: set[int]) -> None:
        """Log the beginnings of games before their moves, and the ends after them."""
        rows = connection.execute(_GAMES, {"ids": list(games - self.over.keys())}).all()
        for game in rows:
            if game.state == "running" and game.id not in self._begun:
                self._begun.add(game.id)
                self._diary.note("begun", game=game.id)
        self._see_orders(connection)
        for game in rows:
            if (game.paused_at is not None) != (game.id in self._paused):
                self._paused ^= {game.id}
                what = "paused" if game.id in self._paused else "resumed"
                self._diary.note(what, game=game.id)
            if game.state == "over":
                self.over[game.id] = game.reason
                self._diary.note("over", game=game.id, reason=game.reason, time=game.ended_at)

    def _see_hours(self, connection: Connection, seats: set[int]) -> None:
        players = {self.seats[seat].player_id for seat in seats}
        for row in connection.execute(_PLAYERS, {"ids": list(players)}) if players else ():
            if self._hours.get(row.id) != row:
                self._hours[row.id], self.has_news = row, True
                self._diary.note("hours", **{**row._mapping, "player": row.address})

    def look_at_what_was_given_up(self) -> None:
        """Log emails that didn't arrive because a mailbox was unknown or unreachable for too long."""
        with self._undisturbed(), self._store.reading() as connection:
            for letter in connection.execute(_GIVEN_UP):
                self._note("given up", letter.seat_id, number=letter.number)
