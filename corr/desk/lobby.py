"""What a visitor of the pages does to come to a game: one function, one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from corr.desk import challenges, correspondents, players, terms
from corr.desk.challenges import Found
from corr.desk.correspondents import Correspondent
from corr.desk.house import House
from corr.desk.signing import Visitor
from corr.desk.terms import Terms
from corr.words import Refused

_GONE = "This challenge is not open any more."
_NAME_FIRST = "Please choose a name first."


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
    with house.store.reading() as connection:
        seeks = tuple(_offer(connection, row, visitor) for row in challenges.offered(connection, now))
        if visitor is None or visitor.name is None:
            return Lobby(seeks)
        who = visitor.who
        return Lobby(
            seeks,
            tuple(_offer(connection, row, visitor) for row in challenges.made_by(connection, who)),
            tuple(_offer(connection, row, visitor) for row in challenges.made_to(connection, who)),
        )


def offer(house: House, visitor: Visitor | None, code: str, now: datetime) -> Offer:
    """The open challenge of a secret link; Refused where there is none."""
    with house.store.reading() as connection:
        row = challenges.by_code(connection, code)
        if row is None or row.kind != "link" or row.state != "open" or row.expires_at <= now:
            raise Refused(_GONE)
        return _offer(connection, row, visitor)


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


def _player(visitor: Visitor) -> Correspondent:
    if visitor.name is None:
        raise Refused(_NAME_FIRST)
    return visitor.who


def _found(connection: Connection, code: str) -> Found:
    row = challenges.by_code(connection, code)
    if row is None:
        raise Refused(_GONE)
    return row


def _offer(connection: Connection, row: Found, visitor: Visitor | None) -> Offer:
    challenger = correspondents.correspondent(connection, row.by_id)
    assert challenger.player_id is not None
    return Offer(
        code=row.code,
        kind=row.kind,
        variant=row.variant,
        terms=terms.of_row(row).sentence,
        color=row.color,
        challenger=players.name_of_player(connection, challenger.player_id),
        whom=row.whom or "",
        own=visitor is not None and challenger.player_id == visitor.who.player_id,
    )
