"""Where a call may go: to a public host, by https. Pure."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from corr import limits
from corr.messages import sentence
from corr.words.errors import Refused

_HTTPS = 443
#: By the registries of IANA: what leads to hosts at all, and of that what leads to none, or to others by a tunnel.
_PUBLIC = IPv6Network("2000::/3")
_SPECIAL = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "3fff::/20")))
#: What stands for an address of IPv4, and what once led from there to IPv6.
_NAT64, _RELAYS = IPv6Network("64:ff9b::/96"), IPv4Network("192.88.99.0/24")


class Place(NamedTuple):
    """A host, its port, and what is asked for there."""

    host: str
    port: int
    path: str


def place_of(url: str) -> Place:
    """Where an address leads; Refused where no call may go there."""
    address = url.strip()
    if len(address) > limits.CALL_ADDRESS_CHARACTERS or not address.isascii() or not address.isprintable():
        raise Refused(sentence("calls.no_address"))
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port or _HTTPS
    except ValueError as error:
        raise Refused(sentence("calls.no_address")) from error
    if not is_public(host, is_name_public=True) or host == "localhost" or host.endswith(".localhost"):
        raise Refused(sentence("calls.private"))
    if parts.scheme != "https" or not host or " " in address:
        raise Refused(sentence("calls.no_address"))
    if parts.username is not None or parts.password is not None:
        raise Refused(sentence("calls.password"))
    path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    return Place(host, port, path)


def is_public(host: str, *, is_name_public: bool = False) -> bool:
    """Whether a number leads to the public Internet; of a name it is not known before it is looked up."""
    try:
        number = ip_address(host)
    except ValueError:
        return is_name_public
    if isinstance(number, IPv6Address):
        inner = number.ipv4_mapped or number.sixtofour or _behind_nat64(number)
        if inner:
            return is_public(str(inner))
        return number in _PUBLIC and not any(number in network for network in _SPECIAL)
    return number.is_global and not (number.is_multicast or number.is_reserved or number in _RELAYS)


def _behind_nat64(number: IPv6Address) -> IPv4Address | None:
    return IPv4Address(int(number) & 0xFFFF_FFFF) if number in _NAT64 else None
