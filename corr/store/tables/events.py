"""Defines the tables of events, with their entrants, games and admins' acts, and of ratings."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Double, ForeignKey, Index, UniqueConstraint, false
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


class RatingRow(Base):
    """A player's rating in a variant after the last game that counted."""

    __tablename__ = "ratings"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012  # SQLAlchemy's own protocol

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    variant: Mapped[str] = mapped_column(primary_key=True)
    rating: Mapped[float] = mapped_column(Double)
    deviation: Mapped[float] = mapped_column(Double)
    volatility: Mapped[float] = mapped_column(Double)
    won: Mapped[int]
    drawn: Mapped[int]
    lost: Mapped[int]
    opponents: Mapped[int]  # how many different ones
    rated_at: Mapped[datetime]
    program: Mapped[bool] = mapped_column(server_default=false())  # copied from the player
    hidden: Mapped[bool] = mapped_column(server_default=false())  # copied from the player
    listed_until: Mapped[datetime | None]  # on the leaderboard; None if it does not belong there


_IS_LISTED = RatingRow.listed_until.is_not(None)
partial_index(
    "ix_ratings_listed",
    RatingRow.variant,
    RatingRow.program,
    RatingRow.hidden,
    RatingRow.rating,
    RatingRow.player_id,
    RatingRow.listed_until,
    where=_IS_LISTED,
)
partial_index("ix_ratings_listed_until", RatingRow.listed_until, where=_IS_LISTED)


class RatedGameRow(Base):
    """A finished rated game with its effect on both ratings, in the order of computation."""

    __tablename__ = "rated_games"

    id: Mapped[int] = id_column()
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), unique=True)
    variant: Mapped[str]
    ended_at: Mapped[datetime]
    white_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    black_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    winner: Mapped[str | None]
    uncounted: Mapped[str] = mapped_column(server_default="")  # why it does not count, if so
    white_rating: Mapped[float] = mapped_column(Double)  # before the game, and after it
    white_deviation: Mapped[float] = mapped_column(Double)
    white_volatility: Mapped[float] = mapped_column(Double)
    white_rating_after: Mapped[float] = mapped_column(Double)
    white_deviation_after: Mapped[float] = mapped_column(Double)
    white_volatility_after: Mapped[float] = mapped_column(Double)
    white_rated_at: Mapped[datetime | None]  # when the rating before it was computed; None for the first game
    black_rating: Mapped[float] = mapped_column(Double)
    black_deviation: Mapped[float] = mapped_column(Double)
    black_volatility: Mapped[float] = mapped_column(Double)
    black_rating_after: Mapped[float] = mapped_column(Double)
    black_deviation_after: Mapped[float] = mapped_column(Double)
    black_volatility_after: Mapped[float] = mapped_column(Double)
    black_rated_at: Mapped[datetime | None]


Index("ix_rated_games_white_id", RatedGameRow.white_id, RatedGameRow.variant, RatedGameRow.id)
Index("ix_rated_games_black_id", RatedGameRow.black_id, RatedGameRow.variant, RatedGameRow.id)
Index("ix_rated_games_pair", RatedGameRow.white_id, RatedGameRow.black_id, RatedGameRow.ended_at)
