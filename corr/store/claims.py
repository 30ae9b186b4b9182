"""Rows that wait for a worker, each taken by one for the time of a lease."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, or_, select, update

from corr.store.session import Store
from corr.store.tables import InboxRow, OutboxRow

Kind = type[InboxRow] | type[OutboxRow]


def is_free(kind: Kind, now: datetime) -> ColumnElement[bool]:
    """True for a row that no worker has in hand: never claimed, given back, or its worker died."""
    return or_(kind.leased_until.is_(None), kind.leased_until < now)


def claim(store: Store, kind: Kind, due: Select[int], until: datetime) -> Sequence[Row[*tuple[Any, ...]]]:
    """Take the rows that a query names; what another worker is just taking is passed over, never waited for."""
    with store.reading() as connection:
        if connection.execute(due.limit(1)).first() is None:
            return ()
    named = due.with_for_update(skip_locked=True, of=kind).cte("due")
    taken = (
        update(kind)
        .where(kind.id.in_(select(named.c.id)))
        .values(leased_until=until, tries=kind.tries + 1)
        .returning(kind.__table__)
    )
    with store.writing() as connection:
        rows = connection.execute(taken).all()
    return sorted(rows, key=lambda row: row.id)


def give_back(store: Store, kind: Kind, ids: Sequence[int]) -> None:
    """Let go of rows that were claimed and not begun, as if they had never been taken."""
    with store.writing() as connection:
        connection.execute(
            update(kind).where(kind.id.in_(ids)).values(leased_until=None, tries=kind.tries - 1)
        )
