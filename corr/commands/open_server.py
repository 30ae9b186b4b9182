"""Opens the server for a command, and explains database errors."""

from __future__ import annotations

import os
from typing import Any

import click
from sqlalchemy.exc import DBAPIError

from corr.config import Config
from corr.service.server import Server, build_server
from corr.store import version
from corr.store.session import Store


class DatabaseCommand(click.Command):
    """A command that explains in one sentence why the database failed."""

    def invoke(self, ctx: click.Context) -> Any:  # click's own signature
        try:
            return super().invoke(ctx)
        except DBAPIError as error:
            raise click.ClickException(f"{_trouble(error)}: {error.orig}") from error


def _trouble(error: DBAPIError) -> str:
    """Say whether the database refused a statement or couldn't be reached."""
    was_asked = error.statement is not None and not error.connection_invalidated
    return "The database refused" if was_asked else "The database does not answer"


def open_store() -> Store:
    """Open the database from the environment's settings, at any version."""
    store = build_server(Config.from_env(os.environ)).store
    click.get_current_context().call_on_close(store.close)
    return store


def open_server() -> Server:
    """Open the server from the environment's settings; its tables must be the newest."""
    server = build_server(Config.from_env(os.environ))
    click.get_current_context().call_on_close(server.store.close)
    version.require_newest(server.store)
    return server
