"""Finds unread emails, because flags, reminders and delayed orders must wait until we have read them."""

from __future__ import annotations

from sqlalchemy import ColumnElement, bindparam, exists, select

from corr.service.games.game_session import GameSession
from corr.store.tables import CorrespondentRow, GameRow, InboxRow, SeatRow, SiteInboxRow
from corr.words.board import Side

_IS_AWAITED = GameRow.turn.is_(None) | (SeatRow.side == GameRow.turn)
_IS_UNREAD = InboxRow.read_at.is_(None)
#: An unread email to the site that may concern several games.
_IS_ABOUT_SEVERAL = SiteInboxRow.read_at.is_(None) & (SiteInboxRow.letter != 0)


def has_timely_email() -> ColumnElement[bool]:
    """Build a condition on games: an unread email of the side to move came in time."""
    return (
        select(InboxRow.id)
        .join(SeatRow, SeatRow.id == InboxRow.seat_id)
        .where(SeatRow.game_id == GameRow.id, _IS_AWAITED)
        .where(_IS_UNREAD, InboxRow.received_at <= GameRow.deadline)
        .exists()
    )


def _has_site_email() -> ColumnElement[bool]:
    """Build a condition on games: the side to move wrote to the site in time, unread."""
    return (
        select(SiteInboxRow.id)
        .join(CorrespondentRow, CorrespondentRow.id == SiteInboxRow.correspondent_id)
        .join(SeatRow, SeatRow.player_id == CorrespondentRow.player_id)
        .where(SeatRow.game_id == GameRow.id, _IS_AWAITED)
        .where(_IS_ABOUT_SEVERAL, SiteInboxRow.received_at <= GameRow.deadline)
        .exists()
    )


#: In a query of seats: whether the seat's own unread email arrived before the game's deadline.
HAS_TIMELY_EMAIL = exists(
    select(InboxRow.id).where(
        InboxRow.seat_id == SeatRow.id, _IS_UNREAD, InboxRow.received_at <= GameRow.deadline
    )
)
_IN_TIME_QUERY = select(GameRow.id).where(
    GameRow.id == bindparam("game"), has_timely_email() | _has_site_email()
)
_UNREAD_QUERY = select(SeatRow.id).where(
    SeatRow.id == bindparam("seat"),
    exists(select(InboxRow.id).where(InboxRow.seat_id == SeatRow.id, _IS_UNREAD))
    | exists(
        select(SiteInboxRow.id)
        .join(CorrespondentRow, CorrespondentRow.id == SiteInboxRow.correspondent_id)
        .where(CorrespondentRow.player_id == SeatRow.player_id, _IS_ABOUT_SEVERAL)
    ),
)


def has_any_in_time(session: GameSession) -> bool:
    """Whether the side to move wrote anything before its deadline that is still unread."""
    return (
        session.connection.execute(_IN_TIME_QUERY, {"game": session.game_id}).scalar_one_or_none() is not None
    )


def has_any(session: GameSession, side: Side) -> bool:
    """Whether a side wrote anything that is still unread."""
    return (
        session.connection.execute(_UNREAD_QUERY, {"seat": session.seat_states[side].id}).scalar_one_or_none()
        is not None
    )
