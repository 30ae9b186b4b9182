"""What a player's devices are told, sealed for each of them, and what is kept of what has become of it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, select, update

from corr import limits
from corr.desk.house import House
from corr.desk.people import mailboxes
from corr.device import Device, Fate, Push, Sender, Told
from corr.sentences import sentence
from corr.store.rows import rows_of
from corr.store.tables import Moment, Subscription

#: Under which name the house keeps the key by which it is known.
_KEY = "devices"


class Call(NamedTuple):
    """A device, by its number, and the request that tells it something."""

    device: int
    push: Push


class _Kept(NamedTuple):
    id: int
    endpoint: str
    p256dh: bytes
    auth: bytes


_DEVICE = (Subscription.id, Subscription.endpoint, Subscription.p256dh, Subscription.auth)
_OF_PLAYER = select(*_DEVICE).where(Subscription.player_id == bindparam("player")).order_by(Subscription.id)
_ASKED_AT, _BEFORE = Subscription.test_asked_at, bindparam("before", type_=Moment)
_DROP_TESTS = update(Subscription).where(_ASKED_AT <= _BEFORE).values(test_asked_at=None)
_TAKE_TESTS = (
    update(Subscription).where(_ASKED_AT.is_not(None)).values(test_asked_at=None).returning(*_DEVICE)
)
_THIS = Subscription.id == bindparam("device")
_AT = bindparam("at", type_=Moment)
_TAKEN = update(Subscription).where(_THIS).values(last_ok_at=_AT, failing_from=None)
_FAILED = update(Subscription).where(_THIS, Subscription.failing_from.is_(None)).values(failing_from=_AT)
_FORGET = delete(Subscription).where(_THIS)
_FORGET_FAILING = delete(Subscription).where(_THIS, Subscription.failing_from <= _BEFORE)


def turn(game: str, variant: str, until: str) -> Told:
    """That it is somebody's turn: in which game, of which variant, until when, and nothing that has happened there."""
    body = sentence("devices.until", game=game, until=until) if until else sentence("devices.game", game=game)
    return Told(sentence("devices.turn", variant=variant), body, f"games/{game}", game)


def calls_to(connection: Connection, house: House, player: int, told: Told, life: timedelta) -> list[Call]:
    """A player is told something: the requests that tell each of their devices."""
    found = rows_of(_Kept, connection.execute(_OF_PLAYER, {"player": player}))
    return _sealed(connection, house, found, told, life)


def tests(house: House) -> list[Call]:
    """Each test that was asked for and is not too old, once."""
    told = Told(sentence("devices.test"), sentence("devices.works"), "settings/", "test")
    with house.store.writing() as connection:
        connection.execute(_DROP_TESTS, {"before": house.now() - limits.TEST_LIFE})
        found = rows_of(_Kept, connection.execute(_TAKE_TESTS))
        return _sealed(connection, house, found, told, limits.TEST_LIFE)


def note(house: House, device: int, fate: Fate, now: datetime) -> None:
    """Keep what has become of a call; a device that is gone, or has failed for days, is told nothing more."""
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
    """By what devices know this house."""
    return Sender(mailboxes.secret(connection, _KEY), f"postmaster@{house.domain}")


def _sealed(
    connection: Connection, house: House, found: list[_Kept], told: Told, life: timedelta
) -> list[Call]:
    from corr.push import push

    if not found:
        return []
    ours, now = sender(connection, house), house.now()
    return [
        Call(each.id, push(ours, Device(each.endpoint, each.p256dh, each.auth), told, now, life))
        for each in found
    ]
