"""Challenges: to one other player, to whoever has a link, or to all."""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, insert, select, update

from corr.desk import correspondents, persons, players
from corr.desk.correspondents import Correspondent
from corr.desk.house import House
from corr.desk.pairing import free_code
from corr.desk.terms import Terms, of_row
from corr.sentences import sentence
from corr.store.once import take_turns
from corr.store.tables import Challenge
from corr.words import Refused

LIFE = timedelta(days=14)
_DAY = timedelta(days=1)
_A_PLAYER_A_DAY = 5
_A_DOMAIN_A_DAY = 20
_TO_ONE_A_DAY = 5
_OPEN_AT_ONCE = 20
#: How many games that are offered to all are shown, the oldest.
MOST_OFFERED = 50

Found = Row[*tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Made:
    """A challenge that was just made."""

    id: int
    code: str


# ---------------------------------------------------------------- offering


def invite(
    connection: Connection, house: House, by: Correspondent, whom: str, terms: Terms, now: datetime
) -> int:
    """Challenge one other, by name or address: one letter goes there, if letters may; which challenge it is.

    Whether it did is told to nobody: it depends on what others have done.
    """
    assert by.player_id is not None
    to, named, domain = _invited(connection, house, whom, now)
    correspondents.hold(connection, by, to)
    if persons.is_one(connection, by, to):
        raise Refused(sentence("challenges.yourself"))
    _check_invitations(connection, by, domain, now)
    values = {"kind": "invitation", "to_id": to.id, "whom": named, "domain": domain, "invited_at": now}
    made = _keep(connection, by, terms, now, free_code(connection), **values)
    if _count(connection, (Challenge.to_id == to.id) & (Challenge.invited_at > now - _DAY)) > _TO_ONE_A_DAY:
        return made.id  # it waits in the lobby
    correspondents.write_unasked(
        connection,
        to,
        "invitation",
        now,
        challenge=made.id,
        challenger=players.name_of_player(connection, by.player_id),
        variant=terms.variant,
        terms=terms.sentence,
        color=_color_of_other(terms),
    )
    return made.id


def seek(connection: Connection, by: Correspondent, terms: Terms, now: datetime) -> Made:
    """Offer a game to all."""
    correspondents.hold(connection, by)
    return _keep(connection, by, terms, now, free_code(connection), kind="seek")


def link(connection: Connection, by: Correspondent, terms: Terms, now: datetime) -> Made:
    """Offer a game to whoever is given its secret code."""
    correspondents.hold(connection, by)
    code = base64.b32encode(os.urandom(16)).decode().rstrip("=").lower()
    return _keep(connection, by, terms, now, code, kind="link")


def _invited(
    connection: Connection, house: House, whom: str, now: datetime
) -> tuple[Correspondent, str, str | None]:
    """Whom a name or an address means, what to call them, and the domain of an address."""
    if "@" in whom:
        address = correspondents.plain_address(whom, house.domain)
        return correspondents.met(connection, address, now), address, address.rpartition("@")[2].lower()
    player_id = players.named(connection, whom)
    if player_id is None:
        raise Refused(sentence("challenges.no_player"))
    return (
        correspondents.of_player(connection, player_id),
        players.name_of_player(connection, player_id),
        None,
    )


def _check_invitations(connection: Connection, by: Correspondent, domain: str | None, now: datetime) -> None:
    lately = Challenge.invited_at > now - _DAY
    if _count(connection, lately & _is_by(by)) >= _A_PLAYER_A_DAY:
        raise Refused(sentence("challenges.enough_today"))
    if domain is None:
        return
    take_turns(connection, f"invitations to {domain}")
    if _count(connection, lately & (Challenge.domain == domain)) >= _A_DOMAIN_A_DAY:
        raise Refused(sentence("challenges.enough_there"))


def _keep(
    connection: Connection, by: Correspondent, terms: Terms, now: datetime, code: str, **values: object
) -> Made:
    if correspondents.correspondent(connection, by.id).player_id != by.player_id:
        raise Refused(sentence("challenges.address_gone"))
    if _count(connection, _is_by(by) & (Challenge.state == "open")) >= _OPEN_AT_ONCE:
        raise Refused(sentence("challenges.enough_open", most=_OPEN_AT_ONCE))
    challenge_id = connection.execute(
        insert(Challenge)
        .values(
            code=code,
            state="open",
            by_id=by.id,
            variant=terms.variant,
            clock=terms.clock,
            color=terms.color,
            rated=terms.rated,
            made_at=now,
            expires_at=now + LIFE,
            **values,
        )
        .returning(Challenge.id)
    ).scalar_one()
    return Made(challenge_id, code)


def _is_by(by: Correspondent) -> ColumnElement[bool]:
    """Whether a challenge is this player's, from whichever of their addresses."""
    return Challenge.by_id.in_(correspondents.mailboxes(by))


def _count(connection: Connection, which: ColumnElement[bool]) -> int:
    return connection.execute(select(func.count()).select_from(Challenge).where(which)).scalar_one()


def _color_of_other(terms: Terms) -> str:
    """What whoever is challenged would play: a side, or either."""
    return {"white": "black", "black": "white"}.get(terms.color, "random")


# ---------------------------------------------------------------- answering


def accept(connection: Connection, taker: Correspondent, challenge: Found, now: datetime) -> None:
    """Take up another's challenge: a worker begins the game. Of two who take it at the same time, one does."""
    if challenge.kind == "invitation" and not _is_same_player(connection, taker, challenge.to_id):
        raise Refused(sentence("challenges.not_for_you"))
    if persons.is_one(connection, taker, correspondents.correspondent(connection, challenge.by_id)):
        raise Refused(sentence("challenges.yours"))
    _close(connection, challenge, now, state="accepted", to_id=taker.id)


def decline(connection: Connection, by: Correspondent, challenge: Found, now: datetime) -> None:
    """Turn an invitation down; the challenger is told so."""
    if challenge.to_id is None or not _is_same_player(connection, by, challenge.to_id):
        raise Refused(sentence("challenges.not_for_you"))
    _close(connection, challenge, now, state="declined")
    tell_challenger(connection, challenge, "declined", now)


def withdraw(connection: Connection, by: Correspondent, challenge: Found, now: datetime) -> None:
    """Take one's own challenge back."""
    if not _is_same_player(connection, by, challenge.by_id):
        raise Refused(sentence("challenges.not_yours"))
    _close(connection, challenge, now, state="withdrawn")


def _close(connection: Connection, challenge: Found, now: datetime, **values: object) -> None:
    is_open = (Challenge.state == "open") & (Challenge.expires_at > now)
    change = update(Challenge).where(Challenge.id == challenge.id, is_open)
    if not connection.execute(change.values(expires_at=None, **values)).rowcount:
        raise Refused(sentence("challenges.closed"))


def _is_same_player(connection: Connection, one: Correspondent, other_id: int) -> bool:
    other = correspondents.correspondent(connection, other_id)
    return one.id == other.id or (one.player_id is not None and one.player_id == other.player_id)


def tell_challenger(connection: Connection, challenge: Found, what: str, now: datetime) -> None:
    """Write to a challenger what became of the challenge."""
    challenger = correspondents.correspondent(connection, challenge.by_id)
    words = {"what": what, "whom": challenge.whom or "", "terms": of_row(challenge).sentence}
    if challenger.address:
        correspondents.write(connection, challenger, "challenge_news", now, **words)


# ---------------------------------------------------------------- finding


def by_id(connection: Connection, challenge_id: int) -> Found:
    """The challenge of a letter that names it."""
    return connection.execute(select(Challenge.__table__).where(Challenge.id == challenge_id)).one()


def state(connection: Connection, challenge_id: int, now: datetime) -> str:
    """Whether a challenge is open, or what became of it."""
    row = by_id(connection, challenge_id)
    is_late = row.state == "open" and row.expires_at <= now
    return "expired" if is_late else str(row.state)


def by_code(connection: Connection, code: str) -> Found | None:
    """The challenge of a code."""
    if not code.isalnum():  # PostgreSQL is not to be asked for a NUL
        return None
    return connection.execute(select(Challenge.__table__).where(Challenge.code == code)).one_or_none()


def sought(connection: Connection, code: str) -> Found:
    """The open game of a code that is offered to all; Refused where there is none."""
    row = by_code(connection, code)
    if row is None or row.kind != "seek":
        raise Refused(sentence("challenges.closed"))
    return row


def made_by(connection: Connection, by: Correspondent) -> Sequence[Found]:
    """One's own challenges that are open, the oldest first."""
    mine = select(Challenge.__table__).where(_is_by(by), Challenge.state == "open")
    return connection.execute(mine.order_by(Challenge.id)).all()


def offered(connection: Connection, now: datetime) -> Sequence[Found]:
    """What is offered to all, the oldest first."""
    seeks = select(Challenge.__table__).where(Challenge.kind == "seek", Challenge.state == "open")
    return connection.execute(
        seeks.where(Challenge.expires_at > now).order_by(Challenge.id).limit(MOST_OFFERED)
    ).all()
