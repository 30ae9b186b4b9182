"""Manages how a player is notified of their turn besides email: feeds and webhooks (limits: `corr/limits.py`)."""

from __future__ import annotations

import hmac
import secrets
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, exists, insert, or_, select, update

from corr import limits
from corr.notifications.calendar_and_feeds import WRITERS
from corr.notifications.client import parse_destination
from corr.service.players import credentials, times
from corr.service.players.authentication import Visitor, digest
from corr.service.server import Server
from corr.store import server_secrets
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import CallRow, NotificationWayRow, PlayerRow, PushSubscriptionRow
from corr.text.messages import sentence
from corr.words.errors import Refused

_SECRET, _NONCE = "ways", 16
#: The random bytes of a key; it is written in 32 characters, which one HMAC covers.
_KEY_BYTES = 24


def make_key() -> str:
    """Make a random key, for a feed's secret address or a webhook's signatures."""
    return secrets.token_urlsafe(_KEY_BYTES)


def seal_key(connection: Connection, key: str) -> bytes:
    """Encrypt a key with the server's secret for storage, behind a random nonce."""
    nonce = secrets.token_bytes(_NONCE)
    return nonce + _apply_pad(connection, nonce, key.encode())


def unseal_key(connection: Connection, sealed: bytes) -> str:
    """Decrypt a key that `seal_key` has encrypted."""
    return _apply_pad(connection, sealed[:_NONCE], sealed[_NONCE:]).decode()


def _apply_pad(connection: Connection, nonce: bytes, text: bytes) -> bytes:
    """XOR each byte with a pad unique to the nonce; twice restores the text."""
    pad = hmac.digest(server_secrets.load_secret(connection, _SECRET), nonce, "sha256")
    return bytes(one ^ other for one, other in zip(text, pad, strict=True))


CALENDAR, ATOM, WEBHOOK = "calendar", "atom", "webhook"
FEEDS = (CALENDAR, ATOM)


class StoredWay(NamedTuple):
    """A feed or webhook as stored."""

    id: int
    kind: str
    name: str
    url: str
    sealed: bytes
    called_at: datetime | None
    trouble: str | None


class ListedWebhook(NamedTuple):
    """A webhook as its player sees it."""

    number: int
    name: str
    url: str
    key: str
    called: str  # when it was called last
    trouble: str


class NotificationWays(NamedTuple):
    """A player's switched-on feeds, as keys by kind, and their webhooks."""

    feeds: dict[str, str]
    webhooks: tuple[ListedWebhook, ...]


_WAYS_QUERY = (
    select(
        NotificationWayRow.id,
        NotificationWayRow.kind,
        NotificationWayRow.name,
        NotificationWayRow.url,
        NotificationWayRow.sealed,
        NotificationWayRow.called_at,
        NotificationWayRow.trouble,
    )
    .where(NotificationWayRow.player_id == bindparam("player"))
    .order_by(NotificationWayRow.id)
)
_READER_QUERY = select(NotificationWayRow.player_id).where(
    NotificationWayRow.digest == bindparam("digest"), NotificationWayRow.kind == bindparam("kind")
)


class _ReaderRow(NamedTuple):
    player_id: int


def load_ways(server: Server, visitor: Visitor) -> NotificationWays:
    """Return the signed-in player's feeds and webhooks; Refused without a name."""
    with server.store.asking() as connection:
        kept = [
            (each, unseal_key(connection, each.sealed))
            for each in _load_ways(connection, visitor.require_player())
        ]
    feeds = {each.kind: key for each, key in kept if each.kind in FEEDS}
    return NotificationWays(
        feeds, tuple(_make_listed(each, key, visitor.zone) for each, key in kept if each.kind == WEBHOOK)
    )


def _make_listed(kept: StoredWay, key: str, zone: str) -> ListedWebhook:
    called = times.word_moment(kept.called_at, zone) if kept.called_at else ""
    return ListedWebhook(kept.id, kept.name, kept.url, key, called, kept.trouble or "")


def find_reader(connection: Connection, key: str, kind: str) -> int | None:
    """Return the player whose feed of this kind has this secret key; else None."""
    found = one_or_none_of(
        _ReaderRow, connection.execute(_READER_QUERY, {"digest": digest(key), "kind": kind})
    )
    return found.player_id if found else None


def switch_on(server: Server, visitor: Visitor, kind: str, now: datetime) -> str:
    """Turn a calendar or Atom feed on at a new secret address; return a confirmation. Refused for other kinds."""
    if kind not in FEEDS:
        raise Refused(sentence("settings.no_choice"))
    with server.store.writing() as connection:
        player = credentials.lock_player(connection, visitor)
        was_on = _delete_feed(connection, player, kind)
        _insert_way(connection, player, kind, "", "", now)
    return sentence("calls.renewed") if was_on else sentence("calls.on")


def switch_off(server: Server, visitor: Visitor, kind: str) -> str:
    """Turn a calendar or Atom feed off; return a confirmation. Refused for other kinds."""
    if kind not in FEEDS:
        raise Refused(sentence("settings.no_choice"))
    with server.store.writing() as connection:
        _delete_feed(connection, credentials.lock_player(connection, visitor), kind)
    return sentence("calls.off")


def add(server: Server, visitor: Visitor, url: str, written: str, now: datetime) -> str:
    """Add a webhook with payload format `written`; return a confirmation to show, or raise Refused."""
    if written not in WRITERS:
        raise Refused(sentence("settings.no_choice"))
    parse_destination(url)
    with server.store.writing() as connection:
        player = credentials.lock_player(connection, visitor)
        if sum(each.kind == WEBHOOK for each in _load_ways(connection, player)) >= limits.WEBHOOKS:
            raise Refused(sentence("calls.too_many", most=limits.WEBHOOKS))
        _insert_way(connection, player, WEBHOOK, written, url.strip(), now)
        update_called(connection, player)
    return sentence("calls.made")


def remove(server: Server, visitor: Visitor, number: int) -> str:
    """Remove one of the player's webhooks by its number; return a confirmation to show. Refused if unknown."""
    with server.store.writing() as connection:
        player = credentials.lock_player(connection, visitor)
        if number not in {each.id for each in _load_ways(connection, player)}:
            raise Refused(sentence("settings.no_choice"))
        drop(connection, player, number)
    return sentence("calls.off")


def test(server: Server, visitor: Visitor, number: int, now: datetime) -> str:
    """Queue a test call to one of the player's webhooks; return a confirmation to show. Refused if unknown."""
    with server.store.writing() as connection:
        player = credentials.lock_player(connection, visitor)
        if number not in {each.id for each in _load_ways(connection, player)}:
            raise Refused(sentence("settings.no_choice"))
        is_test = (CallRow.way_id == number) & CallRow.seat_id.is_(None)
        connection.execute(delete(CallRow).where(is_test))
        connection.execute(insert(CallRow).values(way_id=number, made_at=now, due_at=now, tries=0))
    return sentence("calls.tested")


def drop(connection: Connection, player_id: int, way_id: int) -> None:
    """Delete a feed or webhook, and the calls that wait for it."""
    connection.execute(delete(CallRow).where(CallRow.way_id == way_id))
    connection.execute(delete(NotificationWayRow).where(NotificationWayRow.id == way_id))
    update_called(connection, player_id)


def delete_ways(connection: Connection, player_id: int) -> None:
    """Delete all feeds and webhooks of a player."""
    for each in _load_ways(connection, player_id):
        drop(connection, player_id, each.id)


def export_ways(connection: Connection, player_id: int) -> list[dict[str, str]]:
    """Return a player's feeds and webhooks for export, without the keys."""
    return [{"kind": each.kind, "url": each.url} for each in _load_ways(connection, player_id)]


def _load_ways(connection: Connection, player_id: int) -> list[StoredWay]:
    return rows_of(StoredWay, connection.execute(_WAYS_QUERY, {"player": player_id}))


def _delete_feed(connection: Connection, player_id: int, kind: str) -> bool:
    """Delete a feed; return whether there was one."""
    feed = delete(NotificationWayRow).where(
        NotificationWayRow.player_id == player_id, NotificationWayRow.kind == kind
    )
    return connection.execute(feed).rowcount > 0


def _insert_way(
    connection: Connection, player_id: int, kind: str, name: str, url: str, now: datetime
) -> None:
    """Store a feed or webhook with a new random key."""
    key = make_key()
    kept = {"digest": digest(key), "sealed": seal_key(connection, key)}
    connection.execute(
        insert(NotificationWayRow).values(
            player_id=player_id, kind=kind, name=name, url=url, made_at=now, **kept
        )
    )


def update_called(connection: Connection, player_id: int) -> None:
    """Record whether a player has webhooks or push devices; others' turns queue no calls."""
    is_notified = or_(
        exists(
            select(NotificationWayRow.id).where(
                NotificationWayRow.player_id == player_id, NotificationWayRow.kind == WEBHOOK
            )
        ),
        exists(select(PushSubscriptionRow.id).where(PushSubscriptionRow.player_id == player_id)),
    )
    connection.execute(update(PlayerRow).where(PlayerRow.id == player_id).values(called=is_notified))
