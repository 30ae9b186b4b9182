"""HTTPS hosts on this machine: they keep requests, and answer as a test says."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from corr.notifications.client import WebhookClient
from tests.support.certificates import certificate_for

NAME = "hooks.example"

#: What a host does with a connection after it has read a request.
Answer = Callable[[socket.socket], None]


@dataclass
class Host:
    """A running host, and a client that trusts it."""

    port: int
    client: WebhookClient
    answer: Answer
    requests: list[bytes] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"https://{NAME}:{self.port}/hook?of=ann"


def respond_with(status: str, *head: str) -> Answer:
    """Answer with a status and headers."""
    lines = "\r\n".join((f"HTTP/1.1 {status}", "Content-Length: 0", *head, "", ""))
    return lambda connection: connection.sendall(lines.encode())


def send_endless_header(connection: socket.socket) -> None:
    """Send a header that never ends."""
    with suppress(OSError):
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        while True:
            connection.sendall(b"x")


def stay_silent(connection: socket.socket) -> None:
    """Answer nothing until the client hangs up."""
    with suppress(OSError):
        connection.recv(1)


@contextmanager
def run_https_host(folder: Path, answer: Answer, seconds: float = 60.0) -> Iterator[Host]:
    """Run a host, with a client that finds it by name and trusts it."""
    certificate = certificate_for(folder, NAME)
    theirs = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    theirs.load_cert_chain(certificate)
    trust = ssl.create_default_context(cafile=str(certificate))
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
        wire = WebhookClient(lambda _host, _port: ["127.0.0.1"], lambda _number: True, lambda: trust, seconds)
        host = Host(port, wire, answer)
        threading.Thread(target=_serve, args=(door, theirs, host), daemon=True).start()
        yield host


def _serve(door: socket.socket, theirs: ssl.SSLContext, host: Host) -> None:
    with suppress(OSError):
        while True:
            plain, _ = door.accept()
            with suppress(OSError), theirs.wrap_socket(plain, server_side=True) as connection:
                host.requests.append(_question(connection))
                host.answer(connection)


def _question(connection: socket.socket) -> bytes:
    """Read a whole request."""
    heard = b""
    while b"\r\n\r\n" not in heard:
        heard += connection.recv(65_536)
    head, _, body = heard.partition(b"\r\n\r\n")
    length = next(
        int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")
    )
    while len(body) < length:
        body += connection.recv(65_536)
    return head + b"\r\n\r\n" + body
