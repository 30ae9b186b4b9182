"""Stores invitations and offers before there is a game."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from corr.store.tables.base import Base, identity


class Challenge(Base):
    """A game that a player offers: to one opponent, to anybody with the link, or to all."""

    __tablename__ = "challenges"

    id: Mapped[int] = identity()
    code: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[str]
    state: Mapped[str]
    by_id: Mapped[int] = mapped_column(ForeignKey("correspondents.id"))
    to_id: Mapped[int | None] = mapped_column(ForeignKey("correspondents.id"))
    whom: Mapped[str | None]  # the address or name that was challenged
    domain: Mapped[str | None]  # the domain of the invitation, if it went to an address
    variant: Mapped[str]
    clock: Mapped[str]
    color: Mapped[str]
    rated: Mapped[bool]
    made_at: Mapped[datetime]
    invited_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None]
    game_id: Mapped[int | None] = mapped_column(ForeignKey("games.id"))


Index("ix_challenges_by_id", Challenge.by_id, Challenge.id)
Index("ix_challenges_to_id", Challenge.to_id, Challenge.id)
Index("ix_challenges_domain_invited_at", Challenge.domain, Challenge.invited_at)
_EXPIRING = Challenge.expires_at.is_not(None)
Index(
    "ix_challenges_expires_at_due",
    Challenge.expires_at,
    sqlite_where=_EXPIRING,
    postgresql_where=_EXPIRING,
)
_BEGUN = Challenge.game_id.is_not(None)
Index("ix_challenges_begun", Challenge.game_id, sqlite_where=_BEGUN, postgresql_where=_BEGUN)
_TAKEN = (Challenge.state == "accepted") & Challenge.game_id.is_(None)
Index("ix_challenges_taken", Challenge.id, sqlite_where=_TAKEN, postgresql_where=_TAKEN)
_SOUGHT = (Challenge.kind == "seek") & (Challenge.state == "open")
Index("ix_challenges_sought", Challenge.id, sqlite_where=_SOUGHT, postgresql_where=_SOUGHT)
