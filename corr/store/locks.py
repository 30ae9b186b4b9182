"""Inserts rows once and runs work one at a time, however many processes try at the same time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, func, inspect, literal, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import ReturningInsert

from corr.store.tables import Base, InboxRow


def insert_if_new(connection: Connection, kind: type[Base], **values: Any) -> bool:
    """Insert a row unless its key exists; return True if it is new."""
    return connection.execute(_once(kind, connection.dialect.name), values).first() is not None


def insert_new_email(connection: Connection, kind: type[InboxRow], **values: Any) -> int | None:
    """Insert a row unless its key exists; return its number if it is new."""
    return connection.execute(_numbered_insert(kind, connection.dialect.name), values).scalar_one_or_none()


def upsert_rows(
    connection: Connection, kind: type[Base], rows: Sequence[Mapping[str, Any]], *, added: tuple[str, ...]
) -> None:
    """Insert rows or update those with the same keys; columns in `added` are added to the old values."""
    connection.execute(_changing(kind, added, connection.dialect.name), rows)


def insert_into(kind: type[Base], database: str) -> postgresql.Insert | sqlite.Insert:
    """Return an insert in the words of the database, which can then skip or update rows."""
    return postgresql.insert(kind) if database == "postgresql" else sqlite.insert(kind)


def take_lock(connection: Connection, name: str) -> None:
    """Wait for the lock of this name until the transaction ends; SQLite's writing transactions are serial anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(func.hashtext(name))))


@cache
def _once(kind: type[Base], database: str) -> ReturningInsert[int]:
    return insert_into(kind, database).on_conflict_do_nothing().returning(literal(1))


@cache
def _numbered_insert(kind: type[InboxRow], database: str) -> ReturningInsert[int]:
    return insert_into(kind, database).on_conflict_do_nothing().returning(kind.id)


@cache
def _changing(kind: type[Base], added: tuple[str, ...], database: str) -> postgresql.Insert | sqlite.Insert:
    insert, columns = insert_into(kind, database), inspect(kind).columns
    changed = {each.name: insert.excluded[each.name] for each in columns if not each.primary_key}
    counted = {name: columns[name] + changed[name] for name in added}
    return insert.on_conflict_do_update(index_elements=inspect(kind).primary_key, set_=changed | counted)
