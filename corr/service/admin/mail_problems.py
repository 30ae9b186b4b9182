"""Shows admins failed emails (period: `corr/limits.py`) and resends them, but never of the admin's own opponents."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Connection, Select, literal, select

from corr import limits
from corr.service.admin.conflicts import AdminConflicts, load_conflicts
from corr.service.mail import bounces, game_emails, mailbox_recovery, site_emails
from corr.service.mail.outbox import Outbox
from corr.service.players import mailboxes
from corr.service.players.mailboxes import Correspondent
from corr.service.players.times import word_in_utc
from corr.service.server import Server
from corr.store import server_secrets
from corr.store.rows import columns_of, rows_of
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
from corr.text.messages import sentence

_SentTable: TypeAlias = type[OutboxRow] | type[SiteOutboxRow]
_OUTBOXES: dict[_SentTable, Outbox] = {
    OutboxRow: game_emails.OUTBOX,
    SiteOutboxRow: site_emails.OUTBOX,
}


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
    writer: str
    game: str
    when: str


@dataclass(frozen=True, slots=True)
class BouncedPlayer:
    player: str
    times: int
    when: str


@dataclass(frozen=True, slots=True)
class BouncingMailbox:
    """A mailbox that bounces; `mark` is its id in forms, `is_stopped` whether emails stopped."""

    id: int
    mark: str
    address: str
    status: str
    when: str
    is_stopped: bool


@dataclass(frozen=True, slots=True)
class MailProblems:
    dead: tuple[DeadLetter, ...]
    unreadable: tuple[UnreadableEmail, ...]
    bounced: tuple[BouncedPlayer, ...]
    failing: tuple[BouncingMailbox, ...]


def load_problems(server: Server, operator: Correspondent, now: datetime) -> MailProblems:
    """Return the failed emails and bouncing mailboxes that this admin may see."""
    with server.store.reading() as connection:
        held = load_conflicts(connection, operator)
        return MailProblems(
            tuple(told for told, _, _ in _list_dead_letters(connection, held)),
            tuple(_list_unreadable(connection, held)),
            tuple(_list_bounced(connection, held, now)),
            tuple(_list_bouncing(connection, held)),
        )


def resend(server: Server, operator: Correspondent, mark: str, now: datetime) -> int:
    """Queue the given-up email with this mark (its id in forms) again; return how many."""
    with server.store.reading() as connection:
        found = _list_dead_letters(connection, load_conflicts(connection, operator))
    return sum(
        _OUTBOXES[table].revive(server, now, table.id == email_id)
        for told, table, email_id in found
        if told.mark == mark
    )


def resend_all(server: Server, operator: Correspondent, now: datetime) -> int:
    """Queue all given-up emails again that the admin may see, and return how many."""
    with server.store.reading() as connection:
        held = load_conflicts(connection, operator)
    return sum(outbox.revive(server, now, _is_visible(table, held)) for table, outbox in _OUTBOXES.items())


def reopen_mailbox(server: Server, operator: Correspondent, mark: str, now: datetime) -> bool:
    """Reopen a mailbox and queue its owner's given-up game emails; False if not found."""
    with server.store.writing() as connection:
        found = _list_bouncing(connection, load_conflicts(connection, operator))
        which = next((each.id for each in found if each.mark == mark), None)
        if which is None:
            return False
        who = mailboxes.load_correspondent(connection, which)
        mailbox_recovery.reopen_mailbox(connection, who, now)
    return True


class _EmailRow(NamedTuple):
    """An email in trouble, with its player and game, or with an address alone."""

    id: int
    at: datetime
    kind: str
    trouble: str | None
    name: str
    address: str | None
    code: str

    @property
    def whose(self) -> str:
        return _word_player(self.name, self.address)


def _word_player(name: str, address: str | None) -> str:
    """Return a player's name and address for an admin, or an address alone."""
    if not address or "@" not in address:
        return sentence("admin.forgotten")
    return f"{name} <{address}>" if name else address


def _is_visible(table: Any, conflicts: AdminConflicts) -> ColumnElement[bool]:
    """Match the emails of a table that this admin can see."""
    if table in (OutboxRow, InboxRow):
        return conflicts.seat(table.seat_id)
    return conflicts.mailbox(table.correspondent_id)


def _select_emails(table: Any, conflicts: AdminConflicts, *columns: Any) -> Select[Any]:
    """Select the emails of one table that an admin may see, for `_EmailRow`."""
    if table in (OutboxRow, InboxRow):
        emails = (
            select(table.id, *columns, PlayerRow.name, PlayerRow.address_key.label("address"), GameRow.code)
            .join_from(table, SeatRow, SeatRow.id == table.seat_id)
            .join(PlayerRow, PlayerRow.id == SeatRow.player_id)
            .join(GameRow, GameRow.id == SeatRow.game_id)
        )
    else:
        nobody, no_game = literal("").label("name"), literal("").label("code")
        emails = select(table.id, *columns, nobody, CorrespondentRow.address, no_game).join_from(
            table, CorrespondentRow, CorrespondentRow.id == table.correspondent_id
        )
    return emails.where(_is_visible(table, conflicts)).limit(limits.PROBLEMS_SHOWN)


def _list_dead_letters(
    connection: Connection, conflicts: AdminConflicts
) -> list[tuple[DeadLetter, _SentTable, int]]:
    """Return given-up emails with their tables and ids, newest first."""
    key, found = server_secrets.load_secret(connection, "marks"), list[tuple[_EmailRow, _SentTable]]()
    for table in _OUTBOXES:
        emails = _select_emails(table, conflicts, table.dead_at.label("at"), table.kind, table.trouble)
        dead = emails.where(table.dead_at.is_not(None)).order_by(table.dead_at.desc())
        found += ((email, table) for email in rows_of(_EmailRow, connection.execute(dead)))
    return [
        (_make_dead_letter(key, email), table, email.id)
        for email, table in sorted(found, key=lambda each: each[0].at, reverse=True)
    ]


def _make_dead_letter(key: bytes, email: _EmailRow) -> DeadLetter:
    # Rows are numbered across the whole site, so their numbers would reveal how many emails others got.
    mark = _mark(key, f"letter {email.id} {email.code}")
    return DeadLetter(mark, email.whose, email.code, email.kind, word_in_utc(email.at), email.trouble or "")


def _mark(key: bytes, what: str) -> str:
    """Return a keyed hash by which forms name a row, to hide its number."""
    return hmac.new(key, what.encode(), hashlib.sha256).hexdigest()[:20]


def _list_unreadable(connection: Connection, conflicts: AdminConflicts) -> list[UnreadableEmail]:
    """Return the emails that the reader set aside, newest first, those of games before others."""
    found = list[_EmailRow]()
    for table in (InboxRow, SiteInboxRow):
        unused = literal("").label("kind"), literal("").label("trouble")
        emails = _select_emails(table, conflicts, table.received_at.label("at"), *unused)
        failed = emails.where(table.reading == "failed").order_by(table.id.desc())
        found += rows_of(_EmailRow, connection.execute(failed))
    return [UnreadableEmail(each.whose, each.code, word_in_utc(each.at)) for each in found]


def _list_bounced(connection: Connection, conflicts: AdminConflicts, now: datetime) -> list[BouncedPlayer]:
    """Return players whose game emails bounced lately, with the number and the newest."""
    since, told = now - limits.PROBLEMS_PERIOD, conflicts.seat(InboxRow.seat_id)
    return [
        BouncedPlayer(_word_player(each.name, each.address_key), each.times, word_in_utc(each.newest))
        for each in bounces.list_recent(connection, since, told, limits.PROBLEMS_SHOWN)
    ]


class _BouncingRow(NamedTuple):
    correspondent_id: int
    address: str
    status: str
    counted_at: datetime
    stopped_at: datetime | None


def _list_bouncing(connection: Connection, conflicts: AdminConflicts) -> list[BouncingMailbox]:
    """Return mailboxes that bounce, those with the newest bounce first."""
    asked = (
        select(*columns_of(_BouncingRow, FailingMailboxRow, address=CorrespondentRow.address))
        .join(CorrespondentRow, CorrespondentRow.id == FailingMailboxRow.correspondent_id)
        .where(CorrespondentRow.address.is_not(None), conflicts.mailbox(FailingMailboxRow.correspondent_id))
        .order_by(FailingMailboxRow.counted_at.desc())
        .limit(limits.PROBLEMS_SHOWN)
    )
    key = server_secrets.load_secret(connection, "marks")
    return [
        BouncingMailbox(
            each.correspondent_id,
            _mark(key, f"mailbox {each.correspondent_id}"),
            each.address,
            each.status,
            word_in_utc(each.counted_at),
            each.stopped_at is not None,
        )
        for each in rows_of(_BouncingRow, connection.execute(asked))
    ]
