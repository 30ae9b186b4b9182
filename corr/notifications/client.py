"""Sends webhook calls (see `calendar_and_feeds.py`) and push messages by https to public hosts, without redirects."""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from corr import limits
from corr.notifications.calendar_and_feeds import Payload
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
    """Split a webhook's URL for a call; raise Refused unless it is public and uses https."""
    address = url.strip()
    if len(address) > limits.WEBHOOK_ADDRESS_CHARACTERS or not address.isascii() or not address.isprintable():
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
    """Tell whether an IP address is on the public Internet; for names, return `is_name_public`."""
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


_SECONDS = 10.0
_GONE = (404, 410)


@dataclass(frozen=True, slots=True)
class CallResult:
    """A call's result: an error sentence or an empty one, and whether the host is gone for good."""

    trouble: str
    is_gone: bool = False


def look_up_host(host: str, port: int) -> Sequence[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(each[4][0]) for each in found]


@cache
def tls_context() -> ssl.SSLContext:
    """Return a TLS context with the certificates that this machine trusts, read at the first call."""
    return ssl.create_default_context()


@dataclass(frozen=True, slots=True)
class WebhookClient:
    """Calls webhooks; tests replace its parts to call hosts on their own machine."""

    look_up: Callable[[str, int], Sequence[str]] = look_up_host
    is_public: Callable[[str], bool] = is_public
    trust: Callable[[], ssl.SSLContext] = tls_context
    seconds: float = _SECONDS

    def call(self, url: str, payload: Payload) -> CallResult:
        """Send a payload to a webhook; return the result, with any error as a sentence."""
        try:
            return _result(self._status(url, payload))
        except Refused as refusal:
            return CallResult(str(refusal))
        except socket.gaierror:
            return CallResult(sentence("calls.no_host"))
        except ssl.SSLError:
            return CallResult(sentence("calls.no_trust"))
        except (OSError, http.client.HTTPException, ValueError):  # ValueError: a hung-up socket
            return CallResult(sentence("calls.no_answer"))

    def _status(self, url: str, payload: Payload) -> int:
        """Send the payload and return the HTTP status, or fail within `seconds`."""
        until = time.monotonic() + self.seconds
        host, port, path = parse_destination(url)
        numbers = self._numbers(host, port)
        if not numbers or not all(map(self.is_public, numbers)):
            raise Refused(sentence("calls.private"))
        left = max(0.001, until - time.monotonic())
        connection = _Connection(host, port, numbers[0], self.trust(), left)
        # A socket's timeout starts anew with each byte, so a slow host could hold the call forever.
        hang_up = threading.Timer(left, connection.hang_up)
        hang_up.daemon = True
        hang_up.start()
        try:
            connection.request("POST", path, payload.body, {**payload.head, "User-Agent": "corr"})
            status = connection.getresponse().status
        finally:
            hang_up.cancel()
            connection.close()
            if connection.was_hung_up:  # whatever error the hang-up caused
                raise TimeoutError
        return status

    def _numbers(self, host: str, port: int) -> Sequence[str]:
        """Look up a host's IP addresses in a thread, since system lookups have no timeout."""
        found: Future[Sequence[str]] = Future()

        def look_up() -> None:
            try:
                found.set_result(self.look_up(host, port))
            except Exception as error:  # noqa: BLE001  # whatever it is, the call fails by it
                found.set_exception(error)

        threading.Thread(target=look_up, name="look-up", daemon=True).start()
        return found.result(self.seconds)


def _result(status: int) -> CallResult:
    """Turn an HTTP status into a call's result; 404 and 410 mean that the webhook is gone."""
    if 200 <= status < 300:
        return CallResult("")
    if 300 <= status < 400:
        return CallResult(sentence("calls.leads_elsewhere"))
    return CallResult(sentence("calls.refused", status=status), is_gone=status in _GONE)


class _Connection(http.client.HTTPSConnection):
    """Connects to a checked public IP address, so the host is not looked up a second time."""

    def __init__(self, host: str, port: int, number: str, trust: ssl.SSLContext, seconds: float) -> None:
        super().__init__(host, port, timeout=seconds, context=trust)
        self._number, self._seconds, self._trust = number, seconds, trust
        self.was_hung_up = False

    def connect(self) -> None:
        """Connect to the IP address that was checked; only TLS uses the host's name."""
        plain = socket.create_connection((self._number, self.port), self._seconds)
        # The handshake starts once the timer can hang up the socket, as it is part of the call.
        self.sock = self._trust.wrap_socket(plain, server_hostname=self.host, do_handshake_on_connect=False)
        if self.was_hung_up:
            raise TimeoutError
        self.sock.do_handshake()

    def hang_up(self) -> None:
        """Shut the socket when the time is over, so that waiting threads stop."""
        self.was_hung_up = True
        if self.sock is not None:
            with suppress(OSError):
                # Shut down below TLS: TLS's own shutdown would leave a socket that accepts writes in clear.
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)
