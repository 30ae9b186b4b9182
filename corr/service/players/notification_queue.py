"""Calls a player's webhooks and devices when it is their turn, and retries calls as long as `corr/limits.py` says."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlsplit

from sqlalchemy import Connection, Update, bindparam, delete, func, select, update

from corr import limits
from corr.game.state import awaited_sides
from corr.notifications.calendar_and_feeds import WRITERS, Payload, Turn, sign_call
from corr.service import catalogue
from corr.service.players import mailboxes, notifications, push_subscriptions, times
from corr.service.server import Server
from corr.store.locks import NOW, is_free
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import (
    CallRow,
    GameRow,
    Moment,
    NotificationWayRow,
    PlayerRow,
    PushSubscriptionRow,
    SeatRow,
)
from corr.words.board import Side

log = logging.getLogger(__name__)

_MINUTE = timedelta(minutes=1)
#: How long after each try the next one comes. The first try only sets when the call is due.
_RETRY_DELAYS = (_MINUTE, 5 * _MINUTE, 20 * _MINUTE, 60 * _MINUTE, 120 * _MINUTE)


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


class _WebhookRow(NamedTuple):
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


_IS_DUE = (CallRow.due_at <= NOW) & is_free(CallRow)
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
        func.coalesce(NotificationWayRow.url, PushSubscriptionRow.endpoint).label("url"),
    )
    .outerjoin(NotificationWayRow, NotificationWayRow.id == CallRow.way_id)
    .outerjoin(PushSubscriptionRow, PushSubscriptionRow.id == CallRow.device_id)
    .where(_IS_DUE)
    .order_by(CallRow.due_at)
)
_CLAIM_UPDATE = (
    update(CallRow)
    .where(CallRow.id == bindparam("call"), _IS_DUE)
    .values(leased_until=bindparam("until", type_=Moment), tries=CallRow.tries + 1)
)
_WEBHOOK_QUERY = select(
    NotificationWayRow.player_id,
    NotificationWayRow.name,
    NotificationWayRow.url,
    NotificationWayRow.sealed,
    NotificationWayRow.failing_from,
).where(NotificationWayRow.id == bindparam("way"))
_SEAT = (
    select(
        SeatRow.player_id,
        PlayerRow.zone,
        GameRow.code,
        GameRow.variant,
        GameRow.state,
        GameRow.ply,
        GameRow.turn,
        SeatRow.side,
        GameRow.deadline,
        GameRow.earliest,
    )
    .join(GameRow, GameRow.id == SeatRow.game_id)
    .join(PlayerRow, PlayerRow.id == SeatRow.player_id)
    .where(SeatRow.id == bindparam("seat"))
)


class Caller:
    """Makes due calls in threads, one per host, so a slow host delays no other."""

    def __init__(self, server: Server) -> None:
        self._server, self._lock, self._hosts = server, threading.Lock(), set[str | None]()

    def call_some(self, stint: float, wake: Callable[[], object]) -> int:
        """Make due calls for `stint` seconds; `wake` lets other threads help. Return how many."""
        until, made = time.monotonic() + stint, 0
        while time.monotonic() < until:
            if (call := self._take()) is None:
                return made
            wake()
            try:
                _make(self._server, call)
            except Exception:
                log.exception("could not call a web address", extra={"call": call.id})
            finally:
                self._hosts.discard(call.host)
            made += 1
        wake()
        return made

    def _take(self) -> _Call | None:
        """Claim the oldest due call to a host that no thread is calling; else None."""
        now = self._server.now()
        with self._lock, self._server.store.writing() as connection:
            for call in rows_of(_Call, connection.execute(_DUE, {"now": now})):
                taking = {"call": call.id, "now": now, "until": now + self._server.lease}
                if call.host not in self._hosts and connection.execute(_CLAIM_UPDATE, taking).rowcount:
                    self._hosts.add(call.host)
                    return call
        return None


def _make(server: Server, call: _Call) -> None:
    """Make a claimed call or delete it if too old; the first try schedules it."""
    now = server.now()
    if now - call.made_at > _life(call):
        _delete_call(server, call)
    elif call.tries == 0:
        with server.store.writing() as connection:
            connection.execute(
                _call_update(call).values(leased_until=None, due_at=server.pace.moment(call.due_at, now))
            )
    elif call.device_id is None:
        _call_webhook(server, call, now)
    else:
        _notify_device(server, call, call.device_id)


def _life(call: _Call) -> timedelta:
    """Return how long after its creation a call is still worth making."""
    return limits.TEST_LIFE if call.seat_id is None else limits.WEBHOOK_CALL_LIFE


def _call_webhook(server: Server, call: _Call, now: datetime) -> None:
    """Call a player's webhook with their turn; delete the call if the turn is over."""
    with server.store.reading() as connection:
        way = one_or_none_of(_WebhookRow, connection.execute(_WEBHOOK_QUERY, {"way": call.way_id}))
        found = _turn(connection, server, call)
        key = notifications.unseal_key(connection, way.sealed) if way else ""
    if way is None or found is None:
        _delete_call(server, call)
        return
    said = sign_call(WRITERS[way.name](found[0]), key, int(now.timestamp()))
    _record_result(server, call, way, server.webhook_client.call(way.url, said).trouble)


def _turn(connection: Connection, server: Server, call: _Call) -> tuple[Turn, int | None] | None:
    """Return the turn to announce and its player (None: test call), or None if it is over."""
    if call.seat_id is None:
        return Turn("", "", None, "", _notification_settings_url(server)), None
    seat = one_or_none_of(_Seat, connection.execute(_SEAT, {"seat": call.seat_id}))
    if seat is None or seat.ply != call.ply or Side(seat.side) not in awaited_sides(seat.state, seat.turn):
        return None
    # A deadline that may still move, because a side was told late of its turn, is not given.
    deadline = seat.deadline if seat.earliest is None else None
    turn = Turn(
        seat.code,
        catalogue.card(seat.variant).name,
        deadline.isoformat() if deadline else None,
        times.word_moment(deadline, seat.zone) if deadline else "",
        f"{server.web_url}/games/{seat.code}",
    )
    return turn, seat.player_id


def _record_result(server: Server, call: _Call, way: _WebhookRow, trouble: str) -> None:
    """Record a call's result, and drop a webhook whose calls have failed for days."""
    now = server.now()
    failing_from = (way.failing_from or now) if trouble else None
    with server.store.writing() as connection:
        _retry_or_delete(connection, call, now, fails=bool(trouble))
        connection.execute(
            update(NotificationWayRow)
            .where(NotificationWayRow.id == call.way_id)
            .values(called_at=now, trouble=trouble or None, failing_from=failing_from)
        )
        if call.way_id and failing_from and now - failing_from >= limits.WEBHOOK_FAILING_LIFE:
            notifications.drop(connection, way.player_id, call.way_id)
            reader = mailboxes.load_main_mailbox(connection, way.player_id)
            told = {"url": way.url, "trouble": trouble, "settings": _notification_settings_url(server)}
            mailboxes.write(connection, reader, "uncalled", now, **told)


def _notify_device(server: Server, call: _Call, device: int) -> None:
    """Send a turn's notification to a device, unless the device is another player's now."""
    with server.store.reading() as connection:
        found, push = _turn(connection, server, call), None
        if found:
            turn, player = found
            is_test = call.seat_id is None
            told = (
                push_subscriptions.word_test()
                if is_test
                else push_subscriptions.word_turn(turn.game, turn.variant, turn.until)
            )
            push = push_subscriptions.make_push(connection, server, device, told, _life(call), player)
    if push is None:
        _delete_call(server, call)
        return
    result, now = server.webhook_client.call(push.url, Payload(push.body, push.headers)), server.now()
    with server.store.writing() as connection:
        push_subscriptions.record_result(connection, device, result, now)
        _retry_or_delete(connection, call, now, fails=bool(result.trouble) and not result.is_gone)


def _retry_or_delete(connection: Connection, call: _Call, now: datetime, *, fails: bool) -> None:
    """Reschedule a failed call; delete it if it succeeded or was only a test."""
    if fails and call.seat_id is not None:
        later = _RETRY_DELAYS[min(call.tries, len(_RETRY_DELAYS)) - 1]
        connection.execute(_call_update(call).values(leased_until=None, due_at=now + later))
    else:
        connection.execute(delete(CallRow).where(CallRow.id == call.id))


def _notification_settings_url(server: Server) -> str:
    """Return the address of the settings page for notifications."""
    return f"{server.web_url}/settings/calls/"


def _call_update(call: _Call) -> Update:
    return update(CallRow).where(CallRow.id == call.id)


def _delete_call(server: Server, call: _Call) -> None:
    with server.store.writing() as connection:
        connection.execute(delete(CallRow).where(CallRow.id == call.id))
