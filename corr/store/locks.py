"""Inserts rows once, leases waiting rows to workers, and takes named locks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from operator import attrgetter
from typing import Any, Generic, TypeVar

from sqlalchemy import (
    CTE,
    ColumnElement,
    Connection,
    Select,
    bindparam,
    exists,
    inspect,
    literal,
    or_,
    select,
    true,
    union_all,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.sql.dml import ReturningInsert, ReturningUpdate

from corr.store.rows import rows_of
from corr.store.session import Store
from corr.store.tables import Base, CallRow, InboxRow, Moment, OutboxRow, SiteInboxRow, SiteOutboxRow


def insert_if_new(connection: Connection, kind: type[Base], **values: Any) -> bool:
    """Insert a row unless its key exists; return True if it is new."""
    return connection.execute(_insert_or_skip(kind, connection.dialect.name), values).first() is not None


def insert_new_email(connection: Connection, kind: type[InboxRow], **values: Any) -> int | None:
    """Insert an incoming email unless its key exists; return its id or None."""
    return connection.execute(_numbered_insert(kind, connection.dialect.name), values).scalar_one_or_none()


def upsert_rows(
    connection: Connection, kind: type[Base], rows: Sequence[Mapping[str, Any]], *, added: tuple[str, ...]
) -> None:
    """Insert rows, or update those that exist; columns in `added` add to old values."""
    statement = _insert_or_update(kind, len(rows), added, connection.dialect.name)
    values = {f"{name}_{at}": value for at, row in enumerate(rows) for name, value in row.items()}
    connection.execute(statement, values)


def insert_into(kind: type[Base], database: str) -> postgresql.Insert | sqlite.Insert:
    """Return the database's own insert statement, which supports ON CONFLICT."""
    return postgresql.insert(kind) if database == "postgresql" else sqlite.insert(kind)


def take_lock(connection: Connection, name: str) -> None:
    """Take a named lock until the transaction ends; SQLite's writers take turns without it."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtext(%(name)s))", {"name": name})


@cache
def _insert_or_skip(kind: type[Base], database: str) -> ReturningInsert[int]:
    """Build an insert that returns a row, or none if the key exists."""
    return insert_into(kind, database).on_conflict_do_nothing().returning(literal(1))


@cache
def _numbered_insert(kind: type[InboxRow], database: str) -> ReturningInsert[int]:
    """Build an insert that returns the new row's id, and none if the key exists."""
    return insert_into(kind, database).on_conflict_do_nothing().returning(kind.id)


@cache
def _insert_or_update(
    kind: type[Base], count: int, added: tuple[str, ...], database: str
) -> postgresql.Insert | sqlite.Insert:
    """Build the insert-or-update statement for `upsert_rows`."""
    columns = inspect(kind).columns
    # VALUES of several rows would be built anew each time; SQLite needs a WHERE before ON CONFLICT.
    rows = (
        select(*(bindparam(f"{each.name}_{at}", type_=each.type) for each in columns)).where(true())
        for at in range(count)
    )
    insert = insert_into(kind, database).from_select(list(columns), union_all(*rows))
    changed = {each.name: insert.excluded[each.name] for each in columns if not each.primary_key}
    counted = {name: columns[name] + changed[name] for name in added}
    return insert.on_conflict_do_update(index_elements=inspect(kind).primary_key, set_=changed | counted)


EmailTable = type[InboxRow] | type[OutboxRow] | type[SiteInboxRow] | type[SiteOutboxRow]
Column = ColumnElement[Any] | InstrumentedAttribute[Any]

#: The present moment, as a parameter of prebuilt statements.
NOW = bindparam("now", type_=Moment)


def is_free(table: EmailTable | type[CallRow]) -> ColumnElement[bool]:
    """Return a condition for rows that no worker holds, or whose lease ran out."""
    return or_(table.leased_until.is_(None), table.leased_until < NOW)


_LeasedRow = TypeVar("_LeasedRow")


class Queue(Generic[_LeasedRow]):
    """A queue of due rows in a table, which workers claim under a lease."""

    def __init__(
        self,
        table: EmailTable,
        due: Select[int],
        alone: ColumnElement[bool],
        taken: Callable[..., _LeasedRow],
        *columns: Column,
    ) -> None:
        """`due` selects ids, `alone` those to claim singly; `taken` is the NamedTuple for `columns`."""
        self.waits = due.exists()
        self._taken, self._take = taken, _build_claim(table, due, alone, columns)

    def claim(self, store: Store, now: datetime, until: datetime, most: int) -> list[_LeasedRow]:
        """Claim up to `most` due rows under a lease, skipping those of other workers."""
        with store.writing() as connection:
            return self.take(connection, now, until, most)

    def take(self, connection: Connection, now: datetime, until: datetime, most: int) -> list[_LeasedRow]:
        """Claim due rows like `claim`, but within the caller's transaction."""
        asked = {"now": now, "until": until, "most": most}
        return sorted(rows_of(self._taken, connection.execute(self._take, asked)), key=attrgetter("id"))


def _build_claim(
    table: EmailTable, due: Select[int], alone: ColumnElement[bool], columns: Sequence[Column]
) -> ReturningUpdate[*tuple[Any, ...]]:
    """Build the UPDATE that claims one row to handle alone, or `most` others, until `until` (both bound)."""
    first = _locked_rows(table, due.where(alone).limit(1), "alone")
    others = due.where(~alone, ~exists(select(first.c.id))).limit(bindparam("most"))
    either = union_all(select(first.c.id), select(_locked_rows(table, others, "others").c.id))
    return (
        update(table)
        .where(table.id.in_(either))
        .values(leased_until=bindparam("until"), tries=table.tries + 1)
        .returning(*columns)
    )


def _locked_rows(table: EmailTable, due: Select[int], name: str) -> CTE:
    """Lock the due rows in a CTE, skipping those that another worker has locked."""
    return due.with_for_update(skip_locked=True, of=table).cte(name)


def release_rows(store: Store, table: EmailTable, ids: Sequence[int]) -> None:
    """Release rows that were claimed but not begun, as if they had never been claimed."""
    with store.writing() as connection:
        connection.execute(
            update(table).where(table.id.in_(ids)).values(leased_until=None, tries=table.tries - 1)
        )
