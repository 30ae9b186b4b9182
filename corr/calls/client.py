"""The way of a call: to a public address that was looked up once, by https, for some seconds, following nobody."""

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

from corr.calls.destinations import is_public, place_of
from corr.calls.payloads import Call
from corr.messages import sentence
from corr.words.errors import Refused

_SECONDS = 10.0
_GONE = (404, 410)
_WELL = range(200, 300)
_LEADS_ELSEWHERE = range(300, 400)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a call: what was wrong with it in a sentence, or nothing; whether nobody is there any more."""

    trouble: str
    is_gone: bool = False


def looked_up(host: str, port: int) -> Sequence[str]:
    """All numbers of a host."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(each[4][0]) for each in found]


@cache
def public_trust() -> ssl.SSLContext:
    """Whom this machine trusts, read when the first call goes out."""
    return ssl.create_default_context()


@dataclass(frozen=True, slots=True)
class Wire:
    """How calls go out. The tests have hosts of their own, on this machine."""

    look_up: Callable[[str, int], Sequence[str]] = looked_up
    is_public: Callable[[str], bool] = is_public
    trust: Callable[[], ssl.SSLContext] = public_trust
    seconds: float = _SECONDS

    def call(self, url: str, said: Call) -> Outcome:
        """Make a call; what became of it."""
        try:
            return _outcome(self._status(url, said))
        except Refused as refusal:
            return Outcome(str(refusal))
        except socket.gaierror:
            return Outcome(sentence("calls.no_host"))
        except ssl.SSLError:
            return Outcome(sentence("calls.no_trust"))
        except (OSError, http.client.HTTPException, ValueError):  # the last of a socket that was hung up
            return Outcome(sentence("calls.no_answer"))

    def _status(self, url: str, said: Call) -> int:
        """What a host answers; all of it, from its name to its answer, takes no longer than `seconds`."""
        until = time.monotonic() + self.seconds
        host, port, path = place_of(url)
        numbers = self._numbers(host, port)
        if not numbers or not all(map(self.is_public, numbers)):
            raise Refused(sentence("calls.private"))
        left = max(0.001, until - time.monotonic())
        connection = _Connection(host, port, numbers[0], self.trust(), left)
        # A host that sends a byte now and then would hold a socket for ever: its time limit begins anew with each.
        hang_up = threading.Timer(left, connection.hang_up)
        hang_up.daemon = True
        hang_up.start()
        try:
            connection.request("POST", path, said.body, {**said.head, "User-Agent": "corr"})
            status = connection.getresponse().status
        finally:
            hang_up.cancel()
            connection.close()
            if connection.was_hung_up:  # whatever it has broken meanwhile
                raise TimeoutError
        return status

    def _numbers(self, host: str, port: int) -> Sequence[str]:
        """All numbers of a host, by a thread of its own: the system's look-up knows no time limit."""
        found: Future[Sequence[str]] = Future()

        def look_up() -> None:
            try:
                found.set_result(self.look_up(host, port))
            except Exception as error:  # noqa: BLE001  # whatever it is, the call fails by it
                found.set_exception(error)

        threading.Thread(target=look_up, name="look-up", daemon=True).start()
        return found.result(self.seconds)


def _outcome(status: int) -> Outcome:
    if status in _WELL:
        return Outcome("")
    if status in _LEADS_ELSEWHERE:
        return Outcome(sentence("calls.leads_elsewhere"))
    return Outcome(sentence("calls.refused", status=status), is_gone=status in _GONE)


class _Connection(http.client.HTTPSConnection):
    """To a host by one of its numbers that was found public: it is not looked up a second time."""

    def __init__(self, host: str, port: int, number: str, trust: ssl.SSLContext, seconds: float) -> None:
        super().__init__(host, port, timeout=seconds, context=trust)
        self._number, self._seconds, self._trust = number, seconds, trust
        self.was_hung_up = False

    def connect(self) -> None:
        plain = socket.create_connection((self._number, self.port), self._seconds)
        # The handshake begins once the socket can be hung up: it counts as a part of the call.
        self.sock = self._trust.wrap_socket(plain, server_hostname=self.host, do_handshake_on_connect=False)
        if self.was_hung_up:
            raise TimeoutError
        self.sock.do_handshake()

    def hang_up(self) -> None:
        """Let whatever waits for this connection wait no longer."""
        self.was_hung_up = True
        if self.sock is not None:
            with suppress(OSError):
                # Below TLS: its own way would leave the socket to be written to in clear.
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)
