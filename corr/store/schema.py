"""Migrates the tables, up to the newest version and down to none."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection

from corr.store import version
from corr.store.locks import take_lock
from corr.store.migrations import from_0005
from corr.store.session import Store
from corr.words.errors import Misconfigured

#: Two machines may be released at once.
_LOCK = "corr db upgrade"


def upgrade(store: Store, revision: str = "head") -> None:
    """Upgrade a database to the newest tables."""
    _keep_private(store)
    with store.writing() as connection:
        take_lock(connection, _LOCK)
        settings = _settings(connection)
        if _released(connection) == from_0005.VERSION:
            from_0005.set_aside(connection)
            command.upgrade(settings, from_0005.NEXT)
            from_0005.copy_back(connection)
        command.upgrade(settings, revision)
    store.update_statistics()


def downgrade(store: Store, revision: str = "base") -> None:
    """Downgrade the tables; what they held is lost."""
    with store.writing() as connection:
        take_lock(connection, _LOCK)
        _released(connection)
        command.downgrade(_settings(connection), revision)


def _released(connection: Connection) -> str | None:
    """Return the version of the tables, unless it is one between two releases, from which nothing upgrades."""
    found = MigrationContext.configure(connection).get_current_revision()
    if found and found < version.newest() and found not in (from_0005.VERSION, from_0005.NEXT):
        raise Misconfigured(
            f"The database's tables are at version {found}, between two releases, and this release can't upgrade them. "
            "Below 0050, upgrade them with the release e64bc27 first. Otherwise restore a backup made by a release."
        )
    return found


def _keep_private(store: Store) -> None:
    """Create a SQLite file, and so the files beside it, as readable by its owner only."""
    if store.engine.dialect.name == "sqlite" and store.engine.url.database:
        with suppress(OSError):  # opening the file later reports what is wrong
            Path(store.engine.url.database).touch(0o600)


def _settings(connection: Connection) -> AlembicConfig:
    settings = AlembicConfig()
    settings.set_main_option("script_location", str(version.MIGRATIONS))
    settings.attributes["connection"] = connection
    return settings
