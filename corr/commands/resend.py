"""`corr letter resend`: letters out of the house, once more."""

from __future__ import annotations

import click

from corr.commands.open_house import AtTheDatabase, the_house
from corr.commands.worker_wakeup import knock
from corr.service import worker_rounds
from corr.worker_wakeup import Work


@click.command(cls=AtTheDatabase)
def resend() -> None:
    """Send all undelivered emails again.

    Example: corr letter resend
    """
    house = the_house()
    count = worker_rounds.revive(house, house.now())
    knock(Work.LETTERS)
    click.echo(f"Emails queued to be sent again: {count}.")
