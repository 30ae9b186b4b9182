"""Stores ratings: each player's strength in a variant, and the games it comes from."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Double, ForeignKey, Index, false
from sqlalchemy.orm import Mapped, mapped_column

from corr.store.tables.base import Base, id_column, partial_index


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
