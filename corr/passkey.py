"""A passkey as we know it, and the site that it is good for."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

_PORTS = {"https": 443, "http": 80}


class Worthless(Exception):
    """What a browser has brought is no passkey's, or not what was asked for."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where passkeys are good: the site's name, and whose pages may ask for them."""

    name: str
    origin: str


@dataclass(frozen=True, slots=True)
class KnownPasskey:
    """A passkey as we know it: what it calls itself, its public half, and how often it has signed."""

    credential: str
    public: bytes
    count: int


def site_of(web_url: str) -> Site:
    """The site whose pages are at an address."""
    parts = urlsplit(web_url)
    name, port = parts.hostname or "", parts.port
    shown = f":{port}" if port and port != _PORTS.get(parts.scheme) else ""
    return Site(name, f"{parts.scheme}://{name}{shown}")
