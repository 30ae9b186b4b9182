"""Checks that a webhook's URL leads to a public host over https. Pure."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from corr import limits
from corr.text.messages import sentence
from corr.words.errors import Refused

_HTTPS = 443
#: By IANA's registries: the public range, and the parts of it that lead to no host or into a tunnel.
_PUBLIC = IPv6Network("2000::/3")
_SPECIAL = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "3fff::/20")))
#: The IPv6 addresses that stand for IPv4 addresses, and the old relays from IPv4 to IPv6.
_NAT64, _RELAYS = IPv6Network("64:ff9b::/96"), IPv4Network("192.88.99.0/24")


class Destination(NamedTuple):
    host: str
    port: int
    path: str


def parse_destination(url: str) -> Destination:
    """Parse a URL; Refused if no call can go there."""
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
    return Destination(host, port, path)


def is_public(host: str, *, is_name_public: bool = False) -> bool:
    """Tell whether an IP address is on the public Internet; a name is not known before its lookup."""
    try:
        number = ip_address(host)
    except ValueError:
        return is_name_public
    if isinstance(number, IPv6Address):
        nat64 = IPv4Address(int(number) & 0xFFFF_FFFF) if number in _NAT64 else None
        inner = number.ipv4_mapped or number.sixtofour or nat64
        if inner:
            return is_public(str(inner))
        return number in _PUBLIC and not any(number in network for network in _SPECIAL)
    return number.is_global and not (number.is_multicast or number.is_reserved or number in _RELAYS)
