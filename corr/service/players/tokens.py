"""Manages the tokens with which a player's own bots sign in."""

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

#: The prefix that marks a token as ours, wherever it is found.
_BEGINS = "corr_"
_KIND = Kind("tokens", limits.TOKEN_NAME_CHARACTERS, limits.TOKENS)


class Bearer(NamedTuple):
    """The player whose bot signed in, and whether its token may play or only read."""

    visitor: Visitor
    plays: bool


@dataclass(frozen=True, slots=True)
class Wish:
    """A requested token: its name, and whether a bot plays with it."""

    name: str
    plays: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """A token as its player sees it."""

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
    """Return the player of a token; None if nobody has it."""
    with house.store.reading() as connection:
        own = one_or_none_of(_Player, connection.execute(_PLAYER, {"token": authentication.digest(token)}))
        if own is None:
            return None
        who = mailboxes.of_player(connection, own.id)
        return Bearer(Visitor(who, own.name, own.made_at, own.zone), own.plays)


def listed(house: House, found: Visitor) -> tuple[Listed, ...]:
    """List a player's tokens, the oldest first."""
    with house.store.asking() as connection:
        own = _named(connection, settings.player_of(found))
    return tuple(Listed(each.name, time_zones.worded(each.made_at, found.zone), each.plays) for each in own)


def make(house: House, found: Visitor, wish: Wish, now: datetime) -> str:
    """Create a token, which is shown only once; an email tells of it.

    The first token that may play turns the player into a bot. Refused if the name is not allowed, if there are enough
    tokens, or while an opponent takes the player for a person.
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
    """Delete a token."""
    with house.store.writing() as connection:
        if not connection.execute(_TAKE, {"player": settings.player_of(found), "called": name}).rowcount:
            raise Refused(sentence("tokens.none_such"))


def _named(connection: Connection, player: int) -> list[_Kept]:
    return rows_of(_Kept, connection.execute(_OF_PLAYER, {"player": player}))
