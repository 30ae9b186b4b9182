"""Manages the devices that notify a player of their turn while no page is open."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, exists, insert, select, update

from corr import limits
from corr.device import Device, NoDevice, device_of, mark_of
from corr.messages import sentence
from corr.service.house import House
from corr.service.players import credentials, notifications, push_queue, settings, time_zones
from corr.service.players.authentication import Visitor
from corr.store.locks import insert_once
from corr.store.rows import rows_of
from corr.store.tables import CallRow, Subscription
from corr.words.errors import Refused


class Browser(NamedTuple):
    """What a browser says of itself: its push endpoint, its keys, and its kind."""

    endpoint: str
    public: str
    secret: str
    name: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A device as its player sees it."""

    mark: str
    name: str
    made: str
    last_told: str
    failing: str
    is_asked: bool


class _Kept(NamedTuple):
    id: int
    endpoint: str
    name: str
    made_at: datetime
    is_asked: bool
    last_ok_at: datetime | None
    failing_from: datetime | None


_THIS = Subscription.endpoint == bindparam("which")
_OWN = _THIS & (Subscription.player_id == bindparam("player"))
_IS_TEST = CallRow.seat_id.is_(None)
_OF_PLAYER = (
    select(
        Subscription.id,
        Subscription.endpoint,
        Subscription.name,
        Subscription.made_at,
        exists(select(CallRow.id).where(CallRow.device_id == Subscription.id, _IS_TEST)).label("is_asked"),
        Subscription.last_ok_at,
        Subscription.failing_from,
    )
    .where(Subscription.player_id == bindparam("player"))
    .order_by(Subscription.id)
)
_NO_TEST = delete(CallRow).where(CallRow.device_id.in_(select(Subscription.id).where(_THIS)), _IS_TEST)
_TAKE = delete(Subscription).where(_OWN)


def key_for_browsers(house: House) -> str:
    """Return the key by which a browser recognises this server's notifications."""
    from corr.push import public_of

    with house.store.asking() as connection:
        return public_of(push_queue.sender(connection, house))


def listed(house: House, found: Visitor) -> tuple[Listed, ...]:
    """List a player's devices, the oldest first."""
    with house.store.asking() as connection:
        own = _own(connection, settings.player_of(found))
    return tuple(_listed(each, found.zone) for each in own)


def add(house: House, found: Visitor, browser: Browser, now: datetime) -> None:
    """Add a browser, taken from its previous player; Refused if invalid or over the limit."""
    device = _device(browser)
    with house.store.writing() as connection:
        player = credentials.held(connection, found)
        own = [each.endpoint for each in _own(connection, player)]
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
        if not insert_once(connection, Subscription, endpoint=device.endpoint, **kept):
            connection.execute(
                update(Subscription).where(Subscription.endpoint == device.endpoint).values(kept)
            )
            connection.execute(_NO_TEST, {"which": device.endpoint})
        notifications.note(connection, player)


def remove(house: House, found: Visitor, mark: str) -> str:
    """Remove one of the player's devices; return its name."""
    with house.store.writing() as connection:
        this, player = _one(connection, found, mark), settings.player_of(found)
        connection.execute(_TAKE, {"which": this.endpoint, "player": player})
    return this.name


def ask_for_test(house: House, found: Visitor, mark: str, now: datetime) -> str:
    """Queue a test notification for one of the player's devices; return its name."""
    with house.store.writing() as connection:
        this = _one(connection, found, mark)
        connection.execute(_NO_TEST, {"which": this.endpoint})
        connection.execute(insert(CallRow).values(device_id=this.id, made_at=now, due_at=now, tries=0))
    return this.name


def _device(browser: Browser) -> Device:
    from corr.push import check

    try:
        device = device_of(browser.endpoint, browser.public, browser.secret)
        check(device)
    except NoDevice as error:
        raise Refused(sentence("devices.no_device")) from error
    return device


def _one(connection: Connection, found: Visitor, mark: str) -> _Kept:
    for each in _own(connection, settings.player_of(found)):
        if mark_of(each.endpoint) == mark:
            return each
    raise Refused(sentence("devices.none_such"))


def _own(connection: Connection, player: int) -> list[_Kept]:
    return rows_of(_Kept, connection.execute(_OF_PLAYER, {"player": player}))


def _listed(each: _Kept, zone: str) -> Listed:
    moments = (each.made_at, each.last_ok_at, each.failing_from)
    made, told, failing = (time_zones.worded(moment, zone) if moment else "" for moment in moments)
    return Listed(mark_of(each.endpoint), each.name, made, told, failing, each.is_asked)
