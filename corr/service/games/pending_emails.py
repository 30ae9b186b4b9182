"""Finds unread emails, which the server reads before their senders' deadlines and orders come due."""

from __future__ import annotations

from sqlalchemy import ColumnElement, bindparam, exists, select

from corr.service.games.game_session import Sitting
from corr.store.tables import CorrespondentRow, Game, InboxRow, SeatRow, SiteInboxRow
from corr.words.board import Side

_IS_AWAITED = Game.turn.is_(None) | (SeatRow.side == Game.turn)
_IS_UNREAD = InboxRow.read_at.is_(None)
#: An unread email to the site that may concern several games.
_IS_ABOUT_SEVERAL = SiteInboxRow.read_at.is_(None) & (SiteInboxRow.letter != 0)


def in_time() -> ColumnElement[bool]:
    """Whether an awaited side's unread email arrived before the game's deadline."""
    return (
        select(InboxRow.id)
        .join(SeatRow, SeatRow.id == InboxRow.seat_id)
        .where(SeatRow.game_id == Game.id, _IS_AWAITED)
        .where(_IS_UNREAD, InboxRow.received_at <= Game.deadline)
        .exists()
    )


def _about_several_in_time() -> ColumnElement[bool]:
    """Whether the same holds for an email that may concern several games."""
    return (
        select(SiteInboxRow.id)
        .join(CorrespondentRow, CorrespondentRow.id == SiteInboxRow.correspondent_id)
        .join(SeatRow, SeatRow.player_id == CorrespondentRow.player_id)
        .where(SeatRow.game_id == Game.id, _IS_AWAITED)
        .where(_IS_ABOUT_SEVERAL, SiteInboxRow.received_at <= Game.deadline)
        .exists()
    )


#: In a query of seats: whether the seat's own unread email arrived before the game's deadline.
OWN_IN_TIME = exists(
    select(InboxRow.id).where(
        InboxRow.seat_id == SeatRow.id, _IS_UNREAD, InboxRow.received_at <= Game.deadline
    )
)
_WAIT_IN_TIME = select(Game.id).where(Game.id == bindparam("game"), in_time() | _about_several_in_time())
_WAIT = select(SeatRow.id).where(
    SeatRow.id == bindparam("seat"),
    exists(select(InboxRow.id).where(InboxRow.seat_id == SeatRow.id, _IS_UNREAD))
    | exists(
        select(SiteInboxRow.id)
        .join(CorrespondentRow, CorrespondentRow.id == SiteInboxRow.correspondent_id)
        .where(CorrespondentRow.player_id == SeatRow.player_id, _IS_ABOUT_SEVERAL)
    ),
)


def has_any_in_time(sitting: Sitting) -> bool:
    """Whether an awaited side wrote anything in time that is still unread."""
    return (
        sitting.connection.execute(_WAIT_IN_TIME, {"game": sitting.game_id}).scalar_one_or_none() is not None
    )


def has_any(sitting: Sitting, side: Side) -> bool:
    """Whether a side wrote anything that is still unread."""
    return (
        sitting.connection.execute(_WAIT, {"seat": sitting.chairs[side].id}).scalar_one_or_none() is not None
    )
