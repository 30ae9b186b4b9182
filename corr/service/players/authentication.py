"""Signs people in by email, and keeps their browsers' sessions."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update

from corr import limits
from corr.messages import sentence
from corr.service.house import House
from corr.service.players import access_log, address_checks, mail_preferences, mailboxes, players, time_zones
from corr.service.players.access_log import By
from corr.service.players.address_checks import Proof
from corr.service.players.mailboxes import KEPT_CORRESPONDENT, Correspondent, KeptCorrespondent
from corr.store.rows import pairs_of
from corr.store.tables import CorrespondentRow, Moment, Player, Session
from corr.words.errors import Refused


@dataclass(frozen=True, slots=True)
class Visitor:
    """A signed-in person: a player, or somebody who must still choose a name."""

    who: Correspondent
    name: str | None
    since: datetime
    zone: str = time_zones.PLAIN
    has_letters: bool = True  # whether emails tell them of their games

    def came_lately(self, now: datetime) -> bool:
        """Whether they have only just shown that they read their emails."""
        return now - self.since < limits.SESSION_FRESH


@dataclass(frozen=True, slots=True)
class Admitted:
    """A new sign-in: the browser's secret, and the challenge the person came for."""

    secret: str
    goal: str | None


# ---------------------------------------------------------------- signing in


def ask(house: House, text: str, goal: str | None, now: datetime, visitor: Visitor | None = None) -> str:
    """Record a claim to an address, perhaps the visitor's own; return the request's mark."""
    address = mailboxes.plain_address(text, house.domain)
    with house.store.writing() as connection:
        own = visitor is not None and mailboxes.is_of(connection, visitor.who, address)
        return address_checks.ask(connection, address, now, goal=goal, own=own)


def by_number(house: House, mark: str, digits: str, now: datetime) -> Admitted:
    """Sign in a person who types the number from the email."""
    with house.store.writing() as connection:
        proof = address_checks.by_number(connection, mark, digits, now)
        admitted = _admitted(connection, proof, now) if proof else None
    if admitted is None:
        raise Refused(sentence("signing.wrong_number"))
    access_log.let_in(By.NUMBER)
    return admitted


def by_letter(house: House, who: Correspondent, letter: int, now: datetime) -> Admitted:
    """Sign in a person who pressed the button on our email's page."""
    with house.store.writing() as connection:
        proof = address_checks.by_letter(connection, who, letter, now)
        admitted = _admitted(connection, proof, now) if proof else None
    if admitted is None:
        raise Refused(sentence("signing.spent_link"))
    access_log.let_in(By.LINK)
    return admitted


def _admitted(connection: Connection, proof: Proof, now: datetime) -> Admitted:
    who = mailboxes.correspondent(connection, proof.correspondent_id)
    return Admitted(_begin(connection, who, now), proof.goal)


def let_in_by_house(house: House, address: str, now: datetime) -> Admitted:
    """Sign in a person whom the server itself knows; nothing else may call this."""
    with house.store.writing() as connection:
        return Admitted(_begin(connection, mailboxes.known_or_new(connection, address, now), now), None)


def _begin(connection: Connection, who: Correspondent, now: datetime) -> str:
    """Start a session and return its secret; this confirms the address."""
    mailboxes.confirm(connection, who, now)
    secret = secrets.token_urlsafe(24)
    begun = {"correspondent_id": who.id, "made_at": now, "browser": "", "seen_at": day_of(now)}
    connection.execute(insert(Session).values(secret=digest(secret), **begun))
    return secret


# ---------------------------------------------------------------- sessions and signing out


def visitor(house: House, secret: str, now: datetime) -> Visitor | None:
    """Return the person signed in at a browser; None if there is none."""
    with house.store.asking() as connection:
        found = pairs_of(KeptCorrespondent, _OpenSession, connection.execute(_VISITOR, browser(secret, now)))
    return next((_visitor(kept, here) for kept, here in found), None)


class _OpenSession(NamedTuple):
    player: str | None
    since: datetime
    zone: str | None
    mailing: str | None


def _visitor(kept: KeptCorrespondent, here: _OpenSession) -> Visitor:
    has_letters = here.mailing != mail_preferences.OFF
    return Visitor(kept.correspondent, here.player, here.since, here.zone or time_zones.PLAIN, has_letters)


#: The session of a browser, if it is young, was used lately, and has not ended.
IS_HERE = (
    (Session.secret == bindparam("browser"))
    & Session.ended_at.is_(None)
    & (Session.made_at > bindparam("fresh", type_=Moment))
    & (Session.seen_at >= bindparam("lately", type_=Moment))
)
_VISITOR = (
    select(
        *KEPT_CORRESPONDENT,
        Player.name.label("player"),
        Session.made_at.label("since"),
        Player.zone,
        Player.mailing,
    )
    .join_from(Session, CorrespondentRow, CorrespondentRow.id == Session.correspondent_id)
    .outerjoin(Player, Player.id == CorrespondentRow.player_id)
    .where(IS_HERE)
)


def browser(secret: str, now: datetime) -> dict[str, object]:
    """Return the bind parameters for `IS_HERE`."""
    return {
        "browser": digest(secret),
        "fresh": now - limits.SESSION_LIFE,
        "lately": now - limits.SESSION_IDLE,
    }


def day_of(now: datetime) -> datetime:
    """Return the start of the UTC day."""
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def sign_out(house: House, secret: str, now: datetime) -> None:
    """End this browser's session."""
    with house.store.writing() as connection:
        here = update(Session).where(Session.secret == digest(secret), Session.ended_at.is_(None))
        connection.execute(here.values(ended_at=now))
    access_log.let_out()


def sign_out_everywhere(house: House, visitor: Visitor, now: datetime) -> None:
    """End all sessions of this player."""
    with house.store.writing() as connection:
        mine = mailboxes.of_same_person(visitor.who)
        everywhere = update(Session).where(Session.correspondent_id.in_(mine), Session.ended_at.is_(None))
        connection.execute(everywhere.values(ended_at=now))
    access_log.let_out(everywhere=True)


def choose_name(house: House, visitor: Visitor, name: str, now: datetime) -> None:
    """Create a player for a visitor who has no name yet."""
    with house.store.writing() as connection:
        players.enrol(connection, visitor.who, name, now)


def digest(secret: str) -> str:
    """Return the hash under which a browser's secret is stored."""
    return hashlib.sha256(secret.encode()).hexdigest()


def cookie_key(house: House) -> bytes:
    """Return the key that signs cookies, which all processes share."""
    with house.store.reading() as connection:
        return mailboxes.secret(connection, "cookies")
