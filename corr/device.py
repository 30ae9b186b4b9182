"""A browser on a device that may be told something while none of our pages is open, and what it is told."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from urllib.parse import urlsplit

from corr import limits

#: An uncompressed point of the curve P-256, and what else only the browser and we know.
_PUBLIC, _SECRET = 65, 16
_MARK = 16
_TAKEN, _GONE = range(200, 300), (404, 410)


class NoDevice(Exception):
    """What a browser has named is no place where it can be told anything."""


@dataclass(frozen=True, slots=True)
class Device:
    """Where a browser's maker takes in what is for it, and by which keys it alone can read that."""

    endpoint: str
    public: bytes
    secret: bytes


@dataclass(frozen=True, slots=True)
class Told:
    """What a device shows: a title, a line, and the page that a click opens; of one tag the newest alone."""

    title: str
    body: str
    url: str
    tag: str

    @property
    def as_json(self) -> bytes:
        """As our service worker reads it."""
        told = {"title": self.title, "body": self.body, "url": self.url, "tag": self.tag}
        return json.dumps(told, ensure_ascii=False).encode()


@dataclass(frozen=True, slots=True)
class Sender:
    """Who tells devices: by which key it is known, and whom the browsers' makers may write to."""

    key: bytes
    contact: str


@dataclass(frozen=True, slots=True)
class Push:
    """A request that is ready to be made: a POST to this address, with this head and body."""

    url: str
    headers: Mapping[str, str]
    body: bytes


class Fate(Enum):
    """What has become of a push: it was taken in, nobody is there any more, or it did not get through."""

    TAKEN = "taken"
    GONE = "gone"
    FAILED = "failed"


def fate_of(status: int) -> Fate:
    """What a browser's maker has said by the status of its answer."""
    if status in _GONE:
        return Fate.GONE
    return Fate.TAKEN if status in _TAKEN else Fate.FAILED


def mark_of(endpoint: str) -> str:
    """By what a page names a device: whoever reads that learns nothing of its endpoint."""
    return sha256(endpoint.encode()).hexdigest()[:_MARK]


def device_of(endpoint: str, public: str, secret: str) -> Device:
    """A device as its browser names it; NoDevice where that is none."""
    try:
        parts = urlsplit(endpoint)
        found = Device(endpoint, from_base64(public), from_base64(secret))
        is_place = parts.scheme == "https" and parts.hostname and parts.port != 0 and parts.username is None
    except ValueError as error:
        raise NoDevice from error
    is_plain = endpoint.isascii() and endpoint.isprintable() and " " not in endpoint
    fits = len(endpoint) <= limits.ENDPOINT_CHARACTERS
    if not (is_place and is_plain and fits and (len(found.public), len(found.secret)) == (_PUBLIC, _SECRET)):
        raise NoDevice
    return found


def to_base64(plain: bytes) -> str:
    """As these standards write bytes: by signs that may stand in an address, and nothing at the end."""
    return urlsafe_b64encode(plain).rstrip(b"=").decode()


def from_base64(text: str) -> bytes:
    """The bytes that were written so; a ValueError where it was not."""
    if not text.isascii():
        raise ValueError("no base64 has other signs than ASCII's")
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
