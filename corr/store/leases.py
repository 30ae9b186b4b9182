"""Lets workers claim waiting rows, each for the time of a lease."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any, Generic, TypeVar

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
from corr.store.tables import CallRow, InboxRow, Moment, OutboxRow, SiteInboxRow, SiteOutboxRow

EmailTable = type[InboxRow] | type[OutboxRow] | type[SiteInboxRow] | type[SiteOutboxRow]
Column = ColumnElement[Any] | InstrumentedAttribute[Any]

#: The present moment, as a parameter of prebuilt statements.
NOW = bindparam("now", type_=Moment)


def is_free(table: EmailTable | type[CallRow]) -> ColumnElement[bool]:
    """True for a row that no worker holds: never claimed, released, or its worker died."""
    return or_(table.leased_until.is_(None), table.leased_until < NOW)


_LeasedRow = TypeVar("_LeasedRow")


class Queue(Generic[_LeasedRow]):
    """A queue of due rows, by a query that may use NOW; some are claimed alone and first."""

    def __init__(
        self,
        table: EmailTable,
        due: Select[int],
        alone: ColumnElement[bool],
        taken: Callable[..., _LeasedRow],
        *columns: Column,
    ) -> None:
        """`taken` is the NamedTuple class for these columns of a claimed row."""
        self.waits = due.exists()
        self._taken, self._take = taken, _taking(table, due, alone, columns)

    def claim(self, store: Store, now: datetime, until: datetime, most: int) -> list[_LeasedRow]:
        """Claim rows, skipping those that another worker is claiming instead of waiting for them."""
        with store.writing() as connection:
            return self.take(connection, now, until, most)

    def take(self, connection: Connection, now: datetime, until: datetime, most: int) -> list[_LeasedRow]:
        """Claim rows in an open transaction; the claim takes effect when it commits."""
        asked = {"now": now, "until": until, "most": most}
        return sorted(rows_of(self._taken, connection.execute(self._take, asked)), key=attrgetter("id"))


def _taking(
    table: EmailTable, due: Select[int], alone: ColumnElement[bool], columns: Sequence[Column]
) -> ReturningUpdate[*tuple[Any, ...]]:
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
    return due.with_for_update(skip_locked=True, of=table).cte(name)


def release_rows(store: Store, table: EmailTable, ids: Sequence[int]) -> None:
    """Release rows that were claimed but not begun, as if they had never been claimed."""
    with store.writing() as connection:
        connection.execute(
            update(table).where(table.id.in_(ids)).values(leased_until=None, tries=table.tries - 1)
        )
