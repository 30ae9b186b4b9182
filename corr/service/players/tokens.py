"""Manages the API tokens with which a player's own bots sign in (limits: `corr/limits.py`)."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, select

from corr import limits
from corr.service.players import authentication, credentials, mailboxes, players, times
from corr.service.players.authentication import Visitor
from corr.service.players.credentials import CredentialKind
from corr.service.server import Server
from corr.store.locks import insert_if_new
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import PlayerRow, TokenRow
from corr.text.messages import sentence
from corr.words.errors import Refused

#: The prefix that marks a token as ours, wherever it is found.
_PREFIX = "corr_"
_KIND = CredentialKind("tokens", limits.TOKEN_NAME_CHARACTERS, limits.TOKENS)


class Bearer(NamedTuple):
    """The player whose bot signed in, and whether its token may play or only read."""

    visitor: Visitor
    plays: bool


@dataclass(frozen=True, slots=True)
class ListedToken:
    """A token as its player sees it."""

    name: str
    made: str
    plays: bool


class _TokenListRow(NamedTuple):
    name: str
    made_at: datetime
    plays: bool


class _BearerRow(NamedTuple):
    id: int
    name: str
    zone: str
    made_at: datetime
    plays: bool


_TOKENS_QUERY = (
    select(TokenRow.name, TokenRow.made_at, TokenRow.plays)
    .where(TokenRow.player_id == bindparam("player"))
    .order_by(TokenRow.id)
)
_TOKEN_DELETE = delete(TokenRow).where(
    TokenRow.player_id == bindparam("player"), TokenRow.name == bindparam("called")
)
_BEARER_QUERY = (
    select(PlayerRow.id, PlayerRow.name, PlayerRow.zone, TokenRow.made_at, TokenRow.plays)
    .join_from(TokenRow, PlayerRow, PlayerRow.id == TokenRow.player_id)
    .where(TokenRow.digest == bindparam("token"))
)


def find_bearer(server: Server, token: str) -> Bearer | None:
    """Return the player and rights of a bot's token; None if nobody has it."""
    with server.store.reading() as connection:
        own = one_or_none_of(
            _BearerRow, connection.execute(_BEARER_QUERY, {"token": authentication.digest(token)})
        )
        if own is None:
            return None
        who = mailboxes.load_main_mailbox(connection, own.id)
        return Bearer(Visitor(who, own.name, own.made_at, own.zone), own.plays)


def list_tokens(server: Server, visitor: Visitor) -> tuple[ListedToken, ...]:
    """List a player's tokens, the oldest first."""
    with server.store.asking() as connection:
        own = _load_tokens(connection, visitor.require_player())
    return tuple(
        ListedToken(each.name, times.word_moment(each.made_at, visitor.zone), each.plays) for each in own
    )


def make(server: Server, visitor: Visitor, name: str, now: datetime, *, plays: bool) -> str:
    """Create and return a token, which is shown only once; tell the player by email.

    The first token that may play turns the player into a bot. Refused if the name is not allowed, if there are enough
    tokens, or while an opponent takes the player for a person.
    """
    token = _PREFIX + secrets.token_urlsafe(24)
    with server.store.writing() as connection:
        player = credentials.lock_player(connection, visitor)
        called = credentials.check_name(_KIND, name, [each.name for each in _load_tokens(connection, player)])
        if plays and not players.is_bot(connection, player):
            players.become_bot(connection, player)
        made = {"name": called, "made_at": now, "plays": plays}
        insert_if_new(connection, TokenRow, player_id=player, digest=authentication.digest(token), **made)
        credentials.email_change(connection, visitor.who, _KIND, now, token=called, plays=plays)
    return token


def remove(server: Server, visitor: Visitor, name: str) -> None:
    """Delete the player's token of this name; raise Refused if there is none."""
    with server.store.writing() as connection:
        asked = {"player": visitor.require_player(), "called": name}
        if not connection.execute(_TOKEN_DELETE, asked).rowcount:
            raise Refused(sentence("tokens.none_such"))


def _load_tokens(connection: Connection, player: int) -> list[_TokenListRow]:
    return rows_of(_TokenListRow, connection.execute(_TOKENS_QUERY, {"player": player}))
