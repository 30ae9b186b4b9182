"""A row that is written once, however many write it at the same time."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, literal
from sqlalchemy.dialects import postgresql, sqlite

from corr.store.tables import Base


def insert_once(connection: Connection, kind: type[Base], **values: Any) -> bool:
    """Insert a row unless one with the same key is there; True if it is new."""
    database = postgresql if connection.dialect.name == "postgresql" else sqlite
    row = database.insert(kind).values(values).on_conflict_do_nothing().returning(literal(1))
    return connection.execute(row).first() is not None
