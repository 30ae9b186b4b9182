"""Takes players off the leaderboards who have not played for long or whose rating is too uncertain."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select, update

from corr.service.house import House
from corr.service.ratings.rating import TURNS
from corr.store.leases import NOW
from corr.store.locks import take_turns
from corr.store.tables import RatingRow

_IS_OVER = RatingRow.listed_until <= NOW
_ANY = select(select(RatingRow.player_id).where(_IS_OVER).exists())
_UNLIST = update(RatingRow).where(_IS_OVER).values(listed_until=None)


def unlist_some(house: House, now: datetime) -> int:
    """Take expired ratings off the leaderboards, and return how many."""
    with house.store.asking() as connection:
        if not connection.execute(_ANY, {"now": now}).scalar_one():
            return 0
    with house.store.writing() as connection:
        take_turns(connection, TURNS)
        return connection.execute(_UNLIST, {"now": now}).rowcount
