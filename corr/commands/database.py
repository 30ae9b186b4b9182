"""`corr db`, `corr backup` and `corr restored`: the database as a whole."""

from __future__ import annotations

from pathlib import Path

import click

from corr.commands.house import AtTheDatabase, the_house, the_store
from corr.commands.knock import knock
from corr.desk.operator import restore
from corr.knock import Work
from corr.store import copies, roles, schema


@click.command(cls=AtTheDatabase)
def upgrade() -> None:
    """Make the tables, or bring them to the newest version."""
    schema.upgrade(the_store())
    click.echo("The tables are of the newest version.")


@click.command(cls=AtTheDatabase)
@click.argument("revision", default="base")
@click.confirmation_option(prompt="What the tables hold will be lost. Go on?")
def downgrade(revision: str) -> None:
    """Take the tables back to a REVISION, or away."""
    schema.downgrade(the_store(), revision)
    click.echo("Done.")


@click.command(cls=AtTheDatabase)
@click.argument("role")
def grant(role: str) -> None:
    """Let a PostgreSQL ROLE do what the pages need, and read no truth.

    Give the pages the role by CORR_WEB_DATABASE_URL. Say it again after each `corr db upgrade`.
    """
    roles.let_the_web_work(the_store(), role)
    click.echo(f"{role} may do what the pages need, and read no truth.")


@click.command(cls=AtTheDatabase)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def backup(file: Path) -> None:
    """Copy the whole database into a new FILE, while the house works.

    The copy holds every truth, address and letter: keep it as you keep the database.
    """
    copies.copy(the_house().store, file)
    click.echo(f"The database is copied into {file}.")


@click.command(cls=AtTheDatabase)
@click.confirmation_option(prompt="Every player of a running game will get a letter. Go on?")
def restored() -> None:
    """Say, once, that the database was restored from a copy, before anything else is started.

    What was sent since the copy was taken is lost. Its numbers are skipped, so that a reply to a lost letter is
    known as one, and the players of all running games are told and get their boards.
    """
    house = the_house()
    games = restore.resume(house, house.now())
    knock(Work.LETTERS)
    click.echo(f"{games} game{'' if games == 1 else 's'} resumed.")
