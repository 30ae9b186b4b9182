"""Checks a browser's subscription to push notifications, and describes these notifications."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from urllib.parse import urlsplit

from corr import limits

#: The lengths of an uncompressed P-256 point and of the secret that only the browser and we share.
_PUBLIC, _SECRET = 65, 16
_MARK = 16


class InvalidDevice(Exception):
    """The browser's data is no valid push subscription."""


@dataclass(frozen=True, slots=True)
class Device:
    """A browser's push endpoint, and the keys by which it alone can read messages."""

    endpoint: str
    public: bytes
    secret: bytes


@dataclass(frozen=True, slots=True)
class PushNotification:
    """A notification: title, text and the page to open; it replaces earlier ones with its tag."""

    title: str
    body: str
    url: str
    tag: str

    @property
    def as_json(self) -> bytes:
        """The notification as our service worker reads it."""
        return json.dumps(asdict(self), ensure_ascii=False).encode()


@dataclass(frozen=True, slots=True)
class PushSender:
    """The sender of notifications: its key, and the contact for push services."""

    key: bytes
    contact: str


@dataclass(frozen=True, slots=True)
class Push:
    url: str
    headers: Mapping[str, str]
    body: bytes


def make_mark(endpoint: str) -> str:
    """Return a device's short id for forms, which does not reveal its secret endpoint."""
    return sha256(endpoint.encode()).hexdigest()[:_MARK]


def parse_device(endpoint: str, public: str, secret: str) -> Device:
    """Check the push subscription that a browser sent; raise InvalidDevice if it is wrong."""
    try:
        parts = urlsplit(endpoint)
        found = Device(endpoint, from_base64(public), from_base64(secret))
        is_place = parts.scheme == "https" and parts.hostname and parts.port != 0 and parts.username is None
    except ValueError as error:
        raise InvalidDevice from error
    is_plain = endpoint.isascii() and endpoint.isprintable() and " " not in endpoint
    fits = len(endpoint) <= limits.ENDPOINT_CHARACTERS
    if not (is_place and is_plain and fits and (len(found.public), len(found.secret)) == (_PUBLIC, _SECRET)):
        raise InvalidDevice
    return found


def to_base64(plain: bytes) -> str:
    """Encode as the push standards do: URL-safe base64 without padding."""
    return urlsafe_b64encode(plain).rstrip(b"=").decode()


def from_base64(text: str) -> bytes:
    """Decode URL-safe base64 without padding, or raise ValueError."""
    if not text.isascii():
        raise ValueError("base64 has only ASCII characters")
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
