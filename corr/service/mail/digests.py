"""Writes the daily digest: one email about all of a player's games, in place of one per turn."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, select, update
from sqlalchemy.exc import OperationalError

from corr.service.games import your_games
from corr.service.house import House
from corr.service.mail import forwarding, game_emails
from corr.service.players import mail_preferences, mailboxes
from corr.store.leases import NOW
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import Game, OutboxRow, Player, SeatRow
from corr.words.view import Stage

log = logging.getLogger(__name__)

_BATCH = 200


class _Reader(NamedTuple):
    zone: str
    digest_hour: int
    digested_at: datetime | None


class _Newest(NamedTuple):
    code: str
    letter: int
    is_news: bool


_DUE = select(Player.id).where(Player.digest_at <= NOW).order_by(Player.digest_at).limit(_BATCH)
_READER = (
    select(Player.zone, Player.digest_hour, Player.digested_at)
    .where(Player.id == bindparam("player"), Player.digest_at <= NOW)
    .with_for_update()
)
_IS_AWAITED = (Game.turn == SeatRow.side) | (Game.turn.is_(None) & (Game.state == Stage.DEPLOYING))
#: For each running game, the newest email about a turn, and whether it is newer than the last digest.
_NEWEST = (
    select(
        Game.code,
        func.max(OutboxRow.id).label("letter"),
        (func.max(OutboxRow.made_at) >= bindparam("digested", type_=OutboxRow.made_at.type)).label("is_news"),
        _IS_AWAITED.label("is_awaited"),
    )
    .join_from(SeatRow, Game, Game.id == SeatRow.game_id)
    .join(OutboxRow, OutboxRow.seat_id == SeatRow.id)
    .where(SeatRow.player_id == bindparam("player"), Game.state.in_((Stage.DEPLOYING, Stage.RUNNING)))
    .where(OutboxRow.kind.in_(game_emails.IN_DIGESTS))
    .group_by(Game.id, SeatRow.id)
    .subquery()
)
_LISTED = select(_NEWEST.c.code, _NEWEST.c.letter, _NEWEST.c.is_news).where(
    _NEWEST.c.is_news | _NEWEST.c.is_awaited
)


def write_some(house: House, now: datetime) -> int:
    """Write to players whose digest hour has come; return how many emails."""
    with house.store.asking() as connection:
        due = connection.execute(_DUE, {"now": now}).scalars().all()
    return sum(_write_one(house, player_id, now) for player_id in due)


def _write_one(house: House, player_id: int, now: datetime) -> bool:
    """Write one digest; a failure must not hold up the others."""
    try:
        with house.store.writing() as connection:
            return _write(connection, player_id, now)
    except OperationalError:
        raise
    except Exception:
        log.exception("could not write a daily email", extra={"player": player_id})
        return False


def _write(connection: Connection, player_id: int, now: datetime) -> bool:
    """Write a digest if there is news; a second worker finds it no longer due."""
    asked = {"player": player_id, "now": now}
    reader = one_or_none_of(_Reader, connection.execute(_READER, asked))
    if reader is None:
        return False
    next_at = mail_preferences.next_digest(reader.zone, reader.digest_hour, now)
    connection.execute(
        update(Player).where(Player.id == player_id).values(digest_at=next_at, digested_at=now)
    )
    newest = rows_of(_Newest, connection.execute(_LISTED, asked | {"digested": reader.digested_at or now}))
    if not any(each.is_news for each in newest):
        return False
    _put(connection, player_id, newest, now)
    return True


def _put(connection: Connection, player_id: int, newest: Sequence[_Newest], now: datetime) -> None:
    listing = your_games.listed(connection, player_id, now)
    order = list(listing.lines)
    shown = sorted((each for each in newest if each.code in order), key=lambda each: order.index(each.code))
    mailboxes.write(
        connection,
        mailboxes.of_player(connection, player_id),
        "digest",
        now,
        listed=forwarding.places(connection, player_id, listing.lines),
        letters=[each.letter for each in shown],
        lines=list(listing.lines.values()),
        more=listing.more,
    )
