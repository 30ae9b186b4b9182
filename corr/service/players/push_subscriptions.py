"""Manages the browsers (limit: `corr/limits.py`) that get push notifications of a player's turn, and builds these."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, exists, insert, select, update

from corr import limits
from corr.notifications.client import CallResult
from corr.notifications.push_devices import (
    Device,
    InvalidDevice,
    Push,
    PushNotification,
    PushSender,
    make_mark,
    parse_device,
)
from corr.service.players import credentials, notifications, times
from corr.service.players.authentication import Visitor
from corr.service.server import Server
from corr.store import server_secrets
from corr.store.locks import insert_if_new
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import CallRow, Moment, PushSubscriptionRow
from corr.text.messages import sentence
from corr.words.errors import Refused

#: The name under which the server keeps the key that identifies it.
_KEY = "devices"


class _EndpointRow(NamedTuple):
    id: int
    player_id: int
    endpoint: str
    p256dh: bytes
    auth: bytes


_ENDPOINT_QUERY = select(
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
_GONE_DELETE = delete(PushSubscriptionRow).where(_IS_DEVICE)
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
    notification: PushNotification,
    life: timedelta,
    player: int | None = None,
) -> Push | None:
    """Build the request that notifies a device; None if it is gone or another player's."""
    from corr.notifications.push_request import make_push_request

    found = one_or_none_of(_EndpointRow, connection.execute(_ENDPOINT_QUERY, {"device": device}))
    if found is None or player not in (None, found.player_id):
        return None
    place = Device(found.endpoint, found.p256dh, found.auth)
    return make_push_request(load_sender(connection, server), place, notification, server.now(), life)


def record_result(connection: Connection, device: int, result: CallResult, now: datetime) -> None:
    """Record a notification's result; delete a device that is gone or has failed for days."""
    if result.is_gone:
        connection.execute(_GONE_DELETE, {"device": device})
    elif result.trouble:
        connection.execute(_FAILURE_UPDATE, {"device": device, "at": now})
        connection.execute(_FAILING_DELETE, {"device": device, "before": now - limits.DEVICE_FAILING_LIFE})
    else:
        connection.execute(_SUCCESS_UPDATE, {"device": device, "at": now})


def load_sender(connection: Connection, server: Server) -> PushSender:
    """Return this server's private push key and contact address."""
    return PushSender(server_secrets.load_secret(connection, _KEY), f"postmaster@{server.domain}")


class Browser(NamedTuple):
    """What a browser says of itself: its push endpoint, its keys, and its kind."""

    endpoint: str
    public: str
    secret: str
    name: str


@dataclass(frozen=True, slots=True)
class ListedDevice:
    """A device as its player sees it."""

    mark: str
    name: str
    made: str
    last_told: str
    failing: str
    is_asked: bool


class _DeviceRow(NamedTuple):
    id: int
    endpoint: str
    name: str
    made_at: datetime
    is_asked: bool
    last_ok_at: datetime | None
    failing_from: datetime | None


_IS_ENDPOINT = PushSubscriptionRow.endpoint == bindparam("which")
_IS_OWN_DEVICE = _IS_ENDPOINT & (PushSubscriptionRow.player_id == bindparam("player"))
_IS_TEST = CallRow.seat_id.is_(None)
_DEVICES_QUERY = (
    select(
        PushSubscriptionRow.id,
        PushSubscriptionRow.endpoint,
        PushSubscriptionRow.name,
        PushSubscriptionRow.made_at,
        exists(select(CallRow.id).where(CallRow.device_id == PushSubscriptionRow.id, _IS_TEST)).label(
            "is_asked"
        ),
        PushSubscriptionRow.last_ok_at,
        PushSubscriptionRow.failing_from,
    )
    .where(PushSubscriptionRow.player_id == bindparam("player"))
    .order_by(PushSubscriptionRow.id)
)
_TESTS_DELETE = delete(CallRow).where(
    CallRow.device_id.in_(select(PushSubscriptionRow.id).where(_IS_ENDPOINT)), _IS_TEST
)
_DEVICE_DELETE = delete(PushSubscriptionRow).where(_IS_OWN_DEVICE)


def key_for_browsers(server: Server) -> str:
    """Return the server's public push key, which a browser needs to subscribe."""
    from corr.notifications.push_request import public_of

    with server.store.asking() as connection:
        return public_of(load_sender(connection, server))


def list_devices(server: Server, visitor: Visitor) -> tuple[ListedDevice, ...]:
    """List a player's devices, the oldest first."""
    with server.store.asking() as connection:
        own = _load_devices(connection, visitor.require_player())
    return tuple(_make_listed(each, visitor.zone) for each in own)


def add(server: Server, visitor: Visitor, browser: Browser, now: datetime) -> None:
    """Subscribe a browser for this player alone; Refused if invalid or one too many."""
    device = _device(browser)
    with server.store.writing() as connection:
        player = credentials.lock_player(connection, visitor)
        own = [each.endpoint for each in _load_devices(connection, player)]
        if device.endpoint not in own and len(own) >= limits.DEVICES:
            raise Refused(sentence("devices.enough", most=limits.DEVICES))
        kept = {
            "player_id": player,
            "p256dh": device.public,
            "auth": device.secret,
            "name": browser.name,
            "made_at": now,
            "last_ok_at": None,
            "failing_from": None,
        }
        if not insert_if_new(connection, PushSubscriptionRow, endpoint=device.endpoint, **kept):
            connection.execute(
                update(PushSubscriptionRow)
                .where(PushSubscriptionRow.endpoint == device.endpoint)
                .values(kept)
            )
            connection.execute(_TESTS_DELETE, {"which": device.endpoint})
        notifications.update_called(connection, player)


def remove(server: Server, visitor: Visitor, mark: str) -> str:
    """Remove one of the player's devices; return its name."""
    with server.store.writing() as connection:
        this, player = _find_device(connection, visitor, mark), visitor.require_player()
        connection.execute(_DEVICE_DELETE, {"which": this.endpoint, "player": player})
    return this.name


def ask_for_test(server: Server, visitor: Visitor, mark: str, now: datetime) -> str:
    """Queue a test notification for one of the player's devices; return its name."""
    with server.store.writing() as connection:
        this = _find_device(connection, visitor, mark)
        connection.execute(_TESTS_DELETE, {"which": this.endpoint})
        connection.execute(insert(CallRow).values(device_id=this.id, made_at=now, due_at=now, tries=0))
    return this.name


def _device(browser: Browser) -> Device:
    """Return a browser's push subscription as a device; raise Refused if it is invalid."""
    from corr.notifications.push_request import check

    try:
        device = parse_device(browser.endpoint, browser.public, browser.secret)
        check(device)
    except InvalidDevice as error:
        raise Refused(sentence("devices.no_device")) from error
    return device


def _find_device(connection: Connection, visitor: Visitor, mark: str) -> _DeviceRow:
    """Return the player's device with this mark, its id on pages; else raise Refused."""
    for each in _load_devices(connection, visitor.require_player()):
        if make_mark(each.endpoint) == mark:
            return each
    raise Refused(sentence("devices.none_such"))


def _load_devices(connection: Connection, player: int) -> list[_DeviceRow]:
    return rows_of(_DeviceRow, connection.execute(_DEVICES_QUERY, {"player": player}))


def _make_listed(each: _DeviceRow, zone: str) -> ListedDevice:
    moments = (each.made_at, each.last_ok_at, each.failing_from)
    made, told, failing = (times.word_moment(moment, zone) if moment else "" for moment in moments)
    return ListedDevice(make_mark(each.endpoint), each.name, made, told, failing, each.is_asked)
