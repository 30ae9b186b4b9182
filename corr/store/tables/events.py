"""Stores events: their entrants, their games, and what admins did about them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from corr.store.tables.base import Base, id_column, partial_index


class EventRow(Base):
    """A section or a pyramid: its rules and its state."""

    __tablename__ = "events"

    id: Mapped[int] = id_column()
    code: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[str]
    variant: Mapped[str]
    clock: Mapped[str]
    rated: Mapped[bool]
    size: Mapped[int]  # the number of players of a section; a pyramid has no limit
    name: Mapped[str] = mapped_column(server_default="")  # if an admin has given it one
    usual: Mapped[bool] = mapped_column(server_default=false())  # opened by the server itself, one at a time
    programs: Mapped[bool] = mapped_column(server_default=false())  # whether players' programs may enter
    secret: Mapped[str | None] = mapped_column(unique=True)  # in the link of a private event
    made_by: Mapped[int | None] = mapped_column(ForeignKey("players.id"))  # the owner of a private event
    state: Mapped[str]
    made_at: Mapped[datetime]
    fills_at: Mapped[datetime | None]  # when bots may fill empty places
    begun_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]


partial_index(
    "ix_events_usual",
    EventRow.variant,
    EventRow.kind,
    where=EventRow.usual & (EventRow.state == "open"),
    unique=True,
)
partial_index("ix_events_fills_at", EventRow.fills_at, where=EventRow.fills_at.is_not(None))
partial_index("ix_events_goes_on", EventRow.id, where=EventRow.ended_at.is_(None))
partial_index("ix_events_ended_at", EventRow.ended_at, EventRow.id, where=EventRow.ended_at.is_not(None))
Index("ix_events_made_by", EventRow.made_by, EventRow.made_at)


class EntrantRow(Base):
    """A player who has entered an event, and what became of them there."""

    __tablename__ = "entrants"
    __table_args__ = (UniqueConstraint("event_id", "player_id"), UniqueConstraint("event_id", "number"))

    id: Mapped[int] = id_column()
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    number: Mapped[int | None]  # in a section, drawn by lot when it begins
    entered_at: Mapped[datetime]
    fills: Mapped[bool] = mapped_column(server_default=false())  # whether bots may fill empty places
    house: Mapped[bool] = mapped_column(server_default=false())  # whether it is one of these bots
    level: Mapped[int | None]  # in a pyramid
    withdrawn_at: Mapped[datetime | None]  # when they left, and so lost their unfinished games
    leaving_from: Mapped[datetime | None]  # since when their games are to be ended; None once they are
    news_from: Mapped[datetime | None]  # since when their standing differs from what they were told
    told_at: Mapped[datetime | None]  # when they were last told


Index("ix_entrants_player_id", EntrantRow.player_id, EntrantRow.event_id)
partial_index("ix_entrants_leaving", EntrantRow.id, where=EntrantRow.leaving_from.is_not(None))
partial_index("ix_entrants_news", EntrantRow.told_at, where=EntrantRow.news_from.is_not(None))


class EventGameRow(Base):
    """A game of an event: its entrants' numbers, and its result once that is settled."""

    __tablename__ = "event_games"

    id: Mapped[int] = id_column()
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    white: Mapped[int]
    black: Mapped[int]
    game_id: Mapped[int | None] = mapped_column(ForeignKey("games.id"), unique=True)  # once it has begun
    score: Mapped[str | None]
    by_default: Mapped[bool] = mapped_column(server_default=false())  # on time, or because a player has left
    mended: Mapped[bool] = mapped_column(server_default=false())  # by an admin
    settled_at: Mapped[datetime | None]


Index("ix_event_games_event_id", EventGameRow.event_id, EventGameRow.id)
partial_index("ix_event_games_unsettled", EventGameRow.game_id, where=EventGameRow.settled_at.is_(None))


class EventActRow(Base):
    """An admin's act about an event, with its reason; everybody may read it."""

    __tablename__ = "event_acts"
    __table_args__ = (UniqueConstraint("event_id", "number"),)

    id: Mapped[int] = id_column()
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    number: Mapped[int]  # counts the acts of its event, so that a repeated request acts once
    operator: Mapped[str]
    deed: Mapped[str]
    about: Mapped[str]  # the rows of the entrants it concerns
    reason: Mapped[str]
    made_at: Mapped[datetime]
