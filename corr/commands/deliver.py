"""`corr deliver`: takes one email from a mail server's pipe."""

from __future__ import annotations

import sys

import click

from corr.commands.open_server import DatabaseCommand, open_server, wake_workers
from corr.service.mail import inbox
from corr.service.mail.arrivals import Arrival
from corr.worker_wakeup import Work

_NO_USER, _TRY_LATER = 67, 75  # what a mail server expects of a delivery command (sysexits.h)


@click.command(cls=DatabaseCommand)
@click.option(
    "--to", "recipients", multiple=True, help="The envelope's recipient, if the mail server passes it on."
)
def deliver(recipients: tuple[str, ...]) -> None:
    """Accept one email from standard input.

    Your mail server can pipe emails to this command. It exits with status 67 if nobody here has that address,
    and with 75 if the mail server should try again later.

    Example: corr deliver --to umpire@play.example.org < message.eml
    """
    try:
        server = open_server()
        taken = inbox.store_email(server, Arrival(sys.stdin.buffer.read(), recipients, server.now()))
    except Exception as error:  # noqa: BLE001  # whatever is wrong here, the email must not bounce
        click.echo(f"The email could not be stored. Please try again later. Cause: {error}", err=True)
        sys.exit(_TRY_LATER)
    if not taken:
        click.echo(
            "There is no such address here. Please reply to the latest email about your game.", err=True
        )
        sys.exit(_NO_USER)
    wake_workers(Work.LETTERS)
