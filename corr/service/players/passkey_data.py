"""Describes a stored passkey, and the site that it works on."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

_PORTS = {"https": 443, "http": 80}


class InvalidPasskey(Exception):
    """The browser's data is no passkey's, or does not answer our challenge."""


@dataclass(frozen=True, slots=True)
class PasskeySite:
    """The site that passkeys work on: its name, and the origin of its pages."""

    name: str
    origin: str


@dataclass(frozen=True, slots=True)
class KnownPasskey:
    """A passkey as we keep it: its credential id, its public key, and its signature counter."""

    credential: str
    public: bytes
    count: int


def site_of(web_url: str) -> PasskeySite:
    """Return the name and origin under which passkeys work on the site at this address."""
    parts = urlsplit(web_url)
    name, port = parts.hostname or "", parts.port
    shown = f":{port}" if port and port != _PORTS.get(parts.scheme) else ""
    return PasskeySite(name, f"{parts.scheme}://{name}{shown}")
