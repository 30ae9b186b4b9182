"""The tokens by which a player's own programs are let in: made, listed, and taken away."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, select

from corr import limits
from corr.desk.house import House
from corr.desk.people import mailboxes, settings, signing, zones
from corr.desk.people.signing import Visitor
from corr.sentences import sentence
from corr.store.once import insert_once
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import Player, TokenRow
from corr.words.errors import Refused

#: By this a token is known as one of ours, wherever it is found.
_BEGINS = "corr_"


@dataclass(frozen=True, slots=True)
class Listed:
    """A token as its player reads of it."""

    name: str
    made: str


class _Kept(NamedTuple):
    name: str
    made_at: datetime


class _Player(NamedTuple):
    id: int
    name: str
    zone: str
    made_at: datetime


_OF_PLAYER = (
    select(TokenRow.name, TokenRow.made_at)
    .where(TokenRow.player_id == bindparam("player"))
    .order_by(TokenRow.id)
)
_TAKE = delete(TokenRow).where(
    TokenRow.player_id == bindparam("player"), TokenRow.name == bindparam("called")
)
_PLAYER = (
    select(Player.id, Player.name, Player.zone, TokenRow.made_at)
    .join_from(TokenRow, Player, Player.id == TokenRow.player_id)
    .where(TokenRow.digest == bindparam("token"))
)


def visitor(house: House, token: str) -> Visitor | None:
    """Whose program it is; None where nobody has such a token."""
    with house.store.reading() as connection:
        own = one_or_none_of(_Player, connection.execute(_PLAYER, {"token": signing.digest(token)}))
        if own is None:
            return None
        return Visitor(mailboxes.of_player(connection, own.id), own.name, own.made_at, own.zone)


def listed(house: House, found: Visitor) -> tuple[Listed, ...]:
    """Somebody's tokens, the oldest first."""
    with house.store.asking() as connection:
        own = _named(connection, settings.player_of(found))
    return tuple(Listed(each.name, zones.worded(each.made_at, found.zone)) for each in own)


def make(house: House, found: Visitor, name: str, now: datetime) -> str:
    """A new token, which nobody is shown again; Refused where it cannot be called so, or there are enough."""
    token = _BEGINS + secrets.token_urlsafe(24)
    with house.store.writing() as connection:
        mailboxes.hold(connection, found.who)
        player = settings.player_of(found)
        called = _possible(connection, player, name)
        insert_once(
            connection, TokenRow, player_id=player, digest=signing.digest(token), name=called, made_at=now
        )
    return token


def remove(house: House, found: Visitor, name: str) -> None:
    """Take a token away."""
    with house.store.writing() as connection:
        if not connection.execute(_TAKE, {"player": settings.player_of(found), "called": name}).rowcount:
            raise Refused(sentence("tokens.none_such"))


def _named(connection: Connection, player: int) -> list[_Kept]:
    return rows_of(_Kept, connection.execute(_OF_PLAYER, {"player": player}))


def _possible(connection: Connection, player: int, text: str) -> str:
    """What a further token of theirs is called."""
    name = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    if not 0 < len(name) <= limits.TOKEN_NAME_CHARACTERS:
        raise Refused(sentence("tokens.no_name", most=limits.TOKEN_NAME_CHARACTERS))
    names = [each.name for each in _named(connection, player)]
    if name in names:
        raise Refused(sentence("tokens.called_so"))
    if len(names) >= limits.TOKENS:
        raise Refused(sentence("tokens.enough", most=limits.TOKENS))
    return name
