"""`corr letter resend`: letters out of the house, once more."""

from __future__ import annotations

import click

from corr.commands.house import AtTheDatabase, the_house
from corr.commands.knock import knock
from corr.desk import rounds
from corr.knock import Work


@click.command(cls=AtTheDatabase)
def resend() -> None:
    """Send all undelivered emails again.

    Example: corr letter resend
    """
    house = the_house()
    count = rounds.revive(house, house.now())
    knock(Work.LETTERS)
    click.echo(f"Emails queued to be sent again: {count}.")
