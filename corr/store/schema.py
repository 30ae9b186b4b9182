"""The tables, up to the newest version and down to none."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from alembic import command
from alembic.config import Config as AlembicConfig
from sqlalchemy import Connection

from corr.store.session import Store
from corr.store.version import MIGRATIONS


def upgrade(store: Store, revision: str = "head") -> None:
    """Bring a database to the newest tables."""
    _keep_private(store)
    with store.writing() as connection:
        _alone(connection)
        command.upgrade(_settings(connection), revision)
    store.take_stock()


def downgrade(store: Store, revision: str = "base") -> None:
    """Take tables back; what they held is lost."""
    with store.writing() as connection:
        _alone(connection)
        command.downgrade(_settings(connection), revision)


def _keep_private(store: Store) -> None:
    """A new SQLite file is nobody else's to read, and neither are the files that SQLite makes beside it."""
    if store.engine.dialect.name == "sqlite" and store.engine.url.database:
        with suppress(OSError):  # what cannot be made is said when it is opened
            Path(store.engine.url.database).touch(0o600)


def _alone(connection: Connection) -> None:
    """Two machines may be released at the same time; SQLite's writing transactions are alone anyway."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtext('corr db upgrade'))")


def _settings(connection: Connection) -> AlembicConfig:
    settings = AlembicConfig()
    settings.set_main_option("script_location", str(MIGRATIONS))
    settings.attributes["connection"] = connection
    return settings
