"""Letters in trouble: given up, not to be read, bounced. Of an operator's own opponents none is listed or sent again.

That a letter went to an opponent, or came from one, may tell what was tried in vain.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, select

from corr.desk import correspondents, outbox, site_outbox
from corr.desk.correspondents import Correspondent
from corr.desk.dispatch import Tray
from corr.desk.house import House
from corr.desk.moments import in_utc
from corr.desk.stakes import Stakes, stakes
from corr.sentences import sentence
from corr.store.tables import Correspondent as CorrespondentRow
from corr.store.tables import Game, InboxRow, OutboxRow, Player, SeatRow, SiteInboxRow, SiteOutboxRow

_MOST = 200
_LATELY = timedelta(days=14)

Found = Row[*tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Dead:
    """A letter that was given up: by which mark it is sent again, to whom, of what kind, when and why."""

    mark: str
    to: str
    game: str
    kind: str
    when: str
    trouble: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A letter that broke the reader: who wrote it, in which game, when it came."""

    writer: str
    game: str
    when: str


@dataclass(frozen=True, slots=True)
class Bounced:
    """A player whose mail came back: how often, and when it last did."""

    player: str
    times: int
    when: str


@dataclass(frozen=True, slots=True)
class Troubles:
    """All letters in trouble that an operator may look at."""

    dead: tuple[Dead, ...]
    unreadable: tuple[Unreadable, ...]
    bounced: tuple[Bounced, ...]


def troubles(house: House, operator: Correspondent, now: datetime) -> Troubles:
    """What is wrong with the mail."""
    with house.store.reading() as connection:
        held = stakes(connection, operator)
        return Troubles(
            tuple(each for _, _, each in _dead(connection, held)),
            tuple(_unreadable(connection, held)),
            tuple(_bounced(connection, held, now)),
        )


def resend(house: House, operator: Correspondent, mark: str, now: datetime) -> int:
    """Let one letter that was given up be due again; how many were."""
    with house.store.reading() as connection:
        found = _dead(connection, stakes(connection, operator))
        named = [(tray, letter) for tray, letter, each in found if each.mark == mark]
    return sum(tray.revive(house, now, letter) for tray, letter in named)


def resend_all(house: House, operator: Correspondent, now: datetime) -> int:
    """Let all letters that were given up be due again, but for those of which the operator is told nothing."""
    with house.store.reading() as connection:
        held = stakes(connection, operator)
    of_games = outbox.TRAY.revive(house, now, held.seat(OutboxRow.seat_id))
    return of_games + site_outbox.TRAY.revive(house, now, held.mailbox(SiteOutboxRow.correspondent_id))


# ---------------------------------------------------------------- given up


def _dead(connection: Connection, held: Stakes) -> list[tuple[Tray, ColumnElement[bool], Dead]]:
    """Letters that were given up, each with its tray and which one it is there; the newest first."""
    of_games = (
        select(OutboxRow.id, OutboxRow.kind, OutboxRow.dead_at, OutboxRow.trouble)
        .add_columns(Player.name, Player.address_key, Game.code)
        .join(SeatRow, SeatRow.id == OutboxRow.seat_id)
        .join(Player, Player.id == SeatRow.player_id)
        .join(Game, Game.id == SeatRow.game_id)
        .where(OutboxRow.dead_at.is_not(None), held.seat(OutboxRow.seat_id))
        .order_by(OutboxRow.dead_at.desc())
    )
    of_the_site = (
        select(SiteOutboxRow.id, SiteOutboxRow.kind, SiteOutboxRow.dead_at, SiteOutboxRow.trouble)
        .add_columns(CorrespondentRow.address)
        .join(CorrespondentRow, CorrespondentRow.id == SiteOutboxRow.correspondent_id)
        .where(SiteOutboxRow.dead_at.is_not(None), held.mailbox(SiteOutboxRow.correspondent_id))
        .order_by(SiteOutboxRow.dead_at.desc())
    )
    key, forgotten = correspondents.secret(connection, "marks"), sentence("admin.forgotten")
    games, site = (connection.execute(each.limit(_MOST)).all() for each in (of_games, of_the_site))
    rows = [
        (row.dead_at, outbox.TRAY, OutboxRow.id == row.id, _letter(key, row, _player(row), row.code))
        for row in games
    ]
    rows += [
        (
            row.dead_at,
            site_outbox.TRAY,
            SiteOutboxRow.id == row.id,
            _letter(key, row, row.address or forgotten, ""),
        )
        for row in site
    ]
    rows.sort(key=lambda each: each[0], reverse=True)
    return [(tray, letter, dead) for _, tray, letter, dead in rows]


def _letter(key: bytes, row: Found, to: str, game: str) -> Dead:
    # Rows are numbered through the whole house: their numbers would tell how many letters others got.
    mark = hmac.new(key, f"letter {row.id} {game}".encode(), hashlib.sha256).hexdigest()[:20]
    return Dead(mark, to, game, row.kind, in_utc(row.dead_at), row.trouble or "")


def _player(row: Found) -> str:
    """A player as an operator writes to one."""
    return f"{row.name} <{row.address_key}>" if "@" in row.address_key else sentence("admin.forgotten")


# ---------------------------------------------------------------- not to be read, and bounced


def _unreadable(connection: Connection, held: Stakes) -> Iterator[Unreadable]:
    """Letters that were put aside; the newest first."""
    of_games = (
        select(InboxRow.received_at, Player.name, Player.address_key, Game.code)
        .join(SeatRow, SeatRow.id == InboxRow.seat_id)
        .join(Player, Player.id == SeatRow.player_id)
        .join(Game, Game.id == SeatRow.game_id)
        .where(InboxRow.reading == "failed", held.seat(InboxRow.seat_id))
        .order_by(InboxRow.id.desc())
    )
    of_the_site = (
        select(SiteInboxRow.received_at, CorrespondentRow.address)
        .join(CorrespondentRow, CorrespondentRow.id == SiteInboxRow.correspondent_id)
        .where(SiteInboxRow.reading == "failed", held.mailbox(SiteInboxRow.correspondent_id))
        .order_by(SiteInboxRow.id.desc())
    )
    for letter in connection.execute(of_games.limit(_MOST)):
        yield Unreadable(_player(letter), letter.code, in_utc(letter.received_at))
    for other in connection.execute(of_the_site.limit(_MOST)):
        yield Unreadable(other.address or sentence("admin.forgotten"), "", in_utc(other.received_at))


def _bounced(connection: Connection, held: Stakes, now: datetime) -> Iterator[Bounced]:
    """Players whose mail came back lately."""
    newest = func.max(InboxRow.received_at)
    came_back = (
        select(Player.name, Player.address_key, func.count().label("times"), newest.label("newest"))
        .join(SeatRow, SeatRow.player_id == Player.id)
        .join(InboxRow, InboxRow.seat_id == SeatRow.id)
        .where(InboxRow.reading == "automatic: bounce", InboxRow.received_at > now - _LATELY)
        .where(held.seat(InboxRow.seat_id))
        .group_by(Player.id, Player.name, Player.address_key)
        .order_by(newest.desc())
    )
    for row in connection.execute(came_back.limit(_MOST)):
        yield Bounced(_player(row), row.times, in_utc(row.newest))
