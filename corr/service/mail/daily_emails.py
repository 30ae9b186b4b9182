"""Queues daily emails: the digest of a player's games (limit: `corr/limits.py`), and the checkpoint, signed for all."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, select, update
from sqlalchemy.exc import OperationalError

from corr.service.games import your_games
from corr.service.mail import forwarding, game_emails
from corr.service.players import mail_preferences, mailboxes
from corr.service.server import Server
from corr.store.locks import NOW
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import CheckpointRow, GameRow, OutboxRow, PlayerRow, SeatRow
from corr.words.view import Stage

log = logging.getLogger(__name__)

_BATCH = 200


class _ReaderRow(NamedTuple):
    zone: str
    digest_hour: int
    digested_at: datetime | None


class _NewestRow(NamedTuple):
    code: str
    letter: int
    is_news: bool


_DUE = select(PlayerRow.id).where(PlayerRow.digest_at <= NOW).order_by(PlayerRow.digest_at).limit(_BATCH)
_READER_QUERY = (
    select(PlayerRow.zone, PlayerRow.digest_hour, PlayerRow.digested_at)
    .where(PlayerRow.id == bindparam("player"), PlayerRow.digest_at <= NOW)
    .with_for_update()
)
_IS_AWAITED = (GameRow.turn == SeatRow.side) | (GameRow.turn.is_(None) & (GameRow.state == Stage.DEPLOYING))
#: For each running game, the newest email about a turn, and whether it is newer than the last digest.
_NEWEST = (
    select(
        GameRow.code,
        func.max(OutboxRow.id).label("letter"),
        (func.max(OutboxRow.made_at) >= bindparam("digested", type_=OutboxRow.made_at.type)).label("is_news"),
        _IS_AWAITED.label("is_awaited"),
    )
    .join_from(SeatRow, GameRow, GameRow.id == SeatRow.game_id)
    .join(OutboxRow, OutboxRow.seat_id == SeatRow.id)
    .where(SeatRow.player_id == bindparam("player"), GameRow.state.in_((Stage.DEPLOYING, Stage.RUNNING)))
    .where(OutboxRow.kind.in_(game_emails.DIGEST_KINDS))
    .group_by(GameRow.id, SeatRow.id)
    .subquery()
)
_LISTED_QUERY = select(_NEWEST.c.code, _NEWEST.c.letter, _NEWEST.c.is_news).where(
    _NEWEST.c.is_news | _NEWEST.c.is_awaited
)


def write_digests(server: Server, now: datetime) -> int:
    """Queue the digest of each player whose digest hour has come; return how many."""
    with server.store.asking() as connection:
        due = connection.execute(_DUE, {"now": now}).scalars().all()
    return _write_each(server, due, partial(_write_digest, now=now), "could not write a daily email")


def _write_each(
    server: Server, due: Sequence[int], write: Callable[[Connection, int], bool], trouble: str
) -> int:
    """Write one email to each player, and only log failures; return how many were written."""
    written = 0
    for player_id in due:
        try:
            with server.store.writing() as connection:
                written += write(connection, player_id)
        except OperationalError:
            raise
        except Exception:
            log.exception(trouble, extra={"player": player_id})
    return written


def _write_digest(connection: Connection, player_id: int, now: datetime) -> bool:
    """Write a digest that is still due, if there is news; return whether it was written."""
    asked = {"player": player_id, "now": now}
    reader = one_or_none_of(_ReaderRow, connection.execute(_READER_QUERY, asked))
    if reader is None:
        return False
    next_at = mail_preferences.next_digest(reader.zone, reader.digest_hour, now)
    connection.execute(
        update(PlayerRow).where(PlayerRow.id == player_id).values(digest_at=next_at, digested_at=now)
    )
    newest = rows_of(
        _NewestRow, connection.execute(_LISTED_QUERY, asked | {"digested": reader.digested_at or now})
    )
    if not any(each.is_news for each in newest):
        return False
    _queue_digest(connection, player_id, newest, now)
    return True


def _queue_digest(
    connection: Connection, player_id: int, newest: Sequence[_NewestRow], now: datetime
) -> None:
    """Queue an email that lists a player's games, with the boards that these turn emails showed."""
    listing = your_games.list_for_email(connection, player_id, now)
    order = list(listing.lines)
    shown = sorted((each for each in newest if each.code in order), key=lambda each: order.index(each.code))
    mailboxes.write(
        connection,
        mailboxes.load_main_mailbox(connection, player_id),
        "digest",
        now,
        listed=forwarding.load_listed_games(connection, player_id, listing.lines),
        letters=[each.letter for each in shown],
        lines=list(listing.lines.values()),
        more=listing.more,
    )


# ---------------------------------------------------------------- checkpoints


class _CheckpointRow(NamedTuple):
    id: int
    day: str
    note: str
    key: str


_NEWEST_CHECKPOINT = select(func.max(CheckpointRow.id)).scalar_subquery()
_CHECKPOINT_DUE = (
    select(PlayerRow.id)
    .where(PlayerRow.checkpoint < _NEWEST_CHECKPOINT)
    .order_by(PlayerRow.checkpoint)
    .limit(_BATCH)
)
_LAST_SENT_QUERY = (
    select(PlayerRow.checkpoint)
    .where(PlayerRow.id == bindparam("player"), PlayerRow.checkpoint.is_not(None))
    .with_for_update()
)
_NEXT_CHECKPOINT_QUERY = (
    select(CheckpointRow.id, CheckpointRow.day, CheckpointRow.note, CheckpointRow.key)
    .where(CheckpointRow.id > bindparam("had"))
    .order_by(CheckpointRow.id)
    .limit(1)
)
_SENT_UPDATE = (
    update(PlayerRow).where(PlayerRow.id == bindparam("player")).values(checkpoint=bindparam("number"))
)


def write_checkpoints(server: Server, now: datetime) -> int:
    """Queue the next checkpoint for each subscriber who has not had the newest; return how many."""
    with server.store.asking() as connection:
        due = connection.execute(_CHECKPOINT_DUE).scalars().all()
    write = partial(_write_checkpoint, server=server, now=now)
    return _write_each(server, due, write, "could not write a checkpoint email to a player")


def _write_checkpoint(connection: Connection, player_id: int, server: Server, now: datetime) -> bool:
    """Write the first checkpoint that a player has not had; False if there is none."""
    had = connection.execute(_LAST_SENT_QUERY, {"player": player_id}).scalar_one_or_none()
    if had is None:
        return False
    found = one_or_none_of(_CheckpointRow, connection.execute(_NEXT_CHECKPOINT_QUERY, {"had": had}))
    if found is None:
        return False
    connection.execute(_SENT_UPDATE, {"player": player_id, "number": found.id})
    mailboxes.write(
        connection,
        mailboxes.load_main_mailbox(connection, player_id),
        "checkpoint",
        now,
        day=found.day,
        note=found.note.splitlines(),
        key=found.key,
        page=f"{server.web_url}/checkpoint/{found.day}",
    )
    return True
