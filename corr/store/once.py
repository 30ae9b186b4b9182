"""A row that is written once, however many write it at the same time."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import Connection, literal
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import ReturningInsert

from corr.store.tables import Base


def insert_once(connection: Connection, kind: type[Base], **values: Any) -> bool:
    """Insert a row unless one with the same key is there; True if it is new."""
    return connection.execute(_once(kind, connection.dialect.name), values).first() is not None


@cache
def _once(kind: type[Base], database: str) -> ReturningInsert[int]:
    insert = postgresql.insert if database == "postgresql" else sqlite.insert
    return insert(kind).on_conflict_do_nothing().returning(literal(1))
