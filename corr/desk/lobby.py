"""What a visitor of the pages does to come to a game: one function, one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, literal, select, union_all
from sqlalchemy.orm import aliased

from corr.desk import challenges, correspondents, terms
from corr.desk.challenges import Found
from corr.desk.house import House
from corr.desk.signing import Visitor
from corr.desk.terms import Terms
from corr.sentences import sentence
from corr.store.tables import Challenge, Correspondent, Moment, Player
from corr.words import Refused


@dataclass(frozen=True, slots=True)
class Offer:
    """A challenge as a page shows it."""

    code: str
    kind: str
    variant: str
    terms: str
    color: str
    challenger: str
    whom: str
    own: bool


@dataclass(frozen=True, slots=True)
class Lobby:
    """What a visitor sees: what is offered to all, and what is theirs."""

    seeks: tuple[Offer, ...]
    made: tuple[Offer, ...] = ()
    received: tuple[Offer, ...] = ()


def lobby(house: House, visitor: Visitor | None, now: datetime) -> Lobby:
    """What is offered to all; to a visitor, what they have offered and were offered."""
    player_id = visitor.who.player_id if visitor else None
    with house.store.asking() as connection:
        rows = connection.execute(_OFFERED, {"now": now, "player": player_id or _NOBODY}).all()
    offers = {part: [_offer(row, player_id) for row in rows if row.part == part] for part in _PARTS}
    return Lobby(*(tuple(offers[part]) for part in _PARTS))


# One question for what a lobby shows: each part of it by its own index.
_PARTS = ("sought", "made", "received")
_NOBODY = 0
_CHALLENGER = aliased(Correspondent)
_OPEN = (
    select(Challenge.__table__, Player.name.label("challenger"), _CHALLENGER.player_id.label("challenger_id"))
    .join(_CHALLENGER, _CHALLENGER.id == Challenge.by_id)
    .join(Player, Player.id == _CHALLENGER.player_id)
    .where(Challenge.state == "open")
)
_MAILBOXES = select(Correspondent.id).where(Correspondent.player_id == bindparam("player"))
_SOUGHT = _OPEN.where(Challenge.kind == "seek", Challenge.expires_at > bindparam("now", type_=Moment))
_MADE = _OPEN.where(Challenge.by_id.in_(_MAILBOXES))
_RECEIVED = _OPEN.where(Challenge.to_id.in_(_MAILBOXES), Challenge.kind == "invitation")
_OFFERED = union_all(
    *(
        select(literal(part).label("part"), part_of.subquery())
        for part, part_of in zip(
            _PARTS,
            (_SOUGHT.order_by(Challenge.id).limit(challenges.MOST_OFFERED), _MADE, _RECEIVED),
            strict=True,
        )
    )
).order_by("id")
_BY_CODE = _OPEN.where(Challenge.code == bindparam("code"), Challenge.kind == "link")


def offer(house: House, visitor: Visitor | None, code: str, now: datetime) -> Offer:
    """The open challenge of a secret link; Refused where there is none."""
    with house.store.asking() as connection:
        row = connection.execute(_BY_CODE, {"code": code}).one_or_none() if code.isalnum() else None
    if row is None or row.expires_at <= now:
        raise Refused(sentence("challenges.closed"))
    return _offer(row, visitor.who.player_id if visitor else None)


def challenge(house: House, visitor: Visitor, whom: str, offered: Terms, now: datetime) -> None:
    """Challenge one other, by name or address."""
    with house.store.writing() as connection:
        challenges.invite(connection, house, _player(visitor), whom.strip(), offered, now)


def seek(house: House, visitor: Visitor, offered: Terms, now: datetime) -> None:
    """Offer a game to all."""
    with house.store.writing() as connection:
        challenges.seek(connection, _player(visitor), offered, now)


def link(house: House, visitor: Visitor, offered: Terms, now: datetime) -> str:
    """Offer a game to whoever is given its secret code; the code."""
    with house.store.writing() as connection:
        return challenges.link(connection, _player(visitor), offered, now).code


def accept(house: House, visitor: Visitor, code: str, now: datetime) -> None:
    """Take up an invitation, a link, or what is offered to all."""
    with house.store.writing() as connection:
        challenges.accept(connection, _player(visitor), _found(connection, code), now)


def decline(house: House, visitor: Visitor, code: str, now: datetime) -> None:
    """Turn an invitation down."""
    with house.store.writing() as connection:
        challenges.decline(connection, _player(visitor), _found(connection, code), now)


def withdraw(house: House, visitor: Visitor, code: str, now: datetime) -> None:
    """Take one's own challenge back."""
    with house.store.writing() as connection:
        challenges.withdraw(connection, _player(visitor), _found(connection, code), now)


def _player(visitor: Visitor) -> correspondents.Correspondent:
    if visitor.name is None:
        raise Refused(sentence("names.choose_first"))
    return visitor.who


def _found(connection: Connection, code: str) -> Found:
    row = challenges.by_code(connection, code)
    if row is None:
        raise Refused(sentence("challenges.closed"))
    return row


def _offer(row: Found, player_id: int | None) -> Offer:
    return Offer(
        code=row.code,
        kind=row.kind,
        variant=row.variant,
        terms=terms.of_row(row).sentence,
        color=row.color,
        challenger=row.challenger,
        whom=row.whom or "",
        own=row.challenger_id == player_id,
    )
