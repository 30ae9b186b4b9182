"""A smarthost that gets our emails, with or without TLS and a login."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from tests.support.certificates import certificate_for
from tests.support.database_servers import HOST, free_port

#: A name of this machine that looks remote.
REMOTE_NAME = "127.1"
NAME, PASSWORD = "corr@play.example", "s/ecret@%"
LOGIN = "corr%40play.example:s%2Fecret%40%25"


@dataclass
class ReceivedMail:
    """What the server received: emails, whether each came over TLS, and logins."""

    port: int
    emails: list[bytes] = field(default_factory=list)
    encrypted: list[bool] = field(default_factory=list)
    logins: list[tuple[str, str]] = field(default_factory=list)

    async def handle_DATA(self, server, _session, envelope) -> str:  # noqa: N802
        self.emails.append(envelope.original_content)
        self.encrypted.append(server.transport.get_extra_info("sslcontext") is not None)
        return "250 ok"

    def authenticate(self, _server, _session, _envelope, _mechanism, given: LoginPassword) -> AuthResult:
        self.logins.append((given.login.decode(), given.password.decode()))
        return AuthResult(success=self.logins[-1] == (NAME, PASSWORD), handled=False)


@contextmanager
def smarthost(
    seal: ssl.SSLContext | None, *, at_once: bool = False, asks: bool = False
) -> Iterator[ReceivedMail]:
    """Run a server with implicit TLS, STARTTLS or no TLS; it may ask for a password."""
    heard = ReceivedMail(free_port())
    options: dict[str, Any] = {"ssl_context": seal} if at_once else {"tls_context": seal}
    if asks:
        options |= {"authenticator": heard.authenticate, "auth_require_tls": False}
    controller = Controller(heard, hostname=HOST, port=heard.port, **options)
    controller.start()
    yield heard
    controller.stop()


def tls_context(folder: Path) -> ssl.SSLContext:
    """TLS with a certificate for `REMOTE_NAME`; the folder's `host.pem` makes clients trust it."""
    seal = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    seal.load_cert_chain(certificate_for(folder, REMOTE_NAME))
    return seal


def broken_tls_context() -> ssl.SSLContext:
    """TLS without a certificate, so every handshake fails."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
