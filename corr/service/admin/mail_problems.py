"""Shows admins failed emails, and resends them: given up, unreadable or bounced.

Emails of the admin's own opponents are neither listed nor resent, as even their existence may tell what an opponent
tried in vain.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Connection, NotNullable, select

from corr import limits
from corr.messages import sentence
from corr.service.admin.conflicts import Stakes, stakes
from corr.service.house import House
from corr.service.mail import bounces, game_emails, mailbox_recovery, site_emails
from corr.service.mail.game_emails import GameLetter
from corr.service.mail.outbox import Tray
from corr.service.mail.site_emails import SiteLetterOut
from corr.service.players import mailboxes
from corr.service.players.mailboxes import Correspondent
from corr.service.players.time_format import in_utc
from corr.store.rows import pairs_of, rows_of
from corr.store.tables import (
    CorrespondentRow,
    FailingMailbox,
    Game,
    InboxRow,
    OutboxRow,
    Player,
    SeatRow,
    SiteInboxRow,
    SiteOutboxRow,
)

_AnyTray: TypeAlias = Tray[GameLetter] | Tray[SiteLetterOut]


@dataclass(frozen=True, slots=True)
class Dead:
    """An email that was given up, with the mark by which an admin resends it."""

    mark: str
    to: str
    game: str
    kind: str
    when: str
    trouble: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An email that the reader could not process."""

    writer: str
    game: str
    when: str


@dataclass(frozen=True, slots=True)
class Bounced:
    """A player whose emails bounced: how often, and when last."""

    player: str
    times: int
    when: str


@dataclass(frozen=True, slots=True)
class Failing:
    """A mailbox that bounces, with the mark by which an admin reopens it.

    `is_stopped` tells that no emails go there any more.
    """

    mark: str
    address: str
    status: str
    when: str
    is_stopped: bool


@dataclass(frozen=True, slots=True)
class Troubles:
    """All failed emails that this admin can see."""

    dead: tuple[Dead, ...]
    unreadable: tuple[Unreadable, ...]
    bounced: tuple[Bounced, ...]
    failing: tuple[Failing, ...]


def troubles(house: House, operator: Correspondent, now: datetime) -> Troubles:
    """Return the mail problems that this admin can see."""
    with house.store.reading() as connection:
        held = stakes(connection, operator)
        return Troubles(
            tuple(each.told for each in _dead(connection, held)),
            tuple(_unreadable(connection, held)),
            tuple(_bounced(connection, held, now)),
            tuple(told for _, told in _failing(connection, held)),
        )


def resend(house: House, operator: Correspondent, mark: str, now: datetime) -> int:
    """Queue one given-up email again, and return how many were queued."""
    with house.store.reading() as connection:
        found = _dead(connection, stakes(connection, operator))
    return sum(each.tray.revive(house, now, each.which) for each in found if each.told.mark == mark)


def resend_all(house: House, operator: Correspondent, now: datetime) -> int:
    """Queue all given-up emails again, except those hidden from the admin."""
    with house.store.reading() as connection:
        held = stakes(connection, operator)
    of_games = game_emails.TRAY.revive(house, now, held.seat(OutboxRow.seat_id))
    return of_games + site_emails.TRAY.revive(house, now, held.mailbox(SiteOutboxRow.correspondent_id))


def lift(house: House, operator: Correspondent, mark: str, now: datetime) -> bool:
    """Reopen a mailbox and queue its owner's given-up game emails; False if not found."""
    with house.store.writing() as connection:
        found = _failing(connection, stakes(connection, operator))
        which = next((mailbox for mailbox, told in found if told.mark == mark), None)
        if which is None:
            return False
        who = mailboxes.correspondent(connection, which)
        mailbox_recovery.lift(connection, who, now)
    return True


# ---------------------------------------------------------------- given up


class _GivenUp(NamedTuple):
    id: int
    kind: str
    dead_at: datetime
    trouble: str | None


class _OfGame(NamedTuple):
    name: str
    address_key: str
    code: str


class _OfSite(NamedTuple):
    address: str | None


class _DeadLetter(NamedTuple):
    tray: _AnyTray
    which: ColumnElement[bool]
    dead_at: datetime
    told: Dead


def _dead(connection: Connection, held: Stakes) -> list[_DeadLetter]:
    """Return given-up emails with their trays and row conditions, newest first."""
    of_games = (
        select(OutboxRow.id, OutboxRow.kind, OutboxRow.dead_at, OutboxRow.trouble)
        .add_columns(Player.name, Player.address_key, Game.code)
        .join(SeatRow, SeatRow.id == OutboxRow.seat_id)
        .join(Player, Player.id == SeatRow.player_id)
        .join(Game, Game.id == SeatRow.game_id)
        .where(OutboxRow.dead_at.is_not(None), held.seat(OutboxRow.seat_id))
        .order_by(OutboxRow.dead_at.desc())
        .limit(limits.TROUBLES_SHOWN)
    )
    of_the_site = (
        select(SiteOutboxRow.id, SiteOutboxRow.kind, SiteOutboxRow.dead_at, SiteOutboxRow.trouble)
        .add_columns(CorrespondentRow.address)
        .join(CorrespondentRow, CorrespondentRow.id == SiteOutboxRow.correspondent_id)
        .where(SiteOutboxRow.dead_at.is_not(None), held.mailbox(SiteOutboxRow.correspondent_id))
        .order_by(SiteOutboxRow.dead_at.desc())
        .limit(limits.TROUBLES_SHOWN)
    )
    key, forgotten = mailboxes.secret(connection, "marks"), sentence("admin.forgotten")
    games = pairs_of(_GivenUp, _OfGame, connection.execute(of_games))
    site = pairs_of(_GivenUp, _OfSite, connection.execute(of_the_site))
    found = [
        *(
            _DeadLetter(
                game_emails.TRAY,
                OutboxRow.id == letter.id,
                letter.dead_at,
                _told(key, letter, _player(whose.name, whose.address_key), whose.code),
            )
            for letter, whose in games
        ),
        *(
            _DeadLetter(
                site_emails.TRAY,
                SiteOutboxRow.id == letter.id,
                letter.dead_at,
                _told(key, letter, whose.address or forgotten, ""),
            )
            for letter, whose in site
        ),
    ]
    return sorted(found, key=lambda each: each.dead_at, reverse=True)


def _told(key: bytes, letter: _GivenUp, to: str, game: str) -> Dead:
    # Rows are numbered across the whole site, so their numbers would reveal how many emails others got.
    return Dead(
        _mark(key, f"letter {letter.id} {game}"),
        to,
        game,
        letter.kind,
        in_utc(letter.dead_at),
        letter.trouble or "",
    )


def _mark(key: bytes, what: str) -> str:
    return hmac.new(key, what.encode(), hashlib.sha256).hexdigest()[:20]


def _player(name: str, address: str) -> str:
    """Return a player's name and address for an admin."""
    return f"{name} <{address}>" if "@" in address else sentence("admin.forgotten")


# ---------------------------------------------------------------- not to be read, and bounced


class _Failed(NamedTuple):
    received_at: datetime
    name: str
    address_key: str
    code: str


class _FailedAtSite(NamedTuple):
    received_at: datetime
    address: str | None


def _unreadable(connection: Connection, held: Stakes) -> Iterator[Unreadable]:
    """Return the emails that the reader set aside, newest first."""
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
    for letter in rows_of(_Failed, connection.execute(of_games.limit(limits.TROUBLES_SHOWN))):
        yield Unreadable(_player(letter.name, letter.address_key), letter.code, in_utc(letter.received_at))
    for other in rows_of(_FailedAtSite, connection.execute(of_the_site.limit(limits.TROUBLES_SHOWN))):
        yield Unreadable(other.address or sentence("admin.forgotten"), "", in_utc(other.received_at))


def _bounced(connection: Connection, held: Stakes, now: datetime) -> Iterator[Bounced]:
    """Return the players whose emails bounced lately."""
    since, told = now - limits.TROUBLES_SINCE, held.seat(InboxRow.seat_id)
    for player in bounces.lately(connection, since, told, limits.TROUBLES_SHOWN):
        yield Bounced(_player(player.name, player.address_key), player.times, in_utc(player.newest))


class _FailingKept(NamedTuple):
    correspondent_id: int
    address: str
    status: str
    counted_at: datetime
    stopped_at: datetime | None


def _failing(connection: Connection, held: Stakes) -> list[tuple[int, Failing]]:
    """Return bouncing mailboxes, latest first."""
    asked = (
        select(FailingMailbox.correspondent_id, NotNullable(CorrespondentRow.address), FailingMailbox.status)
        .add_columns(FailingMailbox.counted_at, FailingMailbox.stopped_at)
        .join(CorrespondentRow, CorrespondentRow.id == FailingMailbox.correspondent_id)
        .where(CorrespondentRow.address.is_not(None), held.mailbox(FailingMailbox.correspondent_id))
        .order_by(FailingMailbox.counted_at.desc())
        .limit(limits.TROUBLES_SHOWN)
    )
    key = mailboxes.secret(connection, "marks")
    return [
        (
            each.correspondent_id,
            Failing(
                _mark(key, f"mailbox {each.correspondent_id}"),
                each.address,
                each.status,
                in_utc(each.counted_at),
                each.stopped_at is not None,
            ),
        )
        for each in rows_of(_FailingKept, connection.execute(asked))
    ]
