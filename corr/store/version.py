"""Which version a database's tables are of, and which one is the newest: the numbers that the migrations begin with."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import inspect
from sqlalchemy.exc import OperationalError

from corr.store.session import Store
from corr.words.errors import Misconfigured

MIGRATIONS = Path(__file__).parent / "migrations"


def newest() -> str:
    """The version of this program."""
    return max(file.name for file in (MIGRATIONS / "versions").glob("[0-9]*.py")).partition("_")[0]


def current(store: Store) -> str | None:
    """The version of the tables, or None where there are none."""
    with store.reading() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        found: str | None = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        return found


def require_newest(store: Store) -> None:
    """Refuse to work on tables of another version, or on none at all."""
    try:
        found = current(store)
    except OperationalError as error:
        raise Misconfigured(f"The database doesn't answer: {error.orig}") from error
    if found != newest():
        raise Misconfigured("The database's tables belong to another version. Run: corr db upgrade")
