"""Manages how a player is notified of their turn besides email: feeds and webhooks."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, exists, insert, or_, select, update

from corr import limits
from corr.calls.destinations import place_of
from corr.calls.payloads import WRITTEN
from corr.messages import sentence
from corr.service.house import House
from corr.service.players import credentials, feed_keys, time_zones
from corr.service.players.authentication import Visitor, digest
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import CallRow, Player, Subscription, Way
from corr.words.errors import Refused

CALENDAR, ATOM, WEBHOOK = "calendar", "atom", "webhook"
FEEDS = (CALENDAR, ATOM)


class Kept(NamedTuple):
    """A feed or webhook as stored."""

    id: int
    kind: str
    name: str
    url: str
    sealed: bytes
    called_at: datetime | None
    trouble: str | None


class Listed(NamedTuple):
    """A webhook as its player sees it."""

    number: int
    name: str
    url: str
    key: str
    called: str  # when it was called last
    trouble: str


class Ways(NamedTuple):
    """A player's switched-on feeds, as keys by kind, and their webhooks."""

    feeds: dict[str, str]
    webhooks: tuple[Listed, ...]


_OF_PLAYER = (
    select(Way.id, Way.kind, Way.name, Way.url, Way.sealed, Way.called_at, Way.trouble)
    .where(Way.player_id == bindparam("player"))
    .order_by(Way.id)
)
_READER = select(Way.player_id).where(Way.digest == bindparam("digest"), Way.kind == bindparam("kind"))


class _Reader(NamedTuple):
    player_id: int


def of_player(house: House, visitor: Visitor) -> Ways:
    """Return the signed-in player's feeds and webhooks; Refused without a name."""
    with house.store.asking() as connection:
        kept = [
            (each, feed_keys.unseal(connection, each.sealed)) for each in _kept(connection, _player(visitor))
        ]
    feeds = {each.kind: key for each, key in kept if each.kind in FEEDS}
    return Ways(feeds, tuple(_listed(each, key, visitor.zone) for each, key in kept if each.kind == WEBHOOK))


def _listed(kept: Kept, key: str, zone: str) -> Listed:
    called = time_zones.worded(kept.called_at, zone) if kept.called_at else ""
    return Listed(kept.id, kept.name, kept.url, key, called, kept.trouble or "")


def reader(connection: Connection, key: str, kind: str) -> int | None:
    """Return the player whose feed has this key, if there is one."""
    found = one_or_none_of(_Reader, connection.execute(_READER, {"digest": digest(key), "kind": kind}))
    return found.player_id if found else None


def switch_on(house: House, visitor: Visitor, kind: str, now: datetime) -> str:
    """Switch a feed on at a new secret address, replacing any old; return the answer."""
    if kind not in FEEDS:
        raise Refused(sentence("settings.no_choice"))
    with house.store.writing() as connection:
        player = credentials.held(connection, visitor)
        was_on = _take(connection, player, kind)
        _make(connection, player, kind, "", "", now)
    return sentence("calls.renewed") if was_on else sentence("calls.on")


def switch_off(house: House, visitor: Visitor, kind: str) -> str:
    """Switch a feed off; return the answer."""
    if kind not in FEEDS:
        raise Refused(sentence("settings.no_choice"))
    with house.store.writing() as connection:
        _take(connection, credentials.held(connection, visitor), kind)
    return sentence("calls.off")


def add(house: House, visitor: Visitor, url: str, written: str, now: datetime) -> str:
    """Add a webhook; return the answer, or raise Refused if calls may not go there."""
    if written not in WRITTEN:
        raise Refused(sentence("settings.no_choice"))
    place_of(url)
    with house.store.writing() as connection:
        player = credentials.held(connection, visitor)
        if sum(each.kind == WEBHOOK for each in _kept(connection, player)) >= limits.WEBHOOKS:
            raise Refused(sentence("calls.too_many", most=limits.WEBHOOKS))
        _make(connection, player, WEBHOOK, written, url.strip(), now)
        note(connection, player)
    return sentence("calls.made")


def remove(house: House, visitor: Visitor, number: int) -> str:
    """Remove a webhook; return the answer."""
    with house.store.writing() as connection:
        player = credentials.held(connection, visitor)
        if number not in {each.id for each in _kept(connection, player)}:
            raise Refused(sentence("settings.no_choice"))
        drop(connection, player, number)
    return sentence("calls.off")


def test(house: House, visitor: Visitor, number: int, now: datetime) -> str:
    """Call a webhook now as a test; return the answer."""
    with house.store.writing() as connection:
        player = credentials.held(connection, visitor)
        if number not in {each.id for each in _kept(connection, player)}:
            raise Refused(sentence("settings.no_choice"))
        is_test = (CallRow.way_id == number) & CallRow.seat_id.is_(None)
        connection.execute(delete(CallRow).where(is_test))
        connection.execute(insert(CallRow).values(way_id=number, made_at=now, due_at=now, tries=0))
    return sentence("calls.tested")


def drop(connection: Connection, player_id: int, way_id: int) -> None:
    """Delete a feed or webhook, and the calls that wait for it."""
    connection.execute(delete(CallRow).where(CallRow.way_id == way_id))
    connection.execute(delete(Way).where(Way.id == way_id))
    note(connection, player_id)


def forget(connection: Connection, player_id: int) -> None:
    """Delete all feeds and webhooks of a player."""
    for each in _kept(connection, player_id):
        drop(connection, player_id, each.id)


def exported(connection: Connection, player_id: int) -> list[dict[str, str]]:
    """Return a player's feeds and webhooks for export, without the keys."""
    return [{"kind": each.kind, "url": each.url} for each in _kept(connection, player_id)]


def _player(visitor: Visitor) -> int:
    if visitor.who.player_id is None:
        raise Refused(sentence("names.choose_first"))
    return visitor.who.player_id


def _kept(connection: Connection, player_id: int) -> list[Kept]:
    return rows_of(Kept, connection.execute(_OF_PLAYER, {"player": player_id}))


def _take(connection: Connection, player_id: int, kind: str) -> bool:
    """Delete a feed; return whether there was one."""
    feed = delete(Way).where(Way.player_id == player_id, Way.kind == kind)
    return connection.execute(feed).rowcount > 0


def _make(connection: Connection, player_id: int, kind: str, name: str, url: str, now: datetime) -> None:
    key = feed_keys.new()
    kept = {"digest": digest(key), "sealed": feed_keys.seal(connection, key)}
    connection.execute(
        insert(Way).values(player_id=player_id, kind=kind, name=name, url=url, made_at=now, **kept)
    )


def note(connection: Connection, player_id: int) -> None:
    """Record whether a player has webhooks or devices: only such players are looked up."""
    is_called = or_(
        exists(select(Way.id).where(Way.player_id == player_id, Way.kind == WEBHOOK)),
        exists(select(Subscription.id).where(Subscription.player_id == player_id)),
    )
    connection.execute(update(Player).where(Player.id == player_id).values(called=is_called))
