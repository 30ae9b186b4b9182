"""A push device: its keys, and decryption by another library."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlalchemy import ColumnElement, select

from corr import limits
from corr.notifications.push_devices import Push, PushNotification, from_base64, to_base64
from corr.service.players import push_subscriptions
from corr.service.server import Server
from corr.store.tables import CallRow, PushSubscriptionRow

#: The device of the example in RFC 8291, appendix A.
KEY = ec.derive_private_key(
    int.from_bytes(from_base64("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")), ec.SECP256R1()
)
SECRET = from_base64("BTBZMqHH6r4Tts7J_aSIgg")
_NUMBERS = itertools.count(1)


def endpoint() -> str:
    """A push endpoint, a new one each time."""
    return f"https://push.maker.example/take/in?for=device-{next(_NUMBERS)}"


def public_and_secret() -> tuple[str, str]:
    """The keys as its browser sends them."""
    point = KEY.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return to_base64(point), to_base64(SECRET)


def decrypt_on_device(push: Push, key: ec.EllipticCurvePrivateKey = KEY) -> bytes:
    """Decrypt a push as the device does."""
    plain: bytes = http_ece.decrypt(push.body, private_key=key, auth_secret=SECRET, version="aes128gcm")
    return plain


class PendingPush(NamedTuple):
    """A device's number and the push to it."""

    device: int
    push: Push


def pushes(server: Server, told: PushNotification, which: ColumnElement[bool]) -> list[PendingPush]:
    """The pushes of a notification to these devices."""
    with server.store.reading() as connection:
        numbers = connection.execute(
            select(PushSubscriptionRow.id).where(which).order_by(PushSubscriptionRow.id)
        ).scalars()
        found = [
            (number, push_subscriptions.make_push(connection, server, number, told, limits.TEST_LIFE))
            for number in numbers
        ]
    return [PendingPush(number, push) for number, push in found if push]


def pending_test_pushes(server: Server) -> list[PendingPush]:
    """The test pushes that were asked for and not sent yet."""
    asked = select(CallRow.device_id).where(CallRow.seat_id.is_(None))
    return pushes(server, push_subscriptions.word_test(), PushSubscriptionRow.id.in_(asked))
