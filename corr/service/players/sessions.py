"""Lists and ends a player's browser sessions, and deletes those past their life in `corr/limits.py`."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import BindParameter, Connection, bindparam, delete, select, update

from corr import limits
from corr.service.players import access_log, authentication, mailboxes, times
from corr.service.players.authentication import Visitor
from corr.service.server import Server
from corr.store.rows import rows_of
from corr.store.tables import Moment, SessionRow, SignInRow

_BATCH = 200


@dataclass(frozen=True, slots=True)
class ListedSession:
    """A browser where a player is signed in, as the player sees it."""

    mark: str
    browser: str
    since: str
    day: str
    is_here: bool


class _SessionRow(NamedTuple):
    id: int
    secret: str
    browser: str
    made_at: datetime
    seen_at: datetime


_SEEN_UPDATE = (
    update(SessionRow)
    .where(authentication.IS_OPEN_SESSION)
    .values(browser=bindparam("kind"), seen_at=bindparam("day", type_=Moment))
)


def record_visit(server: Server, secret: str, kind: str, now: datetime) -> None:
    """Record that a signed-in browser was used today, and its kind, such as `Firefox, Linux`."""
    with server.store.writing() as connection:
        asked = authentication.session_parameters(secret, now)
        connection.execute(_SEEN_UPDATE, asked | {"kind": kind, "day": authentication.start_of_day(now)})


def list_sessions(server: Server, visitor: Visitor, secret: str, now: datetime) -> tuple[ListedSession, ...]:
    """List all browsers where this player is signed in, the latest first."""
    with server.store.reading() as connection:
        here = authentication.digest(secret)
        found = _load_sessions(connection, visitor, now)
        return tuple(_make_listed(each, visitor.zone, here) for each in found)


def sign_out(server: Server, visitor: Visitor, mark: str, now: datetime) -> None:
    """Sign out this player's browser with this mark, its id on the sessions page."""
    with server.store.writing() as connection:
        ids = [each.id for each in _load_sessions(connection, visitor, now) if _mark(each.secret) == mark]
        connection.execute(update(SessionRow).where(SessionRow.id.in_(ids)).values(ended_at=now))
    if ids:
        access_log.log_sign_out()


def _load_sessions(connection: Connection, visitor: Visitor, now: datetime) -> list[_SessionRow]:
    mine = SessionRow.correspondent_id.in_(mailboxes.select_mailboxes(visitor.who))
    is_in = SessionRow.ended_at.is_(None) & (SessionRow.made_at > now - limits.SESSION_LIFE)
    is_seen = SessionRow.seen_at >= now - limits.SESSION_IDLE
    latest = (SessionRow.seen_at.desc(), SessionRow.made_at.desc(), SessionRow.id)
    theirs = select(
        SessionRow.id, SessionRow.secret, SessionRow.browser, SessionRow.made_at, SessionRow.seen_at
    )
    return rows_of(_SessionRow, connection.execute(theirs.where(mine, is_in, is_seen).order_by(*latest)))


def _make_listed(each: _SessionRow, zone: str, here: str) -> ListedSession:
    since, day = times.word_moment(each.made_at, zone), times.word_day(each.seen_at)
    return ListedSession(_mark(each.secret), each.browser, since, day, each.secret == here)


def _mark(digest: str) -> str:
    """Return a browser's mark for pages, which hides its secret, other browsers and their number."""
    return hashlib.sha256(f"mark {digest}".encode()).hexdigest()[:16]


_BEFORE = bindparam("before", type_=Moment)
_IDS_PARAMETER: BindParameter[int] = bindparam("these", expanding=True)
_EXPIRED_QUERIES = (
    (
        select(SessionRow.id).where(SessionRow.seen_at < _BEFORE).order_by(SessionRow.seen_at).limit(_BATCH),
        delete(SessionRow).where(SessionRow.id.in_(_IDS_PARAMETER)),
    ),
    (
        select(SignInRow.id).where(SignInRow.made_at < _BEFORE).order_by(SignInRow.made_at).limit(_BATCH),
        delete(SignInRow).where(SignInRow.id.in_(_IDS_PARAMETER)),
    ),
)


def delete_expired(server: Server, now: datetime) -> int:
    """Delete a batch of expired sessions and old sign-in requests; return how many."""
    gone = 0
    for due, forget in _EXPIRED_QUERIES:
        with server.store.asking() as connection:
            found = list(connection.execute(due, {"before": now - limits.SESSION_IDLE}).scalars())
        if found:
            with server.store.writing() as connection:
                connection.execute(forget, {"these": found})
        gone += len(found)
    return gone
