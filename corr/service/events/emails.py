"""Writes emails about an event: its beginning, standings (how often: `corr/limits.py`), end, or why it was stopped."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, or_, select, update

from corr import limits
from corr.service.events import crosstables, events
from corr.service.events.events import EventStage
from corr.service.players import mail_preferences, mailboxes
from corr.service.server import Server, log_failure
from corr.store.rows import one_or_none_of
from corr.store.tables import EntrantRow, EventActRow, Moment, PlayerRow

log = logging.getLogger(__name__)

_BATCH = 200
#: The kinds of these emails.
KINDS = ("section", "crosstable", "event_stopped")


class _RecipientRow(NamedTuple):
    event_id: int
    player_id: int
    at_once: bool  # the first news, or news that does not wait a day


_MAY_BE_TOLD = EntrantRow.news_from.is_not(None) & or_(
    EntrantRow.told_at.is_(None), EntrantRow.told_at <= bindparam("rested", type_=Moment)
)
_FIRST_UNTOLD = EntrantRow.told_at.asc().nulls_first(), EntrantRow.id
_DUE = select(EntrantRow.id).where(_MAY_BE_TOLD).order_by(*_FIRST_UNTOLD).limit(_BATCH)
_RECIPIENT_QUERY = (
    select(EntrantRow.event_id, EntrantRow.player_id, EntrantRow.told_at.is_(None).label("at_once"))
    .where(EntrantRow.id == bindparam("entrant"), _MAY_BE_TOLD)
    .with_for_update()
)
_TOLD_UPDATE = (
    update(EntrantRow)
    .where(EntrantRow.id == bindparam("of"))
    .values(news_from=None, told_at=bindparam("now", type_=Moment))
)
_STOP_REASON_QUERY = (
    select(EventActRow.reason)
    .where(EventActRow.event_id == bindparam("event"), EventActRow.deed == "stopped")
    .order_by(EventActRow.number.desc())
    .limit(1)
)
_MAILING = select(PlayerRow.mailing).where(PlayerRow.id == bindparam("player"))


def write_some(server: Server, now: datetime) -> int:
    """Email the standings to players with news due, and return how many were checked."""
    asked = {"rested": now - limits.CROSSTABLE_INTERVAL}
    with server.store.asking() as connection:
        due = connection.execute(_DUE, asked).scalars().all()
    return sum(_write_one(server, entrant_id, asked | {"now": now}) for entrant_id in due)


def _write_one(server: Server, entrant_id: int, asked: dict[str, Any]) -> bool:
    """Email one player if that is still due; return whether it was."""
    failure = "could not email the standings to a player; will try again"
    with log_failure(log, failure, entrant=entrant_id), server.store.writing() as connection:
        asked = asked | {"entrant": entrant_id}
        held = one_or_none_of(_RecipientRow, connection.execute(_RECIPIENT_QUERY, asked))
        if held is None:
            return False
        connection.execute(_TOLD_UPDATE, {"of": entrant_id, "now": asked["now"]})
        _write(connection, held, asked["now"])
        return True
    return False


def _write(connection: Connection, recipient: _RecipientRow, now: datetime) -> None:
    """Queue the email that fits the event's state, unless the player wants none about games."""
    if connection.execute(_MAILING, {"player": recipient.player_id}).scalar_one() == mail_preferences.OFF:
        return
    state = events.load_event(connection, recipient.event_id).state
    kind = "section" if state == EventStage.RUNNING and recipient.at_once else "crosstable"
    if state == EventStage.STOPPED:
        kind = "event_stopped"
    to = mailboxes.load_main_mailbox(connection, recipient.player_id)
    mailboxes.write_unasked(connection, to, kind, now, event=recipient.event_id)


def load_content(connection: Connection, server: Server, event_id: int) -> dict[str, Any]:
    """Load what an event's email says when it is composed, so no names are stored."""
    standing = crosstables.load_standings(connection, events.load_event(connection, event_id))
    event = standing.event
    return {
        "title": event.title,
        "terms": event.terms,
        "code": event.code,
        "is_over": event.state == EventStage.OVER,
        "table": crosstables.write_text(standing).splitlines(),
        "reason": connection.execute(_STOP_REASON_QUERY, {"event": event_id}).scalar_one_or_none() or "",
        "page": f"{server.web_url}/events/{event.place}",
    }
