"""Rows that wait for a worker, each taken by one for the time of a lease."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, bindparam, or_, select, update
from sqlalchemy.sql.dml import ReturningUpdate

from corr.store.session import Store
from corr.store.tables import InboxRow, Moment, OutboxRow, SiteInboxRow, SiteOutboxRow

Kind = type[InboxRow] | type[OutboxRow] | type[SiteInboxRow] | type[SiteOutboxRow]
Rows = Sequence[Row[*tuple[Any, ...]]]
Taking = ReturningUpdate[*tuple[Any, ...]]

#: The present moment, in a statement that is made once.
NOW = bindparam("now", type_=Moment)


def is_free(kind: Kind) -> ColumnElement[bool]:
    """True for a row that no worker has in hand: never claimed, given back, or its worker died."""
    return or_(kind.leased_until.is_(None), kind.leased_until < NOW)


class Queue:
    """Rows that are due by a query, which may use NOW: some come alone, and before the others."""

    def __init__(self, kind: Kind, due: Select[int], alone: ColumnElement[bool]) -> None:
        first, others = due.where(alone), due.where(~alone)
        self._look = select(first.exists(), others.exists())
        self._take_one, self._take_some = (_taking(kind, each) for each in (first, others))

    def claim(self, store: Store, now: datetime, until: datetime, most: int) -> Rows:
        """Take rows; what another worker is just taking is passed over, never waited for."""
        with store.asking() as connection:
            alone, others = connection.execute(self._look, {"now": now}).one()
        mine = {"now": now, "until": until}
        rows = _take(store, self._take_one, {**mine, "most": 1}) if alone else ()
        return rows or (_take(store, self._take_some, {**mine, "most": most}) if others else ())


def _taking(kind: Kind, due: Select[int]) -> Taking:
    named = due.limit(bindparam("most")).with_for_update(skip_locked=True, of=kind).cte("due")
    return (
        update(kind)
        .where(kind.id.in_(select(named.c.id)))
        .values(leased_until=bindparam("until"), tries=kind.tries + 1)
        .returning(kind.__table__)
    )


def _take(store: Store, taking: Taking, asked: dict[str, object]) -> Rows:
    with store.writing() as connection:
        return sorted(connection.execute(taking, asked).all(), key=lambda row: row.id)


def give_back(store: Store, kind: Kind, ids: Sequence[int]) -> None:
    """Let go of rows that were claimed and not begun, as if they had never been taken."""
    with store.writing() as connection:
        connection.execute(
            update(kind).where(kind.id.in_(ids)).values(leased_until=None, tries=kind.tries - 1)
        )
