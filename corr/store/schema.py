"""The tables' versions: up to the newest, down to none, and where a database stands."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from corr.store.session import Store
from corr.words import Misconfigured

_MIGRATIONS = Path(__file__).parent / "migrations"


def upgrade(store: Store, revision: str = "head") -> None:
    """Bring a database to the newest tables."""
    _keep_private(store)
    with store.writing() as connection:
        _alone(connection)
        command.upgrade(_settings(connection), revision)


def downgrade(store: Store, revision: str = "base") -> None:
    """Take tables back; what they held is lost."""
    with store.writing() as connection:
        _alone(connection)
        command.downgrade(_settings(connection), revision)


def require_newest(store: Store) -> None:
    """Refuse to work on tables of another version, or on none at all."""
    try:
        with store.reading() as connection:
            current = MigrationContext.configure(connection).get_current_revision()
    except OperationalError as error:
        raise Misconfigured(f"The database does not answer: {error.orig}") from error
    if current != ScriptDirectory(str(_MIGRATIONS)).get_current_head():
        raise Misconfigured("The database's tables are not of this version: run `corr db upgrade` first.")


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
    settings.set_main_option("script_location", str(_MIGRATIONS))
    settings.attributes["connection"] = connection
    return settings
