"""A house player is woken, hears what its seat was handed, and writes what it would write by its page."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select, update

from corr.bots.character import CHARACTERS
from corr.bots.player import Player
from corr.desk.house import House
from corr.desk.people import programs
from corr.desk.table import history, page
from corr.desk.table.page import PageText
from corr.programs import thoughts
from corr.programs.lived import lived
from corr.rules.variants import umpire_of
from corr.store import tables
from corr.store.rows import one_or_none_of
from corr.store.tables import Game, Moment, SeatRow
from corr.words.board import Side
from corr.words.view import Stage

log = logging.getLogger(__name__)

_ALL = -1_000_000
_THINKS = SeatRow.thinks_at.is_not(None)
_DUE = (
    select(SeatRow.id, SeatRow.thinks_at)
    .where(SeatRow.thinks_at <= bindparam("until", type_=Moment))
    .order_by(SeatRow.thinks_at)
    .limit(1)
)
_WAITS = select(SeatRow.id).where(_THINKS).limit(1)
_TAKE = (
    update(SeatRow)
    .where(SeatRow.id == bindparam("seat"), SeatRow.thinks_at == bindparam("since", type_=Moment))
    .values(thinks_at=bindparam("then", type_=Moment))
)
_AT = (
    select(
        SeatRow.id,
        SeatRow.side,
        SeatRow.slips,
        SeatRow.steps,
        SeatRow.answers,
        SeatRow.key,
        tables.Player.name,
        Game.variant,
        Game.state,
        Game.turn,
        Game.offer,
        Game.again,
    )
    .join(Game, Game.id == SeatRow.game_id)
    .join(tables.Player, tables.Player.id == SeatRow.player_id)
    .where(SeatRow.id == bindparam("seat"))
)


class _Due(NamedTuple):
    id: int
    thinks_at: datetime | None


class _Seat(NamedTuple):
    id: int
    side: str
    slips: int
    steps: int
    answers: int
    key: bytes
    name: str
    variant: str
    state: str
    turn: str | None
    offer: str | None
    again: str | None

    @property
    def stamp(self) -> str:
        return f"{self.slips}-{self.steps}-{self.answers}"

    @property
    def is_awaited(self) -> bool:
        is_deploying = self.state == Stage.DEPLOYING and self.turn is None
        return is_deploying or self.turn == self.side

    @property
    def seed(self) -> int:
        """What nobody knows who might reckon what it is going to do."""
        return int.from_bytes(self.key[:8], "big")


def waits(house: House) -> bool:
    """Whether anybody has something to think over, now or after a pause."""
    with house.store.asking() as connection:
        return connection.execute(_WAITS).scalars().first() is not None


def think_some(house: House, stint: float, written: Callable[[], object]) -> int:
    """Let house players think whose pause is over, one after another for so many seconds; how many did.

    `written` is called after each that has written something.
    """
    until, thought = time.monotonic() + stint, 0
    while time.monotonic() < until and (due := _take(house)) is not None:
        if _think(house, due):
            written()
        thought += 1
    return thought


def _take(house: House) -> _Due | None:
    """The one that waits longest, for so long as a lease: who is ended in the middle is woken again after it."""
    now = house.now()
    with house.store.writing() as connection:
        due = one_or_none_of(_Due, connection.execute(_DUE, {"until": now - house.pause}))
        if due is None:
            return None
        then = now + house.lease
        taken = {"seat": due.id, "since": due.thinks_at, "then": then}
        return _Due(due.id, then) if connection.execute(_TAKE, taken).rowcount else None


def _think(house: House, due: _Due) -> bool:
    """Whether it has written something. Who breaks over a thought begins from the first slip once more."""
    try:
        with house.store.reading() as connection:
            seat = one_or_none_of(_Seat, connection.execute(_AT, {"seat": due.id}))
            assert seat
            lately = history.kept(connection, seat.id, Side(seat.side), _ALL)
            thought = thoughts.of_seat(connection, seat.id)
        player = _player(seat)
        player.take_up(thought, lived(lately))
        text = _text(seat, player)
    except Exception:
        log.exception("a house player broke over its thought", extra={"seat": due.id})
        with house.store.writing() as connection:
            thoughts.forget(connection, due.id)
        return False
    if text:
        page.write(house, seat.id, PageText(text, seat.stamp), house.now())
    with house.store.writing() as connection:
        _keep(connection, seat, player)
        connection.execute(_TAKE, {"seat": due.id, "since": due.thinks_at, "then": None})
    return bool(text)


def _player(seat: _Seat) -> Player:
    program = programs.named(seat.name)
    assert program
    return Player(umpire_of(seat.variant), CHARACTERS[program.character], seat.seed)


def _keep(connection: Connection, seat: _Seat, player: Player) -> None:
    if seat.state == Stage.OVER:
        thoughts.forget(connection, seat.id)
    else:
        thoughts.keep(connection, seat.id, player.thought)


def _text(seat: _Seat, player: Player) -> str:
    """What it writes: another game where it is asked for one, an answer to a draw that is offered, its orders."""
    other = Side(seat.side).other
    if seat.state == Stage.OVER:
        return "again" if seat.again == other else ""
    return "\n".join(map(str, player.orders(is_awaited=seat.is_awaited, is_offered=seat.offer == other)))
