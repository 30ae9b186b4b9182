"""Lets bots choose orders in the background, and sends them later; `service/answer_timing.py` says how much later."""

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
from corr.bots.bot import BotPlayer
from corr.bots.characters import CHARACTERS
from corr.rules.variants import find_umpire
from corr.service.games import log_view
from corr.service.games.page_orders import PageText, queue_text
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
#: Parts of the time between two answers: how long each thought counts as taking, and when it is cut short.
_THOUGHT, _HURRY = 1 / 2, 1 / 3


def _due(is_this: ColumnElement[bool]) -> Select[int, datetime | None]:
    """Build a query for the bot's seat that meets a condition, is due by `until` and has waited longest."""
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
        """The counts of what the seat has received, by which outdated orders are recognized."""
        return f"{self.slips}-{self.steps}-{self.answers}"

    @property
    def is_awaited(self) -> bool:
        """Whether the game waits for this bot to move or deploy."""
        is_deploying = self.state == Stage.DEPLOYING and self.turn is None
        return is_deploying or self.turn == self.side

    @property
    def seed(self) -> int:
        """A secret seed for the bot's random choices, so that nobody can predict them."""
        return int.from_bytes(self.key[:8], "big")


def has_waiting_bot(server: Server) -> bool:
    """Tell whether any bot has something to think about or to send."""
    with server.store.asking() as connection:
        return connection.execute(_WAITING_QUERY).scalars().first() is not None


def think_for_bots(server: Server, stint: float, wake: Callable[[float], object]) -> int:
    """Let bots choose orders for `stint` seconds, and `wake` a worker to send them; return how many."""
    until, texts = time.monotonic() + stint, 0
    while time.monotonic() < until and (taken := _take(server, _THINK_QUERY)) is not None:
        moment = _think(server, taken)
        if moment is not None:
            wake((moment - server.now()).total_seconds())
            texts += 1
    return texts


def write_for_bots(server: Server) -> int:
    """Send the orders of bots whose pause is over, even while others think; return how many."""
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
    """Return the state of a bot's seat, and what the bot stored when it last thought."""
    with server.store.reading() as connection:
        seat = one_or_none_of(_Seat, connection.execute(_SEAT_QUERY, {"seat": taken.id}))
        assert seat
        return seat, bot_memory.load_belief(connection, taken.id)


def _take(server: Server, which: Select[int, datetime | None]) -> _LeasedSeat | None:
    """Lease the bot's seat that has waited longest to this worker; None if none waits."""
    now = server.now()
    with server.store.writing() as connection:
        due = one_or_none_of(_Due, connection.execute(which, {"until": now}))
        if due is None or due.thinks_at is None:
            return None
        taken = _LeasedSeat(due.id, due.thinks_at, now, now + server.lease)
        values = {"seat": due.id, "since": due.thinks_at, "then": taken.leased_until}
        return taken if connection.execute(_SET, values).rowcount else None


def _leave(connection: Connection, taken: _LeasedSeat, then: datetime | None) -> None:
    """End a lease and set when the seat is due next, unless news has set it meanwhile."""
    connection.execute(_SET, {"seat": taken.id, "since": taken.leased_until, "then": then})


def _think(server: Server, taken: _LeasedSeat) -> datetime | None:
    """Let a bot choose its orders and store them; return when to send them, or None."""
    seat, kept = _load_seat(server, taken)
    try:
        player = _player(server, seat)
        with server.store.reading() as connection:
            heard = read_observations(log_view.load_history(connection, seat.id, Side(seat.side), _ALL))
        if seat.lesson is not None:  # in earlier lessons the tutor plays nothing
            heard = heard[newest_setup_index(each.slip for each in heard) :]
        player.resume(bot_memory.unpack(kept), heard)
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
    """Send a bot's orders; return False after an error, and retry when the lease ends."""
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
    """Create the bot that thinks for this seat, with a limit on its thinking time."""
    character, span = CHARACTERS[house_bots.character_of(seat.name)], server.bot_pace.span
    until = time.monotonic() + span * _HURRY
    return BotPlayer(
        find_umpire(seat.variant), character, seat.seed, lambda: span > 0 and time.monotonic() > until
    )


def _moment(server: Server, taken: _LeasedSeat, seat: _Seat) -> datetime:
    """Return when to send the bot's orders, which reveals nothing about how long it thought."""
    now = server.now()
    if seat.lesson is not None:
        return now
    ready = max(now, taken.at + timedelta(seconds=server.bot_pace.span * _THOUGHT))
    return server.bot_pace.moment(taken.due_at, ready)


def _text(seat: _Seat, player: BotPlayer) -> str:
    """Return the bot's text: orders, answers to offers of a draw or rematch; empty if none."""
    other = Side(seat.side).other
    if seat.state == Stage.OVER:
        return "again" if seat.again == other else ""
    return "\n".join(map(str, player.orders(is_awaited=seat.is_awaited, is_offered=seat.offer == other)))
