"""Builds push notifications, sealed for each of a player's devices, and records what became of them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, select, update

from corr import limits
from corr.calls.client import CallResult
from corr.calls.push_devices import Device, Push, PushNotification, PushSender
from corr.service.players import mailboxes
from corr.service.server import Server
from corr.store.rows import one_or_none_of
from corr.store.tables import Moment, PushSubscriptionRow
from corr.text.messages import sentence

#: The name under which the server keeps the key that identifies it.
_KEY = "devices"


class _DeviceRow(NamedTuple):
    id: int
    player_id: int
    endpoint: str
    p256dh: bytes
    auth: bytes


_DEVICE = select(
    PushSubscriptionRow.id,
    PushSubscriptionRow.player_id,
    PushSubscriptionRow.endpoint,
    PushSubscriptionRow.p256dh,
    PushSubscriptionRow.auth,
).where(PushSubscriptionRow.id == bindparam("device"))
_IS_DEVICE = PushSubscriptionRow.id == bindparam("device")
_AT, _BEFORE = bindparam("at", type_=Moment), bindparam("before", type_=Moment)
_SUCCESS_UPDATE = update(PushSubscriptionRow).where(_IS_DEVICE).values(last_ok_at=_AT, failing_from=None)
_FAILURE_UPDATE = (
    update(PushSubscriptionRow)
    .where(_IS_DEVICE, PushSubscriptionRow.failing_from.is_(None))
    .values(failing_from=_AT)
)
_DEVICE_DELETE = delete(PushSubscriptionRow).where(_IS_DEVICE)
_FAILING_DELETE = delete(PushSubscriptionRow).where(_IS_DEVICE, PushSubscriptionRow.failing_from <= _BEFORE)


def word_turn(game: str, variant: str, until: str) -> PushNotification:
    """Word a turn notification: the game, variant and deadline, but nothing that has happened."""
    body = sentence("devices.until", game=game, until=until) if until else sentence("devices.game", game=game)
    return PushNotification(sentence("devices.turn", variant=variant), body, f"games/{game}", game)


def word_test() -> PushNotification:
    """Word a test notification."""
    return PushNotification(sentence("devices.test"), sentence("devices.works"), "settings/", "test")


def make_push(
    connection: Connection,
    server: Server,
    device: int,
    told: PushNotification,
    life: timedelta,
    player: int | None = None,
) -> Push | None:
    """Build the request that notifies a device; None if gone or another player's."""
    from corr.calls.push_encryption import make_push_request

    found = one_or_none_of(_DeviceRow, connection.execute(_DEVICE, {"device": device}))
    if found is None or player not in (None, found.player_id):
        return None
    place = Device(found.endpoint, found.p256dh, found.auth)
    return make_push_request(sender(connection, server), place, told, server.now(), life)


def record_result(connection: Connection, device: int, result: CallResult, now: datetime) -> None:
    """Record a call's result; drop a device that is gone or failed for days."""
    if result.is_gone:
        connection.execute(_DEVICE_DELETE, {"device": device})
    elif result.trouble:
        connection.execute(_FAILURE_UPDATE, {"device": device, "at": now})
        connection.execute(_FAILING_DELETE, {"device": device, "before": now - limits.DEVICES_FAILING})
    else:
        connection.execute(_SUCCESS_UPDATE, {"device": device, "at": now})


def sender(connection: Connection, server: Server) -> PushSender:
    """Return what identifies this server to devices."""
    return PushSender(mailboxes.secret(connection, _KEY), f"postmaster@{server.domain}")
