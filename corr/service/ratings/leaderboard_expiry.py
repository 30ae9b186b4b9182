"""Takes players off the leaderboards who have not played for long or whose rating is too uncertain."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select, update

from corr.service.ratings.rating import LOCK_NAME
from corr.service.server import Server
from corr.store.leases import NOW
from corr.store.locks import take_lock
from corr.store.tables import RatingRow

_IS_EXPIRED = RatingRow.listed_until <= NOW
_HAS_EXPIRED_QUERY = select(select(RatingRow.player_id).where(_IS_EXPIRED).exists())
_UNLIST = update(RatingRow).where(_IS_EXPIRED).values(listed_until=None)


def unlist_some(server: Server, now: datetime) -> int:
    """Take expired ratings off the leaderboards, and return how many."""
    with server.store.asking() as connection:
        if not connection.execute(_HAS_EXPIRED_QUERY, {"now": now}).scalar_one():
            return 0
    with server.store.writing() as connection:
        take_lock(connection, LOCK_NAME)
        return connection.execute(_UNLIST, {"now": now}).rowcount
