"""Rows that wait for a worker, each taken by one for the time of a lease."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

from sqlalchemy import (
    CTE,
    ColumnElement,
    Connection,
    Select,
    bindparam,
    exists,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.sql.dml import ReturningUpdate

from corr.store.rows import rows_of
from corr.store.session import Store
from corr.store.tables import InboxRow, Moment, OutboxRow, SiteInboxRow, SiteOutboxRow

LetterTable = type[InboxRow] | type[OutboxRow] | type[SiteInboxRow] | type[SiteOutboxRow]
Column = ColumnElement[Any] | InstrumentedAttribute[Any]
Taking = ReturningUpdate[*tuple[Any, ...]]

#: The present moment, in a statement that is made once.
NOW = bindparam("now", type_=Moment)


def is_free(table: LetterTable) -> ColumnElement[bool]:
    """True for a row that no worker has in hand: never claimed, given back, or its worker died."""
    return or_(table.leased_until.is_(None), table.leased_until < NOW)


class Numbered(Protocol):
    """A row that was taken."""

    @property
    def id(self) -> int: ...


_Taken = TypeVar("_Taken", bound=Numbered)


class Queue(Generic[_Taken]):
    """Rows that are due by a query, which may use NOW: some come alone, and before the others."""

    def __init__(
        self,
        table: LetterTable,
        due: Select[int],
        alone: ColumnElement[bool],
        taken: Callable[..., _Taken],
        *columns: Column,
    ) -> None:
        """`taken` is what a row is that was taken, a NamedTuple of these columns."""
        self.waits = due.exists()
        self._taken, self._take = taken, _taking(table, due, alone, columns)

    def claim(self, store: Store, now: datetime, until: datetime, most: int) -> list[_Taken]:
        """Take rows; what another worker is just taking is passed over, never waited for."""
        with store.writing() as connection:
            return self.take(connection, now, until, most)

    def take(self, connection: Connection, now: datetime, until: datetime, most: int) -> list[_Taken]:
        """The same in a transaction that goes on; they are taken once it is committed."""
        asked = {"now": now, "until": until, "most": most}
        return sorted(rows_of(self._taken, connection.execute(self._take, asked)), key=lambda row: row.id)


def _taking(
    table: LetterTable, due: Select[int], alone: ColumnElement[bool], columns: Sequence[Column]
) -> Taking:
    first = _named(table, due.where(alone).limit(1), "alone")
    others = due.where(~alone, ~exists(select(first.c.id))).limit(bindparam("most"))
    either = union_all(select(first.c.id), select(_named(table, others, "others").c.id))
    return (
        update(table)
        .where(table.id.in_(either))
        .values(leased_until=bindparam("until"), tries=table.tries + 1)
        .returning(*columns)
    )


def _named(table: LetterTable, due: Select[int], name: str) -> CTE:
    return due.with_for_update(skip_locked=True, of=table).cte(name)


def give_back(store: Store, table: LetterTable, ids: Sequence[int]) -> None:
    """Let go of rows that were claimed and not begun, as if they had never been taken."""
    with store.writing() as connection:
        connection.execute(
            update(table).where(table.id.in_(ids)).values(leased_until=None, tries=table.tries - 1)
        )
