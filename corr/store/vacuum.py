"""Gives unused pages of the database file back to the disk."""

from __future__ import annotations

import sqlite3
from typing import Any

from sqlalchemy.exc import OperationalError

from corr.store.session import Store

#: The part of the file that stays empty, since new rows need it soon.
_SPARE = 1 / 16
_MOST_PAGES = 1_000


def free_unused_pages(store: Store, most: int = _MOST_PAGES) -> int:
    """Give back some surplus empty pages; return how many. PostgreSQL does this by itself."""
    if store.engine.dialect.name != "sqlite":
        return 0
    with store.asking() as connection:
        driver: Any = connection.connection.driver_connection
        (pages,), (empty,) = (
            driver.execute(f"PRAGMA {count}").fetchone() for count in ("page_count", "freelist_count")
        )
        surplus = min(empty - int(pages * _SPARE), most)
        if surplus <= 0:
            return 0
        script = f"PRAGMA incremental_vacuum({surplus})"
        try:
            driver.executescript(script)  # a single statement would give back only one page
        except sqlite3.OperationalError as error:
            raise OperationalError(script, None, error) from error
        (left,) = driver.execute("PRAGMA freelist_count").fetchone()
        return int(empty - left)
