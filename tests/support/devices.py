"""A device of the tests' own: its keys, and how it opens what it is told, by somebody else's program."""

from __future__ import annotations

import itertools

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from corr.device import Push, from_base64, to_base64

#: The device of the example in RFC 8291, appendix A.
KEY = ec.derive_private_key(
    int.from_bytes(from_base64("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")), ec.SECP256R1()
)
SECRET = from_base64("BTBZMqHH6r4Tts7J_aSIgg")
_NUMBERS = itertools.count(1)


def endpoint() -> str:
    """An address of a maker of browsers, another one each time."""
    return f"https://push.maker.example/take/in?for=device-{next(_NUMBERS)}"


def public_and_secret() -> tuple[str, str]:
    """What its browser says of its keys."""
    point = KEY.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return to_base64(point), to_base64(SECRET)


def opened_by_device(push: Push, key: ec.EllipticCurvePrivateKey = KEY) -> bytes:
    """What the device reads."""
    plain: bytes = http_ece.decrypt(push.body, private_key=key, auth_secret=SECRET, version="aes128gcm")
    return plain
