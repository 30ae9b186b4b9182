"""The servers that the house talks to, and its own doors."""

from __future__ import annotations

import os
import smtplib
import socket
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

from corr import broker
from corr.config import Config
from corr.doctor.finding import Finding, well, wrong
from corr.mail.listen import ListenAt, LmtpDoor, SmtpDoor, place_of

_SECONDS = 3.0
# Asked for, and never written to.
_ANYBODY = "postmaster@example.com"


def findings(config: Config) -> Iterator[Finding]:
    """Redis, the mail server, the listeners and the pages."""
    yield _broker(config.redis_url)
    yield (
        _spool(config.post_url)
        if config.post_url.startswith("spool:")
        else _post(config.post_url, config.domain)
    )
    yield _listener(place_of(config.smtp_listen, SmtpDoor))
    if config.lmtp_listen:
        yield _listener(place_of(config.lmtp_listen, LmtpDoor))
    yield _pages(config.web_listen)


def _broker(url: str | None) -> Finding:
    if url is None:
        return wrong(
            "broker",
            "CORR_REDIS_URL is not set, and the Procfile's processes need it.",
            "Set it, for example CORR_REDIS_URL=redis://127.0.0.1:6379/0",
        )
    trouble = broker.trouble(url)
    if not trouble:
        return well("broker", "Redis answers, and keeps what it is given")
    if "policy" in trouble:
        return wrong("broker", trouble, "Set maxmemory-policy noeviction in redis.conf.")
    return wrong(
        "broker", trouble, "Start it, or set CORR_REDIS_URL to where it is; until then letters wait."
    )


def _spool(url: str) -> Finding:
    folder = urlsplit(url).path
    if os.access(folder, os.W_OK):
        return well("post", f"letters are put into {folder}")
    return wrong("post", f"{folder} cannot be written.", "Make it, and let this user write there.")


def _post(url: str, domain: str) -> Finding:
    parts = urlsplit(url)
    try:
        with smtplib.SMTP(str(parts.hostname), parts.port or 25, timeout=_SECONDS) as server:
            server.ehlo_or_helo_if_needed()
            server.mail(f"umpire@{domain}")
            code, words = server.rcpt(_ANYBODY)
    except (OSError, smtplib.SMTPException) as error:
        advice = "Start the mail server, or set CORR_SMTP_URL to where it is."
        return wrong("post", f"{url} does not answer: {error}.", advice)
    if code in (250, 251):
        return well("post", f"{url} takes letters for anybody")
    said = f"{code} {words.decode(errors='replace')}"
    return wrong("post", f"{url} takes no letter for a stranger: {said}.", "Let it relay for this machine.")


def _listener(place: ListenAt) -> Finding:
    named = f"{place.host}:{place.port}"
    try:
        with socket.create_connection((place.host, place.port), _SECONDS) as door:
            greeting = door.recv(3)
    except OSError:
        greeting = b""
    if greeting == b"220":
        return well("mail", f"letters are taken in at {named}")
    return wrong("mail", f"nobody takes letters in at {named}.", "Start the Procfile's `mail`: corr listen")


def _pages(listen: str) -> Finding:
    connection = HTTPConnection(listen, timeout=_SECONDS)
    try:
        connection.request("GET", "/healthz")
        status = connection.getresponse().status
    except (OSError, HTTPException):
        return wrong("web", f"there are no pages at {listen}.", "Start the Procfile's `web`.")
    finally:
        connection.close()
    if status == 200:
        return well("web", f"the pages at {listen} are well")
    return wrong("web", f"the pages at {listen} are not well.", "Look at the web's log, and at the database.")
