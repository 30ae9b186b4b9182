"""Wakes a bot to read what its seat received, and sends its orders after a pause."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, Text, bindparam, cast, select, update
from sqlalchemy.exc import OperationalError

from corr.bot_runner import bot_memory
from corr.bot_runner.bot_memory import SavedBelief, read_observations
from corr.bots.character import CHARACTERS
from corr.bots.player import BotPlayer
from corr.rules.variants import find_umpire
from corr.service.games import history
from corr.service.games.answers import PageText, queue_text
from corr.service.players import house_bots
from corr.service.server import Server
from corr.store import tables
from corr.store.rows import one_or_none_of
from corr.store.tables import GameRow, Moment, SeatRow, ThoughtRow
from corr.words.board import Side
from corr.words.slips import newest_setup_index
from corr.words.view import Stage

log = logging.getLogger(__name__)

_ALL = -1_000_000
_HAS_THINK_TIME = SeatRow.thinks_at.is_not(None)
#: Of the span between two moments for answers: the part a thought counts as, and the part after which it is cut
#: short.
_THOUGHT, _HURRY = 1 / 2, 1 / 4


def _due(is_this: ColumnElement[bool]) -> Select[int, datetime | None]:
    return (
        select(SeatRow.id, SeatRow.thinks_at)
        .where(SeatRow.thinks_at <= bindparam("until", type_=Moment), is_this)
        .order_by(SeatRow.thinks_at)
        .limit(1)
    )


_STAMP = cast(SeatRow.slips, Text) + "-" + cast(SeatRow.steps, Text) + "-" + cast(SeatRow.answers, Text)
#: Whether the bot has thought about all it received, and only has to write.
_IS_READY = (
    select(ThoughtRow.seat_id)
    .where(ThoughtRow.seat_id == SeatRow.id, ThoughtRow.text != "", ThoughtRow.stamp == _STAMP)
    .correlate(SeatRow)
    .exists()
)
_THINK_QUERY, _WRITE_QUERY = _due(~_IS_READY), _due(_IS_READY)
_WAITING_QUERY = select(SeatRow.id).where(_HAS_THINK_TIME).limit(1)
_SET = (
    update(SeatRow)
    .where(SeatRow.id == bindparam("seat"), SeatRow.thinks_at == bindparam("since", type_=Moment))
    .values(thinks_at=bindparam("then", type_=Moment))
)
_SEAT_QUERY = (
    select(
        SeatRow.id,
        SeatRow.side,
        SeatRow.slips,
        SeatRow.steps,
        SeatRow.answers,
        SeatRow.key,
        tables.PlayerRow.name,
        GameRow.variant,
        GameRow.state,
        GameRow.turn,
        GameRow.offer,
        GameRow.again,
        GameRow.lesson,
    )
    .join(GameRow, GameRow.id == SeatRow.game_id)
    .join(tables.PlayerRow, tables.PlayerRow.id == SeatRow.player_id)
    .where(SeatRow.id == bindparam("seat"))
)


class _Due(NamedTuple):
    id: int
    thinks_at: datetime | None


class _LeasedSeat(NamedTuple):
    """A seat taken for a lease, and since when it was due."""

    id: int
    due_at: datetime
    at: datetime
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
        """A secret seed, so that nobody can compute what the bot is going to do."""
        return int.from_bytes(self.key[:8], "big")


def has_waiting_bot(server: Server) -> bool:
    with server.store.asking() as connection:
        return connection.execute(_WAITING_QUERY).scalars().first() is not None


def think_for_bots(server: Server, stint: float, wake: Callable[[float], object]) -> int:
    """Let bots think about what they received; return how many have something to write.

    Bots think one after another for this many seconds. For each one that will write, `wake` a worker for that
    moment.
    """
    until, texts = time.monotonic() + stint, 0
    while time.monotonic() < until and (taken := _take(server, _THINK_QUERY)) is not None:
        moment = _think(server, taken)
        if moment is not None:
            wake((moment - server.now()).total_seconds())
            texts += 1
    return texts


def write_for_bots(server: Server) -> int:
    """Write for the bots whose pause is over; return how many wrote.

    This waits for no thought, or the moment of one answer would reveal how long another bot thinks.
    """
    texts = 0
    while (taken := _take(server, _WRITE_QUERY)) is not None:
        seat, kept = _load_seat(server, taken)
        if kept is not None and kept.text and kept.stamp == seat.stamp:
            texts += _write(server, taken, seat, kept.text)
        else:
            with server.store.writing() as connection:
                _leave(connection, taken, taken.due_at)
    return texts


def _load_seat(server: Server, taken: _LeasedSeat) -> tuple[_Seat, SavedBelief | None]:
    with server.store.reading() as connection:
        seat = one_or_none_of(_Seat, connection.execute(_SEAT_QUERY, {"seat": taken.id}))
        assert seat
        return seat, bot_memory.load_belief(connection, taken.id)


def _take(server: Server, which: Select[int, datetime | None]) -> _LeasedSeat | None:
    """Take the longest waiting seat for one lease; a worker that dies meanwhile is replaced after it."""
    now = server.now()
    with server.store.writing() as connection:
        due = one_or_none_of(_Due, connection.execute(which, {"until": now}))
        if due is None or due.thinks_at is None:
            return None
        taken = _LeasedSeat(due.id, due.thinks_at, now, now + server.lease)
        values = {"seat": due.id, "since": due.thinks_at, "then": taken.leased_until}
        return taken if connection.execute(_SET, values).rowcount else None


def _leave(connection: Connection, taken: _LeasedSeat, then: datetime | None) -> None:
    """Release a seat until a moment; if it received something meanwhile, it is due from then."""
    connection.execute(_SET, {"seat": taken.id, "since": taken.leased_until, "then": then})


def _think(server: Server, taken: _LeasedSeat) -> datetime | None:
    """Save what a bot will write and when; after an error, it starts over from the first slip."""
    seat, kept = _load_seat(server, taken)
    try:
        player = _player(server, seat)
        with server.store.reading() as connection:
            heard = read_observations(history.load_history(connection, seat.id, Side(seat.side), _ALL))
        if seat.lesson is not None:  # in earlier lessons the tutor plays nothing
            heard = heard[newest_setup_index(each.slip for each in heard) :]
        player.take_up(bot_memory.unpack(kept), heard)
        text = _text(seat, player)
    except Exception:
        log.exception("a bot failed to choose a move; it will start over", extra={"seat": seat.id})
        with server.store.writing() as connection:
            bot_memory.forget(connection, seat.id)
        return None
    moment = _moment(server, taken, seat) if text else None
    with server.store.writing() as connection:
        if seat.state == Stage.OVER and not text:
            bot_memory.forget(connection, seat.id)
        else:
            bot_memory.save_belief(connection, seat.id, player.thought, PageText(text, seat.stamp))
        _leave(connection, taken, moment)
    return moment


def _write(server: Server, taken: _LeasedSeat, seat: _Seat, text: str) -> bool:
    """Write a bot's orders; a failure is retried after the lease, and delays no email."""
    try:
        queue_text(server, seat.id, PageText(text, seat.stamp), server.now())
        with server.store.writing() as connection:
            if seat.state == Stage.OVER:
                bot_memory.forget(connection, seat.id)
            _leave(connection, taken, None)
    except OperationalError:
        raise
    except Exception:
        log.exception("could not send a bot's orders; will try again", extra={"seat": seat.id})
        return False
    return True


def _player(server: Server, seat: _Seat) -> BotPlayer:
    span = server.bot_pace.span
    until = time.monotonic() + span * _HURRY
    character = CHARACTERS[house_bots.character_of(seat.name)]
    return BotPlayer(
        find_umpire(seat.variant), character, seat.seed, lambda: span > 0 and time.monotonic() > until
    )


def _moment(server: Server, taken: _LeasedSeat, seat: _Seat) -> datetime:
    """Return when the bot writes: after its pause, or at once in a lesson.

    All thoughts count as equally long, so that the moment reveals nothing about the bot's beliefs.
    """
    now = server.now()
    if seat.lesson is not None:
        return now
    ready = max(now, taken.at + timedelta(seconds=server.bot_pace.span * _THOUGHT))
    return server.bot_pace.moment(taken.due_at, ready)


def _text(seat: _Seat, player: BotPlayer) -> str:
    """Return what the bot writes: a new game if asked, an answer to a draw offer, or its orders."""
    other = Side(seat.side).other
    if seat.state == Stage.OVER:
        return "again" if seat.again == other else ""
    return "\n".join(map(str, player.orders(is_awaited=seat.is_awaited, is_offered=seat.offer == other)))
