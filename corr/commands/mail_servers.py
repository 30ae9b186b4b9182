"""`corr listen` and `corr fetch`: accept email over SMTP and LMTP, and fetch it over IMAP."""

from __future__ import annotations

import logging
import os
import threading
from pathlib import Path

import click

from corr.commands.open_server import DatabaseCommand, open_server
from corr.config import Config
from corr.mail.imap import Fetcher, parse_mailboxes
from corr.mail.smtp_server import Listener, LmtpProtocol, SmtpProtocol, parse_listen_address
from corr.mail.tls_certificate import Certificate
from corr.processes import catch_stop_signals, set_up_logging
from corr.service.mail.entrance import EmailEntrance
from corr.worker_wakeup import WorkerWaker

log = logging.getLogger(__name__)


@click.command(cls=DatabaseCommand)
def listen() -> None:
    """Accept email over SMTP and LMTP.

    LMTP needs CORR_LMTP_LISTEN. If CORR_SMTP_CERT and CORR_SMTP_KEY name files, both offer TLS (STARTTLS).

    Example: corr listen
    """
    config = Config.from_env(os.environ)
    set_up_logging(config.log_level)
    stop = catch_stop_signals()
    entrance = EmailEntrance(open_server(), WorkerWaker(config.broker_url))
    places = [parse_listen_address(config.smtp_listen, SmtpProtocol)]
    if config.lmtp_listen:
        places.append(parse_listen_address(config.lmtp_listen, LmtpProtocol))
    certificate = None
    if config.smtp_cert:  # its file may hold the key too
        certificate = Certificate(Path(config.smtp_cert), Path(config.smtp_key or config.smtp_cert))
    listeners = [Listener(entrance, place, config.domain, certificate=certificate) for place in places]
    for place, listener in zip(places, listeners, strict=True):
        try:
            listener.start()
        except OSError as error:
            raise click.ClickException(
                f"Can't listen on {place.host}:{place.port}: {error}. Free that port, or choose "
                "another in the environment."
            ) from error
        log.info("accepting email", extra={"host": place.host, "port": place.port})
    stop.wait()
    for listener in listeners:
        listener.stop()


# How long we wait at the end for emails that are being stored; any other email is fetched again.
_SECONDS = 10


@click.command(cls=DatabaseCommand)
def fetch() -> None:
    """Fetch email over IMAP from the mailboxes in CORR_IMAP_URL.

    Example: corr fetch
    """
    config = Config.from_env(os.environ)
    mailboxes = parse_mailboxes(config.mailboxes)
    set_up_logging(config.log_level)
    stop = catch_stop_signals()
    entrance = EmailEntrance(open_server(), WorkerWaker(config.broker_url))
    threads = [
        threading.Thread(
            target=Fetcher(each, entrance.store_without_envelope, stop).run, name="fetcher", daemon=True
        )
        for each in mailboxes
    ]
    for thread in threads:
        thread.start()
    stop.wait()
    for thread in threads:
        thread.join(_SECONDS)
