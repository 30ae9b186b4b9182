"""A mail server that letters are handed over to: sealed or not, by name and password or without, for tests."""

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

#: This machine by a name that does not say so: whoever goes there is as careful as on the way to any other.
REMOTE_NAME = "127.1"
NAME, PASSWORD = "corr@play.example", "s/ecret@%"
LOGIN = "corr%40play.example:s%2Fecret%40%25"


@dataclass
class ReceivedMail:
    """What such a server has heard: its port, the letters, whether each came sealed, and who wanted to come in."""

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
    """A server that seals what it hears at once, or when it is told to, if at all; it may ask for a password."""
    heard = ReceivedMail(free_port())
    options: dict[str, Any] = {"ssl_context": seal} if at_once else {"tls_context": seal}
    if asks:
        options |= {"authenticator": heard.authenticate, "auth_require_tls": False}
    controller = Controller(heard, hostname=HOST, port=heard.port, **options)
    controller.start()
    yield heard
    controller.stop()


def tls_context(folder: Path) -> ssl.SSLContext:
    """A seal with a certificate for `AFAR`, which is trusted by whoever trusts `host.pem` of that folder."""
    seal = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    seal.load_cert_chain(certificate_for(folder, REMOTE_NAME))
    return seal


def broken_tls_context() -> ssl.SSLContext:
    """One by which nobody comes to an understanding: it has no certificate."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
