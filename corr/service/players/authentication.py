"""Signs people in by email and keeps their sessions; life: `corr/limits.py`, the code itself: `address_checks.py`."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update

from corr import limits
from corr.service.players import (
    access_log,
    address_checks,
    guests,
    mail_preferences,
    mailboxes,
    players,
    times,
)
from corr.service.players.access_log import SignInMethod
from corr.service.players.address_checks import AddressProof
from corr.service.players.mailboxes import CORRESPONDENT_COLUMNS, Correspondent, StoredCorrespondent
from corr.service.server import Server
from corr.store import server_secrets
from corr.store.rows import pairs_of
from corr.store.tables import CorrespondentRow, Moment, PlayerRow, SessionRow
from corr.text.messages import sentence
from corr.words.errors import Refused


@dataclass(frozen=True, slots=True)
class Visitor:
    """The person at a browser: a player, a guest, or somebody who must still choose a name."""

    who: Correspondent
    name: str | None
    since: datetime
    zone: str = times.DEFAULT_ZONE
    gets_emails: bool = True  # whether emails tell them of their games
    is_guest: bool = False  # plays without an address, until they give one
    switched: str = ""  # what they have changed of how pages look
    men: str = ""  # how pages draw pieces

    @property
    def player(self) -> Correspondent:
        """The visitor's mailbox; raises Refused while they have no name, so are no player."""
        if self.name is None:
            raise Refused(sentence("names.choose_first"))
        return self.who

    def has_recent_sign_in(self, now: datetime) -> bool:
        """Whether they signed in so lately that a sensitive action needs no new sign-in."""
        return now - self.since < limits.RECENT_SIGN_IN

    def require_player(self) -> int:
        """Return the player's id; raise Refused while the visitor has no name."""
        if self.who.player_id is None:
            raise Refused(sentence("names.choose_first"))
        return self.who.player_id


@dataclass(frozen=True, slots=True)
class NewSession:
    """A new session: the browser's secret, and the challenge or event to show next."""

    secret: str
    goal: str | None = None
    keeping: int | None = None  # the sign-in by which a worker gives a guest's games to the player


def request_sign_in(
    server: Server, text: str, goal: str | None, now: datetime, visitor: Visitor | None = None
) -> str:
    """Store a request to sign in at a typed address; return its random id. A guest's games go there."""
    address = mailboxes.plain_address(text, server.domain)
    guest = visitor.who.player_id if visitor and visitor.is_guest else None
    with server.store.writing() as connection:
        own = visitor is not None and mailboxes.is_of(connection, visitor.who, address)
        return address_checks.record_claim(connection, address, now, goal=goal, own=own, guest=guest)


def sign_in_by_number(
    server: Server, mark: str, digits: str, now: datetime, visitor: Visitor | None = None
) -> NewSession:
    """Sign in a person, perhaps a guest here, who typed our email's number; raise Refused if it is wrong."""
    with server.store.writing() as connection:
        proof = address_checks.check_number(connection, mark, digits, now)
        admitted = _admit(connection, proof, visitor, now) if proof else None
    if admitted is None:
        raise Refused(sentence("signing.wrong_number"))
    access_log.log_sign_in(SignInMethod.NUMBER)
    return admitted


def sign_in_by_link(
    server: Server, who: Correspondent, letter: int, now: datetime, visitor: Visitor | None = None
) -> NewSession:
    """Sign in a person, perhaps a guest here, by the page linked from our email; Refused if expired."""
    with server.store.writing() as connection:
        proof = address_checks.check_link(connection, who, letter, now)
        admitted = _admit(connection, proof, visitor, now) if proof else None
    if admitted is None:
        raise Refused(sentence("signing.spent_link"))
    access_log.log_sign_in(SignInMethod.LINK)
    return admitted


def _admit(connection: Connection, proof: AddressProof, visitor: Visitor | None, now: datetime) -> NewSession:
    """Start the session of a person who has proved that they read a mailbox."""
    who = mailboxes.load_correspondent(connection, proof.correspondent_id)
    if proof.guest_id is None and visitor and visitor.is_guest:
        guests.keep_at_sign_in(connection, proof.request, visitor.who)
        proof = proof._replace(guest_id=visitor.who.player_id)
    keeping = proof.request if proof.guest_id is not None else None
    if keeping and who.player_id is None:
        players.enrol_by_email(connection, who, "", now)
    return NewSession(start_session(connection, who, now), proof.goal, keeping)


def admit_guest(server: Server, now: datetime) -> str:
    """Create a guest and their session, and return the browser's secret; Refused while there are too many."""
    with server.store.writing() as connection:
        return _insert_session(connection, guests.create(connection, now), now)


def sign_in_directly(server: Server, address: str, now: datetime) -> NewSession:
    """Sign in at an address without any proof; only the demo may call this."""
    with server.store.writing() as connection:
        return NewSession(start_session(connection, mailboxes.find_or_create(connection, address, now), now))


def start_session(connection: Connection, who: Correspondent, now: datetime) -> str:
    """Start a session of a mailbox's reader, and return its secret; this confirms the address."""
    mailboxes.confirm(connection, who, now)
    return _insert_session(connection, who, now)


def _insert_session(connection: Connection, who: Correspondent, now: datetime) -> str:
    secret = secrets.token_urlsafe(24)
    begun = {"correspondent_id": who.id, "made_at": now, "browser": "", "seen_at": start_of_day(now)}
    connection.execute(insert(SessionRow).values(secret=digest(secret), **begun))
    return secret


def find_visitor(server: Server, secret: str, now: datetime) -> Visitor | None:
    """Return the person whose browser's cookie has this secret; None without an open session."""
    with server.store.asking() as connection:
        found = pairs_of(
            StoredCorrespondent, _OpenSession, connection.execute(_VISITOR, session_parameters(secret, now))
        )
    return next((_visitor(kept, here) for kept, here in found), None)


class _OpenSession(NamedTuple):
    player: str | None
    since: datetime
    zone: str | None
    mailing: str | None
    guest: bool | None
    switched: str | None
    men: str | None


def _visitor(kept: StoredCorrespondent, here: _OpenSession) -> Visitor:
    """Build the signed-in visitor from their mailbox and session as stored."""
    gets_emails = here.mailing != mail_preferences.OFF
    return Visitor(
        kept.correspondent,
        here.player,
        here.since,
        here.zone or times.DEFAULT_ZONE,
        gets_emails,
        is_guest=bool(here.guest),
        switched=here.switched or "",
        men=here.men or "",
    )


#: The session of a browser, if it is young, was used lately, and has not ended.
IS_OPEN_SESSION = (
    (SessionRow.secret == bindparam("browser"))
    & SessionRow.ended_at.is_(None)
    & (SessionRow.made_at > bindparam("fresh", type_=Moment))
    & (SessionRow.seen_at >= bindparam("lately", type_=Moment))
)
_VISITOR = (
    select(
        *CORRESPONDENT_COLUMNS,
        PlayerRow.name.label("player"),
        SessionRow.made_at.label("since"),
        PlayerRow.zone,
        PlayerRow.mailing,
        PlayerRow.guest,
        PlayerRow.switched,
        PlayerRow.men,
    )
    .join_from(SessionRow, CorrespondentRow, CorrespondentRow.id == SessionRow.correspondent_id)
    .outerjoin(PlayerRow, PlayerRow.id == CorrespondentRow.player_id)
    .where(IS_OPEN_SESSION)
)


def session_parameters(secret: str, now: datetime) -> dict[str, object]:
    """Return the bind parameters of `IS_OPEN_SESSION` for a browser's secret."""
    return {
        "browser": digest(secret),
        "fresh": now - limits.SESSION_LIFE,
        "lately": now - limits.SESSION_IDLE,
    }


def start_of_day(now: datetime) -> datetime:
    """Return the start of the UTC day."""
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def sign_out(server: Server, secret: str, now: datetime) -> None:
    """End this browser's session."""
    with server.store.writing() as connection:
        here = update(SessionRow).where(SessionRow.secret == digest(secret), SessionRow.ended_at.is_(None))
        connection.execute(here.values(ended_at=now))
    access_log.log_sign_out()


def sign_out_everywhere(server: Server, visitor: Visitor, now: datetime) -> None:
    """End all sessions of this player."""
    with server.store.writing() as connection:
        mine = mailboxes.select_mailboxes(visitor.who)
        everywhere = update(SessionRow).where(
            SessionRow.correspondent_id.in_(mine), SessionRow.ended_at.is_(None)
        )
        connection.execute(everywhere.values(ended_at=now))
    access_log.log_sign_out(everywhere=True)


def choose_name(server: Server, visitor: Visitor, name: str, now: datetime) -> None:
    """Create the player of a nameless visitor; raise Refused if the name isn't allowed."""
    with server.store.writing() as connection:
        players.enrol(connection, visitor.who, name, now)


def digest(secret: str) -> str:
    """Hash a secret of a browser, token or feed, because only its hash is stored."""
    return hashlib.sha256(secret.encode()).hexdigest()


def cookie_key(server: Server) -> bytes:
    """Return the key that signs cookies, which all processes share."""
    with server.store.reading() as connection:
        return server_secrets.load_secret(connection, "cookies")
