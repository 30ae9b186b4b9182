"""`corr letter resend`: sends emails again that we had given up."""

from __future__ import annotations

import click

from corr.commands.open_server import DatabaseCommand, open_server
from corr.commands.worker_wakeup import wake_workers
from corr.service import worker_rounds
from corr.worker_wakeup import Work


@click.command(cls=DatabaseCommand)
def resend() -> None:
    """Send all undelivered emails again.

    Example: corr letter resend
    """
    server = open_server()
    count = worker_rounds.revive(server, server.now())
    wake_workers(Work.LETTERS)
    click.echo(f"Emails queued to be sent again: {count}.")
