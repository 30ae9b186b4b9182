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
from corr.service.admin.conflicts import AdminConflicts, load_conflicts
from corr.service.mail import bounces, game_emails, mailbox_recovery, site_emails
from corr.service.mail.game_emails import GameEmail
from corr.service.mail.outbox import Outbox
from corr.service.mail.site_emails import SiteEmail
from corr.service.players import mailboxes
from corr.service.players.mailboxes import Correspondent
from corr.service.players.time_format import in_utc
from corr.service.server import Server
from corr.store.rows import pairs_of, rows_of
from corr.store.tables import (
    CorrespondentRow,
    FailingMailboxRow,
    GameRow,
    InboxRow,
    OutboxRow,
    PlayerRow,
    SeatRow,
    SiteInboxRow,
    SiteOutboxRow,
)

_AnyOutbox: TypeAlias = Outbox[GameEmail] | Outbox[SiteEmail]


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """An email that was given up, with the mark by which an admin resends it."""

    mark: str
    to: str
    game: str
    kind: str
    when: str
    trouble: str


@dataclass(frozen=True, slots=True)
class UnreadableEmail:
    """An email that the reader could not process."""

    writer: str
    game: str
    when: str


@dataclass(frozen=True, slots=True)
class BouncedPlayer:
    """A player whose emails bounced: how often, and when last."""

    player: str
    times: int
    when: str


@dataclass(frozen=True, slots=True)
class BouncingMailbox:
    """A mailbox that bounces, with the mark by which an admin reopens it.

    `is_stopped` tells that no emails go there any more.
    """

    mark: str
    address: str
    status: str
    when: str
    is_stopped: bool


@dataclass(frozen=True, slots=True)
class MailProblems:
    """All failed emails that this admin can see."""

    dead: tuple[DeadLetter, ...]
    unreadable: tuple[UnreadableEmail, ...]
    bounced: tuple[BouncedPlayer, ...]
    failing: tuple[BouncingMailbox, ...]


def load_problems(server: Server, operator: Correspondent, now: datetime) -> MailProblems:
    """Return the mail problems that this admin can see."""
    with server.store.reading() as connection:
        held = load_conflicts(connection, operator)
        return MailProblems(
            tuple(each.told for each in _list_dead_letters(connection, held)),
            tuple(_list_unreadable(connection, held)),
            tuple(_list_bounced(connection, held, now)),
            tuple(told for _, told in _list_bouncing(connection, held)),
        )


def resend(server: Server, operator: Correspondent, mark: str, now: datetime) -> int:
    """Queue one given-up email again, and return how many were queued."""
    with server.store.reading() as connection:
        found = _list_dead_letters(connection, load_conflicts(connection, operator))
    return sum(each.tray.revive(server, now, each.which) for each in found if each.told.mark == mark)


def resend_all(server: Server, operator: Correspondent, now: datetime) -> int:
    """Queue all given-up emails again, except those hidden from the admin."""
    with server.store.reading() as connection:
        held = load_conflicts(connection, operator)
    of_games = game_emails.OUTBOX.revive(server, now, held.seat(OutboxRow.seat_id))
    return of_games + site_emails.OUTBOX.revive(server, now, held.mailbox(SiteOutboxRow.correspondent_id))


def reopen_mailbox(server: Server, operator: Correspondent, mark: str, now: datetime) -> bool:
    """Reopen a mailbox and queue its owner's given-up game emails; False if not found."""
    with server.store.writing() as connection:
        found = _list_bouncing(connection, load_conflicts(connection, operator))
        which = next((mailbox for mailbox, told in found if told.mark == mark), None)
        if which is None:
            return False
        who = mailboxes.load_correspondent(connection, which)
        mailbox_recovery.reopen_mailbox(connection, who, now)
    return True


# ---------------------------------------------------------------- given up


class _DeadLetterRow(NamedTuple):
    id: int
    kind: str
    dead_at: datetime
    trouble: str | None


class _GameEmailRow(NamedTuple):
    name: str
    address_key: str
    code: str


class _SiteEmailRow(NamedTuple):
    address: str | None


class _ResendTarget(NamedTuple):
    tray: _AnyOutbox
    which: ColumnElement[bool]
    dead_at: datetime
    told: DeadLetter


def _list_dead_letters(connection: Connection, held: AdminConflicts) -> list[_ResendTarget]:
    """Return given-up emails with their trays and row conditions, newest first."""
    of_games = (
        select(OutboxRow.id, OutboxRow.kind, OutboxRow.dead_at, OutboxRow.trouble)
        .add_columns(PlayerRow.name, PlayerRow.address_key, GameRow.code)
        .join(SeatRow, SeatRow.id == OutboxRow.seat_id)
        .join(PlayerRow, PlayerRow.id == SeatRow.player_id)
        .join(GameRow, GameRow.id == SeatRow.game_id)
        .where(OutboxRow.dead_at.is_not(None), held.seat(OutboxRow.seat_id))
        .order_by(OutboxRow.dead_at.desc())
        .limit(limits.PROBLEMS_SHOWN)
    )
    of_the_site = (
        select(SiteOutboxRow.id, SiteOutboxRow.kind, SiteOutboxRow.dead_at, SiteOutboxRow.trouble)
        .add_columns(CorrespondentRow.address)
        .join(CorrespondentRow, CorrespondentRow.id == SiteOutboxRow.correspondent_id)
        .where(SiteOutboxRow.dead_at.is_not(None), held.mailbox(SiteOutboxRow.correspondent_id))
        .order_by(SiteOutboxRow.dead_at.desc())
        .limit(limits.PROBLEMS_SHOWN)
    )
    key, forgotten = mailboxes.secret(connection, "marks"), sentence("admin.forgotten")
    games = pairs_of(_DeadLetterRow, _GameEmailRow, connection.execute(of_games))
    site = pairs_of(_DeadLetterRow, _SiteEmailRow, connection.execute(of_the_site))
    found = [
        *(
            _ResendTarget(
                game_emails.OUTBOX,
                OutboxRow.id == letter.id,
                letter.dead_at,
                _make_dead_letter(key, letter, _player(whose.name, whose.address_key), whose.code),
            )
            for letter, whose in games
        ),
        *(
            _ResendTarget(
                site_emails.OUTBOX,
                SiteOutboxRow.id == letter.id,
                letter.dead_at,
                _make_dead_letter(key, letter, whose.address or forgotten, ""),
            )
            for letter, whose in site
        ),
    ]
    return sorted(found, key=lambda each: each.dead_at, reverse=True)


def _make_dead_letter(key: bytes, letter: _DeadLetterRow, to: str, game: str) -> DeadLetter:
    # Rows are numbered across the whole site, so their numbers would reveal how many emails others got.
    return DeadLetter(
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


class _UnreadableRow(NamedTuple):
    received_at: datetime
    name: str
    address_key: str
    code: str


class _UnreadableSiteRow(NamedTuple):
    received_at: datetime
    address: str | None


def _list_unreadable(connection: Connection, held: AdminConflicts) -> Iterator[UnreadableEmail]:
    """Return the emails that the reader set aside, newest first."""
    of_games = (
        select(InboxRow.received_at, PlayerRow.name, PlayerRow.address_key, GameRow.code)
        .join(SeatRow, SeatRow.id == InboxRow.seat_id)
        .join(PlayerRow, PlayerRow.id == SeatRow.player_id)
        .join(GameRow, GameRow.id == SeatRow.game_id)
        .where(InboxRow.reading == "failed", held.seat(InboxRow.seat_id))
        .order_by(InboxRow.id.desc())
    )
    of_the_site = (
        select(SiteInboxRow.received_at, CorrespondentRow.address)
        .join(CorrespondentRow, CorrespondentRow.id == SiteInboxRow.correspondent_id)
        .where(SiteInboxRow.reading == "failed", held.mailbox(SiteInboxRow.correspondent_id))
        .order_by(SiteInboxRow.id.desc())
    )
    for letter in rows_of(_UnreadableRow, connection.execute(of_games.limit(limits.PROBLEMS_SHOWN))):
        yield UnreadableEmail(
            _player(letter.name, letter.address_key), letter.code, in_utc(letter.received_at)
        )
    for other in rows_of(_UnreadableSiteRow, connection.execute(of_the_site.limit(limits.PROBLEMS_SHOWN))):
        yield UnreadableEmail(other.address or sentence("admin.forgotten"), "", in_utc(other.received_at))


def _list_bounced(connection: Connection, held: AdminConflicts, now: datetime) -> Iterator[BouncedPlayer]:
    """Return the players whose emails bounced lately."""
    since, told = now - limits.PROBLEMS_PERIOD, held.seat(InboxRow.seat_id)
    for player in bounces.list_recent(connection, since, told, limits.PROBLEMS_SHOWN):
        yield BouncedPlayer(_player(player.name, player.address_key), player.times, in_utc(player.newest))


class _BouncingRow(NamedTuple):
    correspondent_id: int
    address: str
    status: str
    counted_at: datetime
    stopped_at: datetime | None


def _list_bouncing(connection: Connection, held: AdminConflicts) -> list[tuple[int, BouncingMailbox]]:
    """Return bouncing mailboxes, latest first."""
    asked = (
        select(
            FailingMailboxRow.correspondent_id,
            NotNullable(CorrespondentRow.address),
            FailingMailboxRow.status,
        )
        .add_columns(FailingMailboxRow.counted_at, FailingMailboxRow.stopped_at)
        .join(CorrespondentRow, CorrespondentRow.id == FailingMailboxRow.correspondent_id)
        .where(CorrespondentRow.address.is_not(None), held.mailbox(FailingMailboxRow.correspondent_id))
        .order_by(FailingMailboxRow.counted_at.desc())
        .limit(limits.PROBLEMS_SHOWN)
    )
    key = mailboxes.secret(connection, "marks")
    return [
        (
            each.correspondent_id,
            BouncingMailbox(
                _mark(key, f"mailbox {each.correspondent_id}"),
                each.address,
                each.status,
                in_utc(each.counted_at),
                each.stopped_at is not None,
            ),
        )
        for each in rows_of(_BouncingRow, connection.execute(asked))
    ]
