"""Lists the browsers where a player is signed in, and signs one of them out."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import BindParameter, Connection, bindparam, delete, select, update

from corr import limits
from corr.service.house import House
from corr.service.players import access_log, authentication, mailboxes, time_zones
from corr.service.players.authentication import Visitor
from corr.store.rows import rows_of
from corr.store.tables import Moment, Player, Session, SignIn

_BATCH = 200


@dataclass(frozen=True, slots=True)
class Seen:
    """A browser where a player is signed in, as the player sees it."""

    mark: str
    browser: str
    since: str
    day: str
    is_here: bool


class _Browser(NamedTuple):
    id: int
    secret: str
    browser: str
    made_at: datetime
    seen_at: datetime


_SEEN = (
    update(Session)
    .where(authentication.IS_HERE)
    .values(browser=bindparam("kind"), seen_at=bindparam("day", type_=Moment))
)


def see(house: House, secret: str, kind: str, now: datetime) -> None:
    """Record that this browser was used today, and of which kind it is."""
    with house.store.writing() as connection:
        asked = authentication.browser(secret, now)
        connection.execute(_SEEN, asked | {"kind": kind, "day": authentication.day_of(now)})


def listed(house: House, found: Visitor, secret: str, now: datetime) -> tuple[Seen, ...]:
    """List all browsers where this player is signed in, the latest first."""
    with house.store.reading() as connection:
        zone = _zone(connection, found)
        own, asked = select(Session.id).where(authentication.IS_HERE), authentication.browser(secret, now)
        here = connection.execute(own, asked).scalar_one_or_none()
        return tuple(_seen(each, zone, here) for each in _browsers(connection, found, now))


def sign_out(house: House, found: Visitor, mark: str, now: datetime) -> None:
    """Sign out the browser with this mark, if it is this player's."""
    with house.store.writing() as connection:
        ids = [each.id for each in _browsers(connection, found, now) if _mark(each.secret) == mark]
        connection.execute(update(Session).where(Session.id.in_(ids)).values(ended_at=now))
    if ids:
        access_log.let_out()


def _browsers(connection: Connection, found: Visitor, now: datetime) -> list[_Browser]:
    mine = Session.correspondent_id.in_(mailboxes.of_same_person(found.who))
    is_in = Session.ended_at.is_(None) & (Session.made_at > now - limits.SESSION_LIFE)
    is_seen = Session.seen_at >= now - limits.SESSION_IDLE
    latest = (Session.seen_at.desc(), Session.made_at.desc(), Session.id)
    theirs = select(Session.id, Session.secret, Session.browser, Session.made_at, Session.seen_at)
    return rows_of(_Browser, connection.execute(theirs.where(mine, is_in, is_seen).order_by(*latest)))


def _seen(each: _Browser, zone: str, here: int | None) -> Seen:
    since, day = time_zones.worded(each.made_at, zone), time_zones.day(each.seen_at)
    return Seen(_mark(each.secret), each.browser, since, day, each.id == here)


def _mark(digest: str) -> str:
    """Return a browser's public mark, which hides its secret, other browsers and their number."""
    return hashlib.sha256(f"mark {digest}".encode()).hexdigest()[:16]


def _zone(connection: Connection, found: Visitor) -> str:
    asked = select(Player.zone).where(Player.id == found.who.player_id)
    return connection.execute(asked).scalar_one_or_none() or time_zones.PLAIN


# ---------------------------------------------------------------- deletion

_BEFORE = bindparam("before", type_=Moment)
_THESE: BindParameter[int] = bindparam("these", expanding=True)
_OLD = (
    (
        select(Session.id).where(Session.seen_at < _BEFORE).order_by(Session.seen_at).limit(_BATCH),
        delete(Session).where(Session.id.in_(_THESE)),
    ),
    (
        select(SignIn.id).where(SignIn.made_at < _BEFORE).order_by(SignIn.made_at).limit(_BATCH),
        delete(SignIn).where(SignIn.id.in_(_THESE)),
    ),
)


def forget_some(house: House, now: datetime) -> int:
    """Delete expired sessions, and sign-in requests as old; return how many."""
    gone = 0
    for due, forget in _OLD:
        with house.store.asking() as connection:
            found = list(connection.execute(due, {"before": now - limits.SESSION_IDLE}).scalars())
        if found:
            with house.store.writing() as connection:
                connection.execute(forget, {"these": found})
        gone += len(found)
    return gone
