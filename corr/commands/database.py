"""`corr db`, `corr backup` and `corr restored`: update the tables, copy them, and go on after a restore."""

from __future__ import annotations

from pathlib import Path

import click

from corr.commands.open_server import DatabaseCommand, open_server, wake_workers
from corr.store import backups, database_roles, migrate
from corr.worker_wakeup import Work


@click.command(cls=DatabaseCommand)
def upgrade() -> None:
    """Create the tables, or update them to this version.

    Example: corr db upgrade
    """
    migrate.upgrade(open_server(at_any_version=True).store)
    click.echo("The tables are up to date.")


@click.command(cls=DatabaseCommand)
@click.argument("revision", default="base")
@click.confirmation_option(prompt="This deletes data, or everything if you give no REVISION. Continue?")
def downgrade(revision: str) -> None:
    """Return the tables to a REVISION, or delete them all.

    Example: corr db downgrade 0050
    """
    migrate.downgrade(open_server(at_any_version=True).store, revision)
    click.echo("Done.")


@click.command(cls=DatabaseCommand)
@click.argument("role")
def grant(role: str) -> None:
    """Give a PostgreSQL ROLE the rights that the pages need.

    The role can't read hidden positions. Name it in CORR_WEB_DATABASE_URL, and repeat this after each `corr db
    upgrade`.

    Example: corr db grant corr_web
    """
    database_roles.grant_web_rights(open_server(at_any_version=True).store, role)
    click.echo(f"The role {role} can now do what the pages need, and can't read hidden positions.")


@click.command(cls=DatabaseCommand)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def backup(file: Path) -> None:
    """Copy the whole database into a new FILE.

    The site can keep running. The copy has every hidden position, address and email, so keep it as safe as the
    database.

    Example: corr backup corr-2026-10-31.backup
    """
    backups.copy(open_server().store, file)
    click.echo(f"Copied the database into {file}.")


@click.command(cls=DatabaseCommand)
@click.confirmation_option(prompt="Every player in a game in progress will get an email. Continue?")
def restored() -> None:
    """Tell corr that you restored its database from a backup.

    Run it once, before any other process. Emails sent since the backup are lost. Their numbers are skipped, so
    that corr recognises a reply to a lost email. The players of all games in progress get an email with their
    boards.

    Example: corr restored
    """
    from corr.service.admin import restore

    server = open_server()
    games = restore.resume_after_restore(server, server.now())
    wake_workers(Work.LETTERS)
    click.echo(f"Resumed {games} game{'' if games == 1 else 's'}.")
