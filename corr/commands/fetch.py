"""`corr fetch`: letters out of mailboxes elsewhere."""

from __future__ import annotations

import os
import threading

import click

from corr.commands.open_house import AtTheDatabase, the_house
from corr.config import Config
from corr.json_log import open_logbook
from corr.mail.imap import Fetcher, mailboxes_of
from corr.mail_entrance import FrontDoor
from corr.stop_signals import heed_signals
from corr.worker_wakeup import Knocker

# A letter that is being kept is kept within so many seconds; one that is not comes again.
_SECONDS = 10


@click.command(cls=AtTheDatabase)
def fetch() -> None:
    """Fetch email over IMAP from the mailboxes in CORR_IMAP_URL.

    Example: corr fetch
    """
    config = Config.from_env(os.environ)
    mailboxes = mailboxes_of(config.mailboxes)
    open_logbook(config.log_level)
    stop = heed_signals()
    door = FrontDoor(the_house(), Knocker(config.broker_url))
    threads = [
        threading.Thread(target=Fetcher(each, door.collect, stop).run, name="fetcher", daemon=True)
        for each in mailboxes
    ]
    for thread in threads:
        thread.start()
    stop.wait()
    for thread in threads:
        thread.join(_SECONDS)
