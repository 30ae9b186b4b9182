"""Letters about a section: that it begins, how it stands by now, that it is over or was stopped."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, or_, select, update
from sqlalchemy.exc import OperationalError

from corr import limits
from corr.desk.events import entrants, events, standings
from corr.desk.events.events import Stage
from corr.desk.house import House
from corr.desk.people import mailboxes, mailing
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import EntrantRow, Moment, Player

log = logging.getLogger(__name__)

_BATCH = 200
#: The kinds of these letters.
KINDS = ("section", "crosstable", "event_stopped")


class _Due(NamedTuple):
    id: int


_MAY = EntrantRow.news_from.is_not(None) & or_(
    EntrantRow.told_at.is_(None), EntrantRow.told_at <= bindparam("rested", type_=Moment)
)
_DUE = select(EntrantRow.id).where(_MAY).order_by(EntrantRow.told_at).limit(_BATCH)
_TAKE = (
    update(EntrantRow)
    .where(EntrantRow.id == bindparam("entrant"), _MAY)
    .values(news_from=None, told_at=bindparam("now", type_=Moment))
    .returning(EntrantRow.event_id, EntrantRow.player_id)
)
_MAILING = select(Player.mailing).where(Player.id == bindparam("player"))


def write_some(house: House, now: datetime) -> int:
    """Write to those who have not been told how it stands; how many were looked at."""
    asked = {"rested": now - limits.BETWEEN_CROSSTABLES}
    with house.store.asking() as connection:
        due = rows_of(_Due, connection.execute(_DUE, asked))
    return sum(_write_one(house, each.id, asked | {"now": now}) for each in due)


def _write_one(house: House, entrant_id: int, asked: dict[str, datetime]) -> bool:
    """One that cannot be written must not hold up the others."""
    try:
        with house.store.writing() as connection:
            taken = one_or_none_of(_Taken, connection.execute(_TAKE, asked | {"entrant": entrant_id}))
            if taken is None:
                return False
            _write(connection, taken.event_id, taken.player_id, "crosstable", asked["now"])
            return True
    except OperationalError:
        raise
    except Exception:
        log.exception("a crosstable could not be written to an entrant", extra={"entrant": entrant_id})
        return False


class _Taken(NamedTuple):
    event_id: int
    player_id: int


def tell_of_beginning(connection: Connection, event_id: int, now: datetime) -> None:
    """A section begins: its players are told who plays."""
    _tell_all(connection, event_id, "section", now)


def tell_of_stop(connection: Connection, event_id: int, reason: str, now: datetime) -> None:
    """An operator has stopped an event: who was in it is told why."""
    _tell_all(connection, event_id, "event_stopped", now, reason=reason)


def _tell_all(connection: Connection, event_id: int, kind: str, now: datetime, **words: object) -> None:
    """To all who play in it, their mailboxes held in one order."""
    readers = [each.player_id for each in standings.people(entrants.of_event(connection, event_id))]
    if readers:
        mailboxes.hold(connection, *(mailboxes.of_player(connection, each) for each in readers))
    for each in readers:
        _write(connection, event_id, each, kind, now, **words)


def _write(
    connection: Connection, event_id: int, player_id: int, kind: str, now: datetime, **words: object
) -> None:
    """Not to whom no letter tells of games."""
    if connection.execute(_MAILING, {"player": player_id}).scalar_one() == mailing.OFF:
        return
    to = mailboxes.of_player(connection, player_id)
    mailboxes.write_unasked(connection, to, kind, now, event=event_id, **words)


def worded(connection: Connection, house: House, event_id: int) -> dict[str, Any]:
    """What such a letter says, as it is when it is composed: nobody's name is kept with it."""
    standing = standings.of_event(connection, events.by_id(connection, event_id))
    event = standing.event
    return {
        "title": event.title,
        "terms": event.terms,
        "code": event.code,
        "is_over": event.state == Stage.OVER,
        "table": standings.drawn(standing).splitlines(),
        "page": f"{house.web_url}/events/{event.place}",
    }
