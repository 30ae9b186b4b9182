"""`corr fetch`: fetches emails from IMAP mailboxes."""

from __future__ import annotations

import os
import threading

import click

from corr.commands.open_server import DatabaseCommand, open_server
from corr.config import Config
from corr.json_log import set_up_logging
from corr.mail.imap import Fetcher, parse_mailboxes
from corr.processes import catch_stop_signals
from corr.service.mail.entrance import EmailEntrance
from corr.worker_wakeup import WorkerWaker

# A letter that is being kept is kept within so many seconds; one that is not comes again.
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
    door = EmailEntrance(open_server(), WorkerWaker(config.broker_url))
    threads = [
        threading.Thread(target=Fetcher(each, door.collect, stop).run, name="fetcher", daemon=True)
        for each in mailboxes
    ]
    for thread in threads:
        thread.start()
    stop.wait()
    for thread in threads:
        thread.join(_SECONDS)
