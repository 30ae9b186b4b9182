"""Erases a player, or one of their mailboxes, from all data that the server keeps."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, NotNullable, delete, func, select, update

from corr.store.rows import rows_of
from corr.store.tables import (
    ChallengeRow,
    CorrespondentRow,
    DecisionRow,
    EmailBytesRow,
    EmailWordsRow,
    EventActRow,
    FailingMailboxRow,
    InboxRow,
    IncomingTextRow,
    NoteRow,
    OutboxRow,
    PasskeyRow,
    PushSubscriptionRow,
    QuotableRow,
    SeatRow,
    SessionRow,
    SignInRow,
    SiteEmailBytesRow,
    SiteInboxRow,
    SiteOutboxRow,
    SiteQuotableRow,
    TokenRow,
)

#: The name shown in place of an erased player's.
NOBODY = "Somebody"


def forget_challenges(connection: Connection, ids: Collection[int]) -> None:
    """Withdraw challenges from and to these mailboxes that began no game, and remove their names."""
    by_them, to_them = ChallengeRow.by_id.in_(ids), ChallengeRow.to_id.in_(ids)
    for change in (
        update(ChallengeRow)
        .where(
            by_them | to_them, ChallengeRow.state.in_(("open", "accepted")), ChallengeRow.game_id.is_(None)
        )
        .values(state="withdrawn", expires_at=None),
        update(ChallengeRow).where(to_them).values(whom=None, domain=None),
    ):
        connection.execute(change)
    _unname_invitations(connection, ids)


def forget_mailboxes(connection: Connection, ids: Collection[int], now: datetime) -> None:
    """Erase these mailboxes' addresses, their sessions, and the contents of emails outside games."""
    forget_browsers(connection, ids, now)
    for change in (
        update(CorrespondentRow)
        .where(CorrespondentRow.id.in_(ids))
        .values(address=None, player_id=None, confirmed_at=None, unanswered_at=None, asked_at=None),
        delete(FailingMailboxRow).where(FailingMailboxRow.correspondent_id.in_(ids)),
        update(SiteInboxRow).where(SiteInboxRow.correspondent_id.in_(ids)).values(raw=b""),
        update(SiteOutboxRow).where(SiteOutboxRow.correspondent_id.in_(ids)).values(words="{}"),
    ):
        connection.execute(change)
    theirs = select(SiteOutboxRow.id).where(SiteOutboxRow.correspondent_id.in_(ids))
    for kind in (SiteEmailBytesRow, SiteQuotableRow):
        connection.execute(delete(kind).where(kind.letter_id.in_(theirs)))


def forget_browsers(connection: Connection, ids: Collection[int], now: datetime) -> None:
    """Sign these mailboxes out of all browsers, and void their pending sign-in emails."""
    for change in (
        update(SessionRow).where(SessionRow.correspondent_id.in_(ids)).values(ended_at=now),
        update(SignInRow)
        .where(SignInRow.correspondent_id.in_(ids), SignInRow.used_at.is_(None))
        .values(used_at=now, guest_id=None),
    ):
        connection.execute(change)


def forget_seats(connection: Connection, ids: Collection[int]) -> None:
    """Delete the emails and notes of seats, and the name that opponents' emails use."""
    games = select(SeatRow.game_id).where(SeatRow.id.in_(ids))
    theirs = select(InboxRow.id).where(InboxRow.seat_id.in_(ids))
    ours = select(OutboxRow.id).where(OutboxRow.seat_id.in_(ids))
    for change in (
        update(InboxRow).where(InboxRow.seat_id.in_(ids)).values(answer=None, orders=None),
        update(SeatRow).where(SeatRow.id.in_(ids)).values(ghosts=""),
        delete(NoteRow).where(NoteRow.seat_id.in_(ids)),
        delete(EmailWordsRow).where(EmailWordsRow.letter_id.in_(ours.where(OutboxRow.sent_at.is_not(None)))),
        delete(IncomingTextRow).where(IncomingTextRow.letter_id.in_(theirs)),
        *(delete(kind).where(kind.letter_id.in_(ours)) for kind in (EmailBytesRow, QuotableRow)),
        update(SeatRow).where(SeatRow.game_id.in_(games), SeatRow.id.not_in(ids)).values(opponent=None),
    ):
        connection.execute(change)


def forget_decisions(connection: Connection, addresses: Collection[str]) -> None:
    """Remove an erased admin's addresses from their logged decisions about games and events."""
    theirs = [each.lower() for each in addresses]
    for kind in (DecisionRow, EventActRow):
        connection.execute(update(kind).where(func.lower(kind.operator).in_(theirs)).values(operator=""))


def forget_credentials(connection: Connection, player_id: int) -> None:
    """Delete a player's passkeys, push devices and API tokens."""
    for kind in (PasskeyRow, TokenRow, PushSubscriptionRow):
        connection.execute(delete(kind).where(kind.player_id == player_id))


class _InvitationRow(NamedTuple):
    id: int
    to_id: int


class _EmailWordsRow(NamedTuple):
    id: int
    words: str


def _unname_invitations(connection: Connection, ids: Collection[int]) -> None:
    """Remove the sender's name from invitations that these mailboxes sent, and from their pages."""
    theirs = select(ChallengeRow.id, NotNullable(ChallengeRow.to_id)).where(
        ChallengeRow.by_id.in_(ids), ChallengeRow.to_id.is_not(None)
    )
    challenged = {made.id: made.to_id for made in rows_of(_InvitationRow, connection.execute(theirs))}
    letters = select(SiteOutboxRow.id, SiteOutboxRow.words).where(
        SiteOutboxRow.correspondent_id.in_(set(challenged.values())), SiteOutboxRow.kind == "invitation"
    )
    for letter in rows_of(_EmailWordsRow, connection.execute(letters)):
        words = json.loads(letter.words)
        if words.get("challenge") in challenged:
            unnamed = json.dumps(words | {"challenger": NOBODY}, ensure_ascii=False)
            this = update(SiteOutboxRow).where(SiteOutboxRow.id == letter.id)
            connection.execute(this.values(words=unnamed))
            for kind in (SiteEmailBytesRow, SiteQuotableRow):
                connection.execute(delete(kind).where(kind.letter_id == letter.id))
