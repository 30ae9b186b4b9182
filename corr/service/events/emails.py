"""Writes emails about a section: it begins, its standings, it is over, it was stopped."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, or_, select, update
from sqlalchemy.exc import OperationalError

from corr import limits
from corr.service.events import events, standings
from corr.service.events.events import Stage
from corr.service.house import House
from corr.service.players import mail_preferences, mailboxes
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import EntrantRow, EventAct, Moment, Player

log = logging.getLogger(__name__)

_BATCH = 200
#: The kinds of these emails.
KINDS = ("section", "crosstable", "event_stopped")


class _Due(NamedTuple):
    id: int


class _Held(NamedTuple):
    event_id: int
    player_id: int
    at_once: bool  # the first news, or news that does not wait a day


_MAY = EntrantRow.news_from.is_not(None) & or_(
    EntrantRow.told_at.is_(None), EntrantRow.told_at <= bindparam("rested", type_=Moment)
)
_FIRST_UNTOLD = EntrantRow.told_at.asc().nulls_first(), EntrantRow.id
_DUE = select(EntrantRow.id).where(_MAY).order_by(*_FIRST_UNTOLD).limit(_BATCH)
_HELD = (
    select(EntrantRow.event_id, EntrantRow.player_id, EntrantRow.told_at.is_(None).label("at_once"))
    .where(EntrantRow.id == bindparam("entrant"), _MAY)
    .with_for_update()
)
_TELL = (
    update(EntrantRow)
    .where(EntrantRow.id == bindparam("of"))
    .values(news_from=None, told_at=bindparam("now", type_=Moment))
)
_WHY = (
    select(EventAct.reason)
    .where(EventAct.event_id == bindparam("event"), EventAct.deed == "stopped")
    .order_by(EventAct.number.desc())
    .limit(1)
)
_MAILING = select(Player.mailing).where(Player.id == bindparam("player"))


def write_some(house: House, now: datetime) -> int:
    """Email the standings to players with news due, and return how many were checked."""
    asked = {"rested": now - limits.BETWEEN_CROSSTABLES}
    with house.store.asking() as connection:
        due = rows_of(_Due, connection.execute(_DUE, asked))
    return sum(_write_one(house, each.id, asked | {"now": now}) for each in due)


def _write_one(house: House, entrant_id: int, asked: dict[str, datetime]) -> bool:
    """Write one email; a failure must not hold up the others."""
    try:
        with house.store.writing() as connection:
            held = one_or_none_of(_Held, connection.execute(_HELD, asked | {"entrant": entrant_id}))
            if held is None:
                return False
            connection.execute(_TELL, {"of": entrant_id, "now": asked["now"]})
            _write(connection, held, asked["now"])
            return True
    except OperationalError:
        raise
    except Exception:
        log.exception(
            "could not email the standings to a player; will try again", extra={"entrant": entrant_id}
        )
        return False


def _write(connection: Connection, held: _Held, now: datetime) -> None:
    """Write unless the player turned off emails about games."""
    if connection.execute(_MAILING, {"player": held.player_id}).scalar_one() == mail_preferences.OFF:
        return
    to, state = mailboxes.of_player(connection, held.player_id), events.by_id(connection, held.event_id).state
    mailboxes.write_unasked(connection, to, _kind(state, held), now, event=held.event_id)


def _kind(state: str, held: _Held) -> str:
    if state == Stage.STOPPED:
        return "event_stopped"
    return "section" if state == Stage.RUNNING and held.at_once else "crosstable"


def worded(connection: Connection, house: House, event_id: int) -> dict[str, Any]:
    """Return the email's content when it is composed, so that no names are kept with it."""
    standing = standings.of_event(connection, events.by_id(connection, event_id))
    event = standing.event
    return {
        "title": event.title,
        "terms": event.terms,
        "code": event.code,
        "is_over": event.state == Stage.OVER,
        "table": standings.drawn(standing).splitlines(),
        "reason": connection.execute(_WHY, {"event": event_id}).scalar_one_or_none() or "",
        "page": f"{house.web_url}/events/{event.place}",
    }
