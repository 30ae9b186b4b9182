"""Opens the server for a command, and explains database errors."""

from __future__ import annotations

import os
from typing import Any

import click
from sqlalchemy.exc import DBAPIError

from corr.config import Config
from corr.service.server import Server, build_server
from corr.store import version
from corr.worker_wakeup import Work, WorkerWaker


class DatabaseCommand(click.Command):
    """A command that explains in one sentence why the database failed."""

    def invoke(self, ctx: click.Context) -> Any:  # click's own signature
        """Run the command; report a database error as one sentence, not a traceback."""
        try:
            return super().invoke(ctx)
        except DBAPIError as error:
            was_asked = error.statement is not None and not error.connection_invalidated
            trouble = "The database reports an error" if was_asked else "The database does not answer"
            raise click.ClickException(f"{trouble}: {error.orig}") from error


def open_server(*, at_any_version: bool = False) -> Server:
    """Open the server from the environment's settings, with the newest tables unless told otherwise."""
    server = build_server(Config.from_env(os.environ))
    click.get_current_context().call_on_close(server.store.close)
    if not at_any_version:
        version.require_newest(server.store)
    return server


_PATIENCE = 2.0


def wake_workers(work: Work) -> None:
    """Tell the workers that there is work; without Redis they find it soon by themselves."""
    redis_url = Config.from_env(os.environ).redis_url
    if redis_url:
        knocker = WorkerWaker(redis_url)
        knocker(work)
        knocker.finish(_PATIENCE)
