"""What is kept of events: who has entered, which games belong to them, and what operators did about them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from corr.store.tables.base import Base, identity


class EventRow(Base):
    """A section or a pyramid: what is played in it, and how far it is."""

    __tablename__ = "events"

    id: Mapped[int] = identity()
    code: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[str]
    variant: Mapped[str]
    clock: Mapped[str]
    rated: Mapped[bool]
    size: Mapped[int]  # how many play in a section; of a pyramid there is no end
    name: Mapped[str] = mapped_column(server_default="")  # where an operator has given it one
    usual: Mapped[bool] = mapped_column(server_default=false())  # opened by the house itself, one at a time
    programs: Mapped[bool] = mapped_column(server_default=false())  # whether players' programs may enter
    secret: Mapped[str | None] = mapped_column(unique=True)  # of a private one's link
    made_by: Mapped[int | None] = mapped_column(ForeignKey("players.id"))  # who has made a private one
    state: Mapped[str]
    made_at: Mapped[datetime]
    fills_at: Mapped[datetime | None]  # when house players may fill what is empty
    begun_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]


_IS_USUAL = EventRow.usual & (EventRow.state == "open")
Index(
    "ix_events_usual",
    EventRow.variant,
    EventRow.kind,
    unique=True,
    sqlite_where=_IS_USUAL,
    postgresql_where=_IS_USUAL,
)
_FILLS = EventRow.fills_at.is_not(None)
Index("ix_events_fills_at", EventRow.fills_at, sqlite_where=_FILLS, postgresql_where=_FILLS)
_GOES_ON = EventRow.ended_at.is_(None)
Index("ix_events_goes_on", EventRow.id, sqlite_where=_GOES_ON, postgresql_where=_GOES_ON)
_IS_OVER = EventRow.ended_at.is_not(None)
Index("ix_events_ended_at", EventRow.ended_at, EventRow.id, sqlite_where=_IS_OVER, postgresql_where=_IS_OVER)
Index("ix_events_made_by", EventRow.made_by, EventRow.made_at)


class EntrantRow(Base):
    """Somebody who has entered an event, and what became of them there."""

    __tablename__ = "entrants"
    __table_args__ = (UniqueConstraint("event_id", "player_id"), UniqueConstraint("event_id", "number"))

    id: Mapped[int] = identity()
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    number: Mapped[int | None]  # in a section by lot, once it begins
    entered_at: Mapped[datetime]
    fills: Mapped[bool] = mapped_column(
        server_default=false()
    )  # whether house players may fill what is empty
    house: Mapped[bool] = mapped_column(server_default=false())  # is one of these
    level: Mapped[int | None]  # in a pyramid
    withdrawn_at: Mapped[datetime | None]  # when they left, and so lost their games that went on
    leaving_from: Mapped[datetime | None]  # since when their games are to be ended; none once they are
    news_from: Mapped[datetime | None]  # since when it stands otherwise than they were told
    told_at: Mapped[datetime | None]  # when they were told last


Index("ix_entrants_player_id", EntrantRow.player_id, EntrantRow.event_id)
_LEAVING = EntrantRow.leaving_from.is_not(None)
Index("ix_entrants_leaving", EntrantRow.id, sqlite_where=_LEAVING, postgresql_where=_LEAVING)
_NEWS = EntrantRow.news_from.is_not(None)
Index("ix_entrants_news", EntrantRow.told_at, sqlite_where=_NEWS, postgresql_where=_NEWS)


class EventGame(Base):
    """A game of an event: between which numbers, and how it went once that is settled."""

    __tablename__ = "event_games"

    id: Mapped[int] = identity()
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    white: Mapped[int]
    black: Mapped[int]
    game_id: Mapped[int | None] = mapped_column(ForeignKey("games.id"), unique=True)  # once it has begun
    score: Mapped[str | None]
    by_default: Mapped[bool] = mapped_column(server_default=false())  # by time, or since somebody has left
    mended: Mapped[bool] = mapped_column(server_default=false())  # by an operator
    settled_at: Mapped[datetime | None]


Index("ix_event_games_event_id", EventGame.event_id, EventGame.id)
_UNSETTLED = EventGame.settled_at.is_(None)
Index("ix_event_games_unsettled", EventGame.game_id, sqlite_where=_UNSETTLED, postgresql_where=_UNSETTLED)


class EventAct(Base):
    """What an operator did about an event, and why; everybody may read it."""

    __tablename__ = "event_acts"
    __table_args__ = (UniqueConstraint("event_id", "number"),)

    id: Mapped[int] = identity()
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    number: Mapped[int]  # which of its event's, so that what is said twice is done once
    operator: Mapped[str]
    deed: Mapped[str]
    about: Mapped[str]  # the rows of those entrants whom it is about
    reason: Mapped[str]
    made_at: Mapped[datetime]
