"""Calls a player's webhooks and devices when it is their turn, and retries calls that fail."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlsplit

from sqlalchemy import Connection, Delete, Update, bindparam, delete, func, or_, select, update

from corr import limits
from corr.calls.client import Outcome
from corr.calls.payloads import WRITTEN, Call, Turn, signed
from corr.device import Fate, Push
from corr.game.state import awaited
from corr.service import catalogue
from corr.service.house import House
from corr.service.players import feed_keys, mailboxes, notifications, push_queue, time_zones
from corr.store.leases import NOW
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import CallRow, Game, Moment, Player, SeatRow, Subscription, Way
from corr.words.board import Side

log = logging.getLogger(__name__)

_MINUTE = timedelta(minutes=1)
#: How long after each try the next one comes. The first try only sets when the call is due.
_LATER = (_MINUTE, 5 * _MINUTE, 20 * _MINUTE, 60 * _MINUTE, 120 * _MINUTE)


class _Call(NamedTuple):
    id: int
    way_id: int | None
    device_id: int | None
    seat_id: int | None
    ply: int | None
    made_at: datetime
    due_at: datetime
    tries: int
    url: str | None

    @property
    def host(self) -> str | None:
        return urlsplit(self.url).hostname if self.url else None


class _Way(NamedTuple):
    player_id: int
    name: str
    url: str
    sealed: bytes
    failing_from: datetime | None


class _Seat(NamedTuple):
    player_id: int
    zone: str
    code: str
    variant: str
    state: str
    ply: int
    turn: str | None
    side: str
    deadline: datetime | None
    earliest: datetime | None


_IS_FREE = or_(CallRow.leased_until.is_(None), CallRow.leased_until < NOW)
_IS_DUE = (CallRow.due_at <= NOW) & _IS_FREE
_DUE = (
    select(
        CallRow.id,
        CallRow.way_id,
        CallRow.device_id,
        CallRow.seat_id,
        CallRow.ply,
        CallRow.made_at,
        CallRow.due_at,
        CallRow.tries,
        func.coalesce(Way.url, Subscription.endpoint).label("url"),
    )
    .outerjoin(Way, Way.id == CallRow.way_id)
    .outerjoin(Subscription, Subscription.id == CallRow.device_id)
    .where(_IS_DUE)
    .order_by(CallRow.due_at)
)
_TAKE = (
    update(CallRow)
    .where(CallRow.id == bindparam("call"), _IS_DUE)
    .values(leased_until=bindparam("until", type_=Moment), tries=CallRow.tries + 1)
)
_WAY = select(Way.player_id, Way.name, Way.url, Way.sealed, Way.failing_from).where(
    Way.id == bindparam("way")
)
_SEAT = (
    select(
        SeatRow.player_id,
        Player.zone,
        Game.code,
        Game.variant,
        Game.state,
        Game.ply,
        Game.turn,
        SeatRow.side,
        Game.deadline,
        Game.earliest,
    )
    .join(Game, Game.id == SeatRow.game_id)
    .join(Player, Player.id == SeatRow.player_id)
    .where(SeatRow.id == bindparam("seat"))
)


class Caller:
    """Makes due calls in threads, one per host, so a slow host delays no other."""

    def __init__(self, house: House) -> None:
        self._house, self._lock, self._hosts = house, threading.Lock(), set[str | None]()

    def call_some(self, stint: float, wake: Callable[[], object]) -> int:
        """Make calls for `stint` seconds, and `wake` other threads for more; return how many."""
        until, made = time.monotonic() + stint, 0
        while time.monotonic() < until:
            if (call := self._take()) is None:
                return made
            wake()
            try:
                _make(self._house, call)
            except Exception:
                log.exception("could not call a web address", extra={"call": call.id})
            finally:
                self._hosts.discard(call.host)
            made += 1
        wake()
        return made

    def _take(self) -> _Call | None:
        """Claim, under a lease, the oldest call to a host that no thread is calling."""
        now = self._house.now()
        with self._lock, self._house.store.writing() as connection:
            for call in rows_of(_Call, connection.execute(_DUE, {"now": now})):
                taking = {"call": call.id, "now": now, "until": now + self._house.lease}
                if call.host not in self._hosts and connection.execute(_TAKE, taking).rowcount:
                    self._hosts.add(call.host)
                    return call
        return None


def _make(house: House, call: _Call) -> None:
    """Make a call, no sooner than an email would go, and only during its turn."""
    now = house.now()
    if now - call.made_at > _life(call):
        _forget(house, call)
    elif call.tries == 0:
        with house.store.writing() as connection:
            connection.execute(
                _set(call).values(leased_until=None, due_at=house.pace.moment(call.due_at, now))
            )
    elif call.device_id is None:
        _call_a_place(house, call, now)
    else:
        _tell_a_device(house, call, call.device_id)


def _life(call: _Call) -> timedelta:
    return limits.TEST_LIFE if call.seat_id is None else limits.CALL_LIFE


# ---------------------------------------------------------------- web addresses


def _call_a_place(house: House, call: _Call, now: datetime) -> None:
    with house.store.reading() as connection:
        way = one_or_none_of(_Way, connection.execute(_WAY, {"way": call.way_id}))
        turn = _turn(connection, house, call)
        key = feed_keys.unseal(connection, way.sealed) if way else ""
    if way is None or turn is None:
        _forget(house, call)
        return
    said = signed(WRITTEN[way.name](turn), key, int(now.timestamp()))
    _note(house, call, way, house.wire.call(way.url, said).trouble)


def _turn(connection: Connection, house: House, call: _Call) -> Turn | None:
    """Return what to send, or None if the turn is over."""
    if call.seat_id is None:
        return Turn("", "", None, "", _page(house))
    seat = _awaited(connection, call)
    if seat is None:
        return None
    deadline = _deadline(seat)
    return Turn(
        seat.code,
        catalogue.card(seat.variant).name,
        deadline.isoformat() if deadline else None,
        _until(seat),
        f"{house.web_url}/games/{seat.code}",
    )


def _awaited(connection: Connection, call: _Call) -> _Seat | None:
    """Return the seat that a call is about, if it is still that turn."""
    seat = one_or_none_of(_Seat, connection.execute(_SEAT, {"seat": call.seat_id}))
    if seat is None or seat.ply != call.ply or Side(seat.side) not in awaited(seat.state, seat.turn):
        return None
    return seat


def _deadline(seat: _Seat) -> datetime | None:
    """Return the deadline, if the player was told in time that the clock runs."""
    return seat.deadline if seat.earliest is None else None


def _until(seat: _Seat) -> str:
    deadline = _deadline(seat)
    return time_zones.worded(deadline, seat.zone) if deadline else ""


def _note(house: House, call: _Call, way: _Way, trouble: str) -> None:
    """Record a call's result, and drop a webhook whose calls have failed for days."""
    now = house.now()
    failing_from = (way.failing_from or now) if trouble else None
    with house.store.writing() as connection:
        if trouble and call.seat_id is not None:
            _try_later(connection, call, now)
        else:
            connection.execute(_done(call))
        connection.execute(
            update(Way)
            .where(Way.id == call.way_id)
            .values(called_at=now, trouble=trouble or None, failing_from=failing_from)
        )
        if call.way_id and failing_from and now - failing_from >= limits.CALLS_FAILING:
            notifications.drop(connection, way.player_id, call.way_id)
            reader = mailboxes.of_player(connection, way.player_id)
            told = {"url": way.url, "trouble": trouble, "settings": _page(house)}
            mailboxes.write(connection, reader, "uncalled", now, **told)


# ---------------------------------------------------------------- devices


def _tell_a_device(house: House, call: _Call, device: int) -> None:
    """Notify a device of its own player's turn, and of no other player's."""
    with house.store.reading() as connection:
        push = _push(connection, house, call, device)
    outcome = house.wire.call(push.url, Call(push.body, push.headers)) if push else None
    if outcome:
        push_queue.note(house, device, _fate(outcome), house.now())
    with house.store.writing() as connection:
        if outcome and outcome.trouble and not outcome.is_gone and call.seat_id is not None:
            _try_later(connection, call, house.now())
        else:
            connection.execute(_done(call))


def _push(connection: Connection, house: House, call: _Call, device: int) -> Push | None:
    if call.seat_id is None:
        return push_queue.push_to(connection, house, device, push_queue.test(), _life(call))
    seat = _awaited(connection, call)
    if seat is None:
        return None
    told = push_queue.turn(seat.code, catalogue.card(seat.variant).name, _until(seat))
    return push_queue.push_to(connection, house, device, told, _life(call), seat.player_id)


def _fate(outcome: Outcome) -> Fate:
    if outcome.is_gone:
        return Fate.GONE
    return Fate.FAILED if outcome.trouble else Fate.TAKEN


# ---------------------------------------------------------------- results of a call


def _try_later(connection: Connection, call: _Call, now: datetime) -> None:
    later = _LATER[min(call.tries, len(_LATER)) - 1]
    connection.execute(_set(call).values(leased_until=None, due_at=now + later))


def _page(house: House) -> str:
    return f"{house.web_url}/settings/calls/"


def _set(call: _Call) -> Update:
    return update(CallRow).where(CallRow.id == call.id)


def _done(call: _Call) -> Delete:
    return delete(CallRow).where(CallRow.id == call.id)


def _forget(house: House, call: _Call) -> None:
    with house.store.writing() as connection:
        connection.execute(_done(call))
