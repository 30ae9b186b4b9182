"""Migrates the database's tables with Alembic, up to the newest version or back down."""

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

#: The name of a lock, since two machines may upgrade the database at once.
_LOCK = "corr db upgrade"


def upgrade(store: Store, revision: str = "head") -> None:
    """Create the tables, or migrate them up to a revision, by default the newest."""
    _keep_private(store)
    with store.writing() as connection:
        take_lock(connection, _LOCK)
        settings = _settings(connection)
        if _require_released_version(connection) == from_0005.VERSION:
            from_0005.set_aside(connection)
            command.upgrade(settings, from_0005.NEXT)
            from_0005.copy_back(connection)
        command.upgrade(settings, revision)
    store.update_statistics()


def downgrade(store: Store, revision: str = "base") -> None:
    """Migrate the tables back, by default to none; newer tables lose their data."""
    with store.writing() as connection:
        take_lock(connection, _LOCK)
        _require_released_version(connection)
        command.downgrade(_settings(connection), revision)


def _require_released_version(connection: Connection) -> str | None:
    """Return the tables' version, or None without tables; Misconfigured if no release had this version."""
    found = MigrationContext.configure(connection).get_current_revision()
    if found and found < version.newest() and found not in (from_0005.VERSION, from_0005.NEXT):
        raise Misconfigured(
            f"The database's tables are at version {found}, between two releases, and this release can't upgrade them. "
            "Below 0050, upgrade with the release e64bc27 first. Otherwise restore a backup made by a release."
        )
    return found


def _keep_private(store: Store) -> None:
    """Create the SQLite file, and so the files beside it, readable by its owner only."""
    if store.engine.dialect.name == "sqlite" and store.engine.url.database:
        with suppress(OSError):  # opening the file later reports what is wrong
            Path(store.engine.url.database).touch(0o600)


def _settings(connection: Connection) -> AlembicConfig:
    settings = AlembicConfig()
    settings.set_main_option("script_location", str(version.MIGRATIONS))
    settings.attributes["connection"] = connection
    return settings
