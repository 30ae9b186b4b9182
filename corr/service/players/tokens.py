"""The tokens by which a player's own programs are let in: made, listed, and taken away."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, select

from corr import limits
from corr.messages import sentence
from corr.service.house import House
from corr.service.players import authentication, credentials, mailboxes, players, settings, time_zones
from corr.service.players.authentication import Visitor
from corr.service.players.credentials import Kind
from corr.store.locks import insert_once
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import Player, TokenRow
from corr.words.errors import Refused

#: By this a token is known as one of ours, wherever it is found.
_BEGINS = "corr_"
_KIND = Kind("tokens", limits.TOKEN_NAME_CHARACTERS, limits.TOKENS)


class Bearer(NamedTuple):
    """Whose program has come in, and whether its token lets it play or read alone."""

    visitor: Visitor
    plays: bool


@dataclass(frozen=True, slots=True)
class Wish:
    """A token as it is asked for: what it is called, and whether a program plays by it."""

    name: str
    plays: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """A token as its player reads of it."""

    name: str
    made: str
    plays: bool


class _Kept(NamedTuple):
    name: str
    made_at: datetime
    plays: bool


class _Player(NamedTuple):
    id: int
    name: str
    zone: str
    made_at: datetime
    plays: bool


_OF_PLAYER = (
    select(TokenRow.name, TokenRow.made_at, TokenRow.plays)
    .where(TokenRow.player_id == bindparam("player"))
    .order_by(TokenRow.id)
)
_TAKE = delete(TokenRow).where(
    TokenRow.player_id == bindparam("player"), TokenRow.name == bindparam("called")
)
_PLAYER = (
    select(Player.id, Player.name, Player.zone, TokenRow.made_at, TokenRow.plays)
    .join_from(TokenRow, Player, Player.id == TokenRow.player_id)
    .where(TokenRow.digest == bindparam("token"))
)


def bearer(house: House, token: str) -> Bearer | None:
    """Whose program it is; None where nobody has such a token."""
    with house.store.reading() as connection:
        own = one_or_none_of(_Player, connection.execute(_PLAYER, {"token": authentication.digest(token)}))
        if own is None:
            return None
        who = mailboxes.of_player(connection, own.id)
        return Bearer(Visitor(who, own.name, own.made_at, own.zone), own.plays)


def listed(house: House, found: Visitor) -> tuple[Listed, ...]:
    """Somebody's tokens, the oldest first."""
    with house.store.asking() as connection:
        own = _named(connection, settings.player_of(found))
    return tuple(Listed(each.name, time_zones.worded(each.made_at, found.zone), each.plays) for each in own)


def make(house: House, found: Visitor, wish: Wish, now: datetime) -> str:
    """A new token, which nobody is shown again; a letter tells of it. With the first that plays they are a program.

    Refused where it cannot be called so, where there are enough, and while somebody takes them for a person.
    """
    token = _BEGINS + secrets.token_urlsafe(24)
    with house.store.writing() as connection:
        player = credentials.held(connection, found)
        called = credentials.possible_name(
            _KIND, wish.name, [each.name for each in _named(connection, player)]
        )
        if wish.plays and not players.is_program(connection, player):
            players.become_program(connection, player)
        made = {"name": called, "made_at": now, "plays": wish.plays}
        insert_once(connection, TokenRow, player_id=player, digest=authentication.digest(token), **made)
        credentials.tell(connection, found.who, _KIND, now, token=called, plays=wish.plays)
    return token


def remove(house: House, found: Visitor, name: str) -> None:
    """Take a token away."""
    with house.store.writing() as connection:
        if not connection.execute(_TAKE, {"player": settings.player_of(found), "called": name}).rowcount:
            raise Refused(sentence("tokens.none_such"))


def _named(connection: Connection, player: int) -> list[_Kept]:
    return rows_of(_Kept, connection.execute(_OF_PLAYER, {"player": player}))
