"""A house player is woken, hears what its seat was handed, and after a pause writes by its page."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select, update

from corr.bots.character import CHARACTERS
from corr.bots.heard import Heard
from corr.bots.player import Player
from corr.desk.house import House
from corr.desk.people import programs
from corr.desk.table import history, page
from corr.desk.table.page import PageText
from corr.programs import thoughts
from corr.programs.lived import lived
from corr.programs.thoughts import Kept
from corr.rules.variants import umpire_of
from corr.store import tables
from corr.store.rows import one_or_none_of
from corr.store.tables import Game, Moment, SeatRow
from corr.words.board import Side
from corr.words.slips import newest_set_up
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
_SET = (
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
        Game.lesson,
    )
    .join(Game, Game.id == SeatRow.game_id)
    .join(tables.Player, tables.Player.id == SeatRow.player_id)
    .where(SeatRow.id == bindparam("seat"))
)


class _Due(NamedTuple):
    id: int
    thinks_at: datetime | None


class _Taken(NamedTuple):
    """A seat that was taken for the time of a lease, and since when it was due."""

    id: int
    due_at: datetime
    leased_until: datetime


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
    lesson: int | None

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
    """Let house players think who were handed something, and write whose pause is over; how many have written.

    One after another for so many seconds; `written` is called after each that has written something.
    """
    until, texts = time.monotonic() + stint, 0
    while time.monotonic() < until and (taken := _take(house)) is not None:
        with house.store.reading() as connection:
            seat = one_or_none_of(_Seat, connection.execute(_AT, {"seat": taken.id}))
            kept = thoughts.of_seat(connection, taken.id)
        assert seat
        if kept is not None and kept.text and kept.stamp == seat.stamp:
            _write(house, taken, seat, kept.text)
            written()
            texts += 1
        else:
            _think(house, taken, seat, kept)
    return texts


def _take(house: House) -> _Taken | None:
    """The one that waits longest, for so long as a lease: who is ended in the middle is woken again after it."""
    now = house.now()
    with house.store.writing() as connection:
        due = one_or_none_of(_Due, connection.execute(_DUE, {"until": now}))
        if due is None or due.thinks_at is None:
            return None
        taken = _Taken(due.id, due.thinks_at, now + house.lease)
        values = {"seat": due.id, "since": due.thinks_at, "then": taken.leased_until}
        return taken if connection.execute(_SET, values).rowcount else None


def _leave(connection: Connection, taken: _Taken, then: datetime | None) -> None:
    """Until then; if it was handed something in between, it is due since that."""
    connection.execute(_SET, {"seat": taken.id, "since": taken.leased_until, "then": then})


def _think(house: House, taken: _Taken, seat: _Seat, kept: Kept | None) -> None:
    """Keep what it is going to write. Who breaks over a thought begins from the first slip once more."""
    try:
        player = _player(seat)
        with house.store.reading() as connection:
            heard = lived(history.kept(connection, seat.id, Side(seat.side), _ALL))
        player.take_up(thoughts.unpack(kept), heard if seat.lesson is None else _since_set_up(heard))
        text = _text(seat, player)
    except Exception:
        log.exception("a house player broke over its thought", extra={"seat": seat.id})
        with house.store.writing() as connection:
            thoughts.forget(connection, seat.id)
        return
    moment = _moment(house, taken, seat) if text else None
    with house.store.writing() as connection:
        _keep(connection, seat, player, text)
        _leave(connection, taken, moment)


def _write(house: House, taken: _Taken, seat: _Seat, text: str) -> None:
    page.write(house, seat.id, PageText(text, seat.stamp), house.now())
    with house.store.writing() as connection:
        if seat.state == Stage.OVER:
            thoughts.forget(connection, seat.id)
        _leave(connection, taken, None)


def _player(seat: _Seat) -> Player:
    return Player(umpire_of(seat.variant), CHARACTERS[programs.character_of(seat.name)], seat.seed)


def _since_set_up(heard: Sequence[Heard]) -> Sequence[Heard]:
    """What was heard since the men stand for the lesson that goes on; in those before it the tutor plays nothing."""
    return heard[newest_set_up(each.slip for each in heard) :]


def _moment(house: House, taken: _Taken, seat: _Seat) -> datetime:
    """When it writes: after its pause, or at once where a pupil waits."""
    now = house.now()
    return house.pause.moment(taken.due_at, now) if seat.lesson is None else now


def _keep(connection: Connection, seat: _Seat, player: Player, text: str) -> None:
    if seat.state == Stage.OVER and not text:
        thoughts.forget(connection, seat.id)
    else:
        thoughts.keep(connection, seat.id, player.thought, PageText(text, seat.stamp))


def _text(seat: _Seat, player: Player) -> str:
    """What it writes: another game where it is asked for one, an answer to a draw that is offered, its orders."""
    other = Side(seat.side).other
    if seat.state == Stage.OVER:
        return "again" if seat.again == other else ""
    return "\n".join(map(str, player.orders(is_awaited=seat.is_awaited, is_offered=seat.offer == other)))
