"""Where a call may go: to a public host, by https. Pure."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from corr import limits
from corr.sentences import sentence
from corr.words.errors import Refused

_HTTPS = 443


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
    if isinstance(number, IPv6Address) and (inner := number.ipv4_mapped or number.sixtofour):
        return inner.is_global and not inner.is_multicast
    is_special = number.is_multicast or number.is_reserved or number.is_unspecified
    return number.is_global and not is_special
