"""Builds push notifications, sealed for each of a player's devices, and records what became of them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, select, update

from corr import limits
from corr.device import Device, Fate, Push, Sender, Told
from corr.messages import sentence
from corr.service.house import House
from corr.service.players import mailboxes
from corr.store.rows import one_or_none_of
from corr.store.tables import Moment, Subscription

#: The name under which the server keeps the key that identifies it.
_KEY = "devices"


class _Kept(NamedTuple):
    id: int
    player_id: int
    endpoint: str
    p256dh: bytes
    auth: bytes


_DEVICE = select(
    Subscription.id, Subscription.player_id, Subscription.endpoint, Subscription.p256dh, Subscription.auth
).where(Subscription.id == bindparam("device"))
_THIS = Subscription.id == bindparam("device")
_AT, _BEFORE = bindparam("at", type_=Moment), bindparam("before", type_=Moment)
_TAKEN = update(Subscription).where(_THIS).values(last_ok_at=_AT, failing_from=None)
_FAILED = update(Subscription).where(_THIS, Subscription.failing_from.is_(None)).values(failing_from=_AT)
_FORGET = delete(Subscription).where(_THIS)
_FORGET_FAILING = delete(Subscription).where(_THIS, Subscription.failing_from <= _BEFORE)


def turn(game: str, variant: str, until: str) -> Told:
    """Word a turn notification: the game, variant and deadline, but nothing that has happened."""
    body = sentence("devices.until", game=game, until=until) if until else sentence("devices.game", game=game)
    return Told(sentence("devices.turn", variant=variant), body, f"games/{game}", game)


def test() -> Told:
    """Word a test notification."""
    return Told(sentence("devices.test"), sentence("devices.works"), "settings/", "test")


def push_to(
    connection: Connection,
    house: House,
    device: int,
    told: Told,
    life: timedelta,
    player: int | None = None,
) -> Push | None:
    """Build the request that notifies a device; None if gone or another player's."""
    from corr.push import push

    found = one_or_none_of(_Kept, connection.execute(_DEVICE, {"device": device}))
    if found is None or player not in (None, found.player_id):
        return None
    place = Device(found.endpoint, found.p256dh, found.auth)
    return push(sender(connection, house), place, told, house.now(), life)


def note(house: House, device: int, fate: Fate, now: datetime) -> None:
    """Record a call's result; drop a device that is gone or failed for days."""
    with house.store.writing() as connection:
        match fate:
            case Fate.TAKEN:
                connection.execute(_TAKEN, {"device": device, "at": now})
            case Fate.GONE:
                connection.execute(_FORGET, {"device": device})
            case Fate.FAILED:
                connection.execute(_FAILED, {"device": device, "at": now})
                connection.execute(
                    _FORGET_FAILING, {"device": device, "before": now - limits.DEVICES_FAILING}
                )


def sender(connection: Connection, house: House) -> Sender:
    """Return what identifies this server to devices."""
    return Sender(mailboxes.secret(connection, _KEY), f"postmaster@{house.domain}")
