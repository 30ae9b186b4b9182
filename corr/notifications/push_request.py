"""Makes the request to a push service: encrypted for one device (RFC 8291), and signed (RFC 8292).

It is imported only when needed: its libraries take 11 MB, compared with 70 MB for all pages.
"""

from __future__ import annotations

import json
import secrets
from datetime import datetime, timedelta
from hashlib import sha256
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from corr.notifications.push_devices import (
    Device,
    InvalidDevice,
    Push,
    PushNotification,
    PushSender,
    to_base64,
)

_CURVE = ec.SECP256R1()
_LENGTH = 2_048  # messages are padded to this many bytes, so that their length reveals nothing
_RECORD = 4_096  # the record size, as all push services accept it (RFC 8291, section 4)
_LAST_RECORD_MARK = b"\x02"
_SALT = 16
_TOKEN_LIFE = timedelta(hours=12)  # a signature is valid for half of the day that the standard allows
_TOPIC = 32


def public_of(sender: PushSender) -> str:
    """Return the sender's public key, as a browser needs it to subscribe."""
    return to_base64(_point(_private(sender).public_key()))


def make_push_request(
    sender: PushSender, device: Device, notification: PushNotification, now: datetime, life: timedelta
) -> Push:
    """Return the request that sends a notification; the push service drops it after `life`."""
    headers = {
        "Authorization": f"vapid t={_token(sender, device.endpoint, now)}, k={public_of(sender)}",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(max(0, int(life.total_seconds()))),
        "Topic": _topic(device, notification.tag),
        "Urgency": "normal",
    }
    body = encrypt_for_device(
        device, notification.as_json, ec.generate_private_key(_CURVE), secrets.token_bytes(_SALT), _LENGTH
    )
    return Push(device.endpoint, headers, body)


def check(device: Device) -> None:
    """Raise InvalidDevice if nothing can be encrypted for this device."""
    try:
        _device_key(device)
    except ValueError as error:
        raise InvalidDevice from error


def encrypt_for_device(
    device: Device, plain: bytes, ours: ec.EllipticCurvePrivateKey, salt: bytes, length: int = 0
) -> bytes:
    """Encrypt padded text for the device alone, preceded by the salt and our public key."""
    theirs, point = _device_key(device), _point(ours.public_key())
    shared = ours.exchange(ec.ECDH(), theirs)
    secret = _derive_key(shared, device.secret, b"WebPush: info\0" + device.public + point, 32)
    key = _derive_key(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive_key(secret, salt, b"Content-Encoding: nonce\0", 12)
    text = AESGCM(key).encrypt(nonce, (plain + _LAST_RECORD_MARK).ljust(length, b"\0"), None)
    if len(text) > _RECORD:
        raise ValueError("too long for one push message")
    return salt + _RECORD.to_bytes(4) + len(point).to_bytes(1) + point + text


def _token(sender: PushSender, endpoint: str, now: datetime) -> str:
    """Return a signed token that proves to one push service that the request is ours."""
    place = urlsplit(endpoint)
    claims = {
        "aud": f"{place.scheme}://{place.netloc}",
        "exp": int((now + _TOKEN_LIFE).timestamp()),
        "sub": f"mailto:{sender.contact}",
    }
    said = ".".join(to_base64(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    signature = decode_dss_signature(_private(sender).sign(said.encode(), ec.ECDSA(SHA256())))
    return f"{said}.{to_base64(b''.join(part.to_bytes(32) for part in signature))}"


def _topic(device: Device, tag: str) -> str:
    """Return a hash by which a message replaces an undelivered one of the same tag."""
    return to_base64(sha256(device.secret + tag.encode()).digest())[:_TOPIC]


def _private(sender: PushSender) -> ec.EllipticCurvePrivateKey:
    """Return the sender's private key from its stored bytes."""
    return ec.derive_private_key(int.from_bytes(sender.key), _CURVE)


def _device_key(device: Device) -> ec.EllipticCurvePublicKey:
    """Return the device's public key; raise ValueError if it is not one."""
    return ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, device.public)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    """Return a public key as an uncompressed point, as browsers exchange it."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derive_key(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)
