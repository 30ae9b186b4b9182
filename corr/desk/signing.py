"""Signing in by mail: a number and a link that both work once, and the browsers that were let in."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, func, insert, select, update

from corr.desk import correspondents, players
from corr.desk.correspondents import Correspondent
from corr.desk.house import House
from corr.store.tables import Session, SignIn, SiteOutboxRow
from corr.words import Refused

LIFE = timedelta(minutes=20)
SESSION_LIFE = timedelta(days=90)
_TRIES = 10
_BATCH = 50
#: How many letters go to one address in which time.
_LETTERS = ((3, timedelta(hours=1)), (10, timedelta(days=1)))

_WRONG = "This is not the number, or it is too old, or it was tried too often. You may ask for a new one."
_SPENT = "This link was used already, or it is too old. You may ask for a new one."


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever was let in at a browser: a player, or somebody who has still to choose a name."""

    who: Correspondent
    name: str | None


@dataclass(frozen=True, slots=True)
class Admitted:
    """Somebody who was just let in: the browser's secret, and the challenge that they came for."""

    secret: str
    goal: str | None


# ---------------------------------------------------------------- asking


def ask(house: House, text: str, goal: str | None, now: datetime) -> int:
    """Somebody says that an address is theirs; which asking this is.

    A worker sees to it, so that not even the time it takes tells whether a letter goes there.
    """
    address = correspondents.plain_address(text, house.domain)
    digits = f"{secrets.randbelow(1_000_000):06}"
    with house.store.writing() as connection:
        return connection.execute(
            insert(SignIn)
            .values(address=address, digits=digits, tries=0, goal=goal, made_at=now)
            .returning(SignIn.id)
        ).scalar_one()


_ASKED = select(SignIn.id).where(SignIn.address.is_not(None)).order_by(SignIn.id)


def write_some(house: House, now: datetime) -> int:
    """Write to the addresses that were named, if letters may go there; how many were."""
    with house.store.asking() as connection:
        ids = connection.execute(_ASKED.limit(_BATCH)).scalars().all()
    return sum(_write(house, sign_in, now) for sign_in in ids)


def _write(house: House, sign_in: int, now: datetime) -> bool:
    with house.store.writing() as connection:
        this = SignIn.id == sign_in
        held = select(SignIn.__table__).where(this, SignIn.address.is_not(None)).with_for_update()
        row = connection.execute(held).one_or_none()
        if row is None:
            return False
        who = correspondents.met(connection, row.address, now)
        correspondents.hold(connection, who)
        is_written = not _is_too_much(connection, who, now) and correspondents.write_unasked(
            connection, who, "sign_in", now, sign_in=sign_in, digits=row.digits
        )
        # Where no letter went, nobody can know the number, and nobody shall guess it.
        values = {"address": None, "correspondent_id": who.id if is_written else None}
        connection.execute(update(SignIn).where(this).values(**values))
        return True


def _is_too_much(connection: Connection, who: Correspondent, now: datetime) -> bool:
    """Whether as many letters of this kind have gone there lately as may."""
    for most, span in _LETTERS:
        lately = (SignIn.correspondent_id == who.id) & (SignIn.made_at > now - span)
        if connection.execute(select(func.count()).select_from(SignIn).where(lately)).scalar_one() >= most:
            return True
    return False


# ---------------------------------------------------------------- being let in


def by_number(house: House, sign_in: int, digits: str, now: datetime) -> Admitted:
    """Let in who types the number from the letter; after ten tries none is the right one."""
    with house.store.writing() as connection:
        tried = update(SignIn).where(
            SignIn.id == sign_in, SignIn.tries < _TRIES, SignIn.used_at.is_(None), SignIn.made_at > now - LIFE
        )
        row = connection.execute(
            tried.values(tries=SignIn.tries + 1).returning(SignIn.__table__)
        ).one_or_none()
        is_right = row is not None and hmac.compare_digest(row.digits.encode(), digits.strip().encode())
        admitted = _admit(connection, sign_in, now) if is_right else None
    if admitted is None:
        raise Refused(_WRONG)
    return admitted


def by_letter(house: House, who: Correspondent, letter: int, now: datetime) -> Admitted:
    """Let in who has opened the page that our letter names, and pressed its button."""
    with house.store.writing() as connection:
        asked = select(SiteOutboxRow.words).where(
            SiteOutboxRow.correspondent_id == who.id,
            SiteOutboxRow.number == letter,
            SiteOutboxRow.kind == "sign_in",
        )
        words = connection.execute(asked).scalar_one_or_none()
        sign_in = json.loads(words).get("sign_in") if words else None
        admitted = _admit(connection, sign_in, now) if sign_in else None
    if admitted is None:
        raise Refused(_SPENT)
    return admitted


def is_open(connection: Connection, sign_in: int, now: datetime) -> bool:
    """Whether an asking may still let somebody in."""
    asked = select(SignIn.id).where(
        SignIn.id == sign_in, SignIn.used_at.is_(None), SignIn.made_at > now - LIFE
    )
    return connection.execute(asked).one_or_none() is not None


def _admit(connection: Connection, sign_in: int, now: datetime) -> Admitted | None:
    """Use up an asking, once; a new secret for the browser."""
    used = update(SignIn).where(
        SignIn.id == sign_in,
        SignIn.correspondent_id.is_not(None),
        SignIn.used_at.is_(None),
        SignIn.made_at > now - LIFE,
    )
    row = connection.execute(used.values(used_at=now).returning(SignIn.__table__)).one_or_none()
    if row is None:
        return None
    who = correspondents.correspondent(connection, row.correspondent_id)
    return Admitted(_begin(connection, who, now), row.goal)


def let_in_by_house(house: House, address: str, now: datetime) -> Admitted:
    """Let somebody in of whom the house itself knows who they are: nobody else may call this."""
    with house.store.writing() as connection:
        return Admitted(_begin(connection, correspondents.met(connection, address, now), now), None)


def _begin(connection: Connection, who: Correspondent, now: datetime) -> str:
    """A new secret for a browser; its address is confirmed by it."""
    correspondents.confirm(connection, who, now)
    secret = secrets.token_urlsafe(24)
    connection.execute(insert(Session).values(secret=_digest(secret), correspondent_id=who.id, made_at=now))
    return secret


# ---------------------------------------------------------------- being in, and leaving


def visitor(house: House, secret: str, now: datetime) -> Visitor | None:
    """Who is at a browser; None where nobody was let in there, or has left."""
    with house.store.reading() as connection:
        asked = select(Session.correspondent_id).where(is_here(secret, now))
        row = connection.execute(asked).one_or_none()
        if row is None:
            return None
        who = correspondents.correspondent(connection, row.correspondent_id)
        name = players.name_of_player(connection, who.player_id) if who.player_id is not None else None
        return Visitor(who, name)


def is_here(secret: str, now: datetime) -> ColumnElement[bool]:
    """Which session is that of a browser, if it was let in and has not left."""
    is_fresh = Session.made_at > now - SESSION_LIFE
    return (Session.secret == _digest(secret)) & Session.ended_at.is_(None) & is_fresh


def sign_out(house: House, secret: str, now: datetime) -> None:
    """Nobody is at this browser any more."""
    with house.store.writing() as connection:
        here = update(Session).where(Session.secret == _digest(secret), Session.ended_at.is_(None))
        connection.execute(here.values(ended_at=now))


def sign_out_everywhere(house: House, visitor: Visitor, now: datetime) -> None:
    """Nobody is at any browser any more who came as this player."""
    with house.store.writing() as connection:
        mine = correspondents.mailboxes(visitor.who)
        everywhere = update(Session).where(Session.correspondent_id.in_(mine), Session.ended_at.is_(None))
        connection.execute(everywhere.values(ended_at=now))


def choose_name(house: House, visitor: Visitor, name: str, now: datetime) -> None:
    """Make a player of a visitor who has none of a name yet."""
    with house.store.writing() as connection:
        players.enrol(connection, visitor.who, name, now)


def _digest(secret: str) -> str:
    """What is kept of a browser's secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def cookie_key(house: House) -> bytes:
    """What the browsers' cookies are signed with, by all processes alike."""
    with house.store.reading() as connection:
        return correspondents.secret(connection, "cookies")
