"""Compares the version of the database's tables with the newest one that this program has."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import inspect
from sqlalchemy.exc import OperationalError

from corr.store.session import Store
from corr.words.errors import Misconfigured

MIGRATIONS = Path(__file__).parent / "migrations"


def newest() -> str:
    """Return the number of the newest migration, such as 0058."""
    return max(file.name for file in (MIGRATIONS / "versions").glob("[0-9]*.py")).partition("_")[0]


def current(store: Store) -> str | None:
    """Return the number of the last migration that the database has had; None without tables."""
    with store.reading() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        found: str | None = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        return found


def require_newest(store: Store) -> None:
    """Raise Misconfigured unless the tables have the newest version; for processes that start."""
    try:
        found = current(store)
    except OperationalError as error:
        raise Misconfigured(f"The database doesn't answer: {error.orig}") from error
    if found != newest():
        raise Misconfigured("The database's tables belong to another version. Run: corr db upgrade")
