"""Rows that wait for a worker, each taken by one for the time of a lease."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, bindparam, or_, select, update

from corr.store.session import Store
from corr.store.tables import InboxRow, Moment, OutboxRow

Kind = type[InboxRow] | type[OutboxRow]

#: The present moment, in a statement that is made once.
NOW = bindparam("now", type_=Moment)


def is_free(kind: Kind) -> ColumnElement[bool]:
    """True for a row that no worker has in hand: never claimed, given back, or its worker died."""
    return or_(kind.leased_until.is_(None), kind.leased_until < NOW)


class Queue:
    """The rows that a query names: it may use NOW."""

    def __init__(self, kind: Kind, due: Select[int]) -> None:
        named = due.limit(bindparam("most")).with_for_update(skip_locked=True, of=kind).cte("due")
        self._first = due.limit(1)
        self._take = (
            update(kind)
            .where(kind.id.in_(select(named.c.id)))
            .values(leased_until=bindparam("until"), tries=kind.tries + 1)
            .returning(kind.__table__)
        )

    def claim(
        self, store: Store, now: datetime, until: datetime, most: int
    ) -> Sequence[Row[*tuple[Any, ...]]]:
        """Take rows; what another worker is just taking is passed over, never waited for."""
        with store.reading() as connection:
            if connection.execute(self._first, {"now": now}).first() is None:
                return ()
        with store.writing() as connection:
            rows = connection.execute(self._take, {"now": now, "until": until, "most": most}).all()
        return sorted(rows, key=lambda row: row.id)


def give_back(store: Store, kind: Kind, ids: Sequence[int]) -> None:
    """Let go of rows that were claimed and not begun, as if they had never been taken."""
    with store.writing() as connection:
        connection.execute(
            update(kind).where(kind.id.in_(ids)).values(leased_until=None, tries=kind.tries - 1)
        )
