"""Receives emails over SMTP and LMTP, storing each before confirming it; the largest size is in `corr/limits.py`.

Only CRLF, a dot and CRLF end an email. Any other ending that some servers accept is a line of the email.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, AnyStr, Protocol, TypeVar

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session, TLSSetupException

from corr import limits
from corr.mail.connection_limits import ENOUGH_EMAILS_REPLY, ConnectionCounter, ConnectionLimits
from corr.mail.tls_certificate import Certificate
from corr.words.errors import Misconfigured

T = TypeVar("T")

log = logging.getLogger(__name__)

_MOMENT = 0.05
# An email with bare line feeds is one line to SMTP: we read it as meant, and cut it if it is too long.
_LONGEST_LINE = 2 * limits.LETTER_BYTES
_LIMITS = ConnectionLimits()

_UNKNOWN = "550 5.1.1 There is no such address here: please reply to the latest email about your game"
_NO_GAME = "550 5.1.1 We can't tell which game this email is about: please reply to an email about that game"
_TOO_MANY_REPLY = "452 4.5.3 Too many recipients: please answer one email at a time"
_LATER = "451 4.3.0 We can't accept email right now: please try again later"
_IGNORED_REPLY = "250 2.0.0 This email isn't about any game, and nobody will read it"
_ACCEPTED_REPLY = "250 2.0.0 We have your email"
_TOO_BIG = f"552 5.3.4 Your email is too big: we accept {limits.LETTER_BYTES:,} bytes at most"
# What aiosmtpd answers to an email that is too big, by its size or by one line.
_SAYS_TOO_BIG = ("552 Error", "500 Line too long")


class EmailReceiver(Protocol):
    """Knows which addresses exist, and stores the emails."""

    def is_known(self, address: str) -> bool:
        """Return whether we accept email for this address."""

    def store_received(self, raw: bytes, recipients: Sequence[str], sender: str) -> int:
        """Store an email durably before returning how many of its recipients are ours."""


class Handler:
    """Answers aiosmtpd at each step; database work never runs on its event loop."""

    def __init__(self, receiver: EmailReceiver, threads: int = 8) -> None:
        self._receiver = receiver
        self._threads = ThreadPoolExecutor(threads, "receiver")

    async def handle_EHLO(  # noqa: N802  # aiosmtpd's name
        self, _server: SMTP, session: Session, _envelope: Envelope, hostname: str, offered: list[str]
    ) -> list[str]:
        """Offer everything but signing in, since nobody signs in to send us email."""
        session.host_name = hostname
        return [each for each in offered if not each.startswith("250-AUTH")]

    async def handle_MAIL(  # noqa: N802  # aiosmtpd's name
        self, server: SmtpProtocol, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept a sender, unless this connection has sent enough emails."""
        if server.is_enough():
            return ENOUGH_EMAILS_REPLY
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 Go on"

    async def handle_RCPT(  # noqa: N802  # aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Accept a recipient if the address exists here."""
        if len(envelope.rcpt_tos) >= limits.LETTER_RECIPIENTS:
            return _TOO_MANY_REPLY
        try:
            known = await self._aside(lambda: self._receiver.is_known(address))
        except Exception:
            log.exception("could not look up an address")
            return _LATER
        if not known:
            return _UNKNOWN
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 That address exists here"

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Store an email before confirming it."""
        raw = envelope.original_content or b""
        recipients, sender = tuple(envelope.rcpt_tos), (envelope.mail_from or "").strip("<>")
        try:
            taken = await self._aside(lambda: self._receiver.store_received(raw, recipients, sender))
        except Exception:
            log.exception("could not store an email; the sender will try again")
            answer = _LATER
        else:
            answer = _ACCEPTED_REPLY if taken else _NO_GAME
        if not isinstance(server, LMTP):
            return answer
        # LMTP answers once for each recipient. The mail server that hands us an email has already accepted it, so it
        # would bounce a refused one to the address that the email claims to be from.
        return "\r\n".join([_IGNORED_REPLY if answer == _NO_GAME else answer] * len(recipients))

    async def handle_exception(self, error: Exception) -> str:
        if isinstance(error, TLSSetupException):
            log.info("a connection could not start TLS", extra={"why": str(error.__cause__)})
        else:
            log.error("a connection broke", exc_info=error)
        return _LATER

    async def _aside(self, work: Callable[[], T]) -> T:
        """Run blocking work in a thread, and return its result."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def finish(self) -> None:
        """Wait until all received emails are stored; senders of later ones must retry."""
        self._threads.shutdown()


class SmtpProtocol(SMTP):
    """SMTP that accepts lines as long as a whole email, and limits its connections."""

    line_length_limit = _LONGEST_LINE

    def __init__(self, handler: Handler, counter: ConnectionCounter, **settings: Any) -> None:
        super().__init__(
            handler, timeout=counter.limits.seconds, auth_exclude_mechanism=("LOGIN", "PLAIN"), **settings
        )
        self._counter, self._place, self._is_in = counter, "", False
        self.letters = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Admit a new connection, or refuse and close it if there are too many."""
        if self._is_in:  # the connection goes on under TLS
            super().connection_made(transport)
            return
        self._place = str((transport.get_extra_info("peername") or ("",))[0])
        why_not = self._counter.enter(self._place)
        if why_not:
            assert isinstance(transport, asyncio.WriteTransport)
            log.warning("refused a connection", extra={"why": why_not[:9]})
            transport.write(f"{why_not}\r\n".encode())
            transport.close()
            return
        self._is_in = True
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        if self._is_in:  # aiosmtpd calls this twice when TLS fails
            self._is_in = False
            self._counter.leave(self._place)
            super().connection_lost(error)

    def eof_received(self) -> bool | None:
        return super().eof_received() if self._is_in else None

    async def push(self, status: AnyStr) -> None:
        """Send a reply, with our own words for emails that are too big."""
        if isinstance(status, str) and status.startswith(_SAYS_TOO_BIG):
            await super().push(_TOO_BIG)
        else:
            await super().push(status)

    def is_enough(self) -> bool:
        """Count an email; return True if this connection has sent too many to send it."""
        is_enough = self._counter.is_enough(self._place, self.letters)
        self.letters += not is_enough
        return is_enough


class LmtpProtocol(SmtpProtocol, LMTP):
    """LMTP with the same line length and limits."""


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """The address and the protocol to listen with; port 0 means any free port."""

    host: str
    port: int
    tongue: type[SmtpProtocol]


class Listener:
    """A listening server in a thread of its own."""

    def __init__(
        self,
        receiver: EmailReceiver,
        place: ListenAddress,
        domain: str,
        connection_limits: ConnectionLimits = _LIMITS,
        certificate: Certificate | None = None,
    ) -> None:
        self.place, self._domain, self._certificate = place, domain, certificate
        self._handler, self._counter = Handler(receiver), ConnectionCounter(connection_limits)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="listener", daemon=True)
        self._server: asyncio.Server | None = None

    def start(self) -> None:
        """Start listening; raise OSError if that is impossible."""
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(self._open(), self._loop).result()
        self.place = replace(self.place, port=self._server.sockets[0].getsockname()[1])

    def stop(self, seconds: float = 10) -> None:
        """Accept no more connections, finish storing and confirming emails, and stop."""
        with suppress(TimeoutError):
            asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(seconds)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _open(self) -> asyncio.Server:
        """Listen on a port that other listeners may share, so that a new one can start before the old one stops."""
        host, port = self.place.host, self.place.port
        return await self._loop.create_server(self._session, host, port, reuse_port=True)

    def _session(self) -> SMTP:
        return self.place.tongue(
            self._handler,
            self._counter,
            data_size_limit=limits.LETTER_BYTES,
            enable_SMTPUTF8=True,
            ident="corr",
            hostname=self._domain,
            loop=self._loop,
            tls_context=self._certificate.context() if self._certificate else None,
        )

    async def _close(self) -> None:
        """Stop accepting connections, store what has arrived, and end all connections."""
        if self._server is not None:
            self._server.close()
        await asyncio.to_thread(self._handler.finish)
        await asyncio.sleep(_MOMENT)  # lets the last answer leave
        sessions = asyncio.all_tasks() - {asyncio.current_task()}
        for session in sessions:
            session.cancel()
        await asyncio.gather(*sessions, return_exceptions=True)


def parse_listen_address(text: str, tongue: type[SmtpProtocol]) -> ListenAddress:
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdecimal() and int(port) < 65_536):
        raise Misconfigured(f'"{text}" isn\'t an address to listen on. Write one like 127.0.0.1:8025.')
    return ListenAddress(host.strip("[]") or "127.0.0.1", int(port), tongue)
