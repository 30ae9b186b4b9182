"""Stores invitations and offers before there is a game."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from corr.store.tables.base import Base, id_column, partial_index


class ChallengeRow(Base):
    """A game that a player offers: to one opponent, to anybody with the link, or to all."""

    __tablename__ = "challenges"

    id: Mapped[int] = id_column()
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


Index("ix_challenges_by_id", ChallengeRow.by_id, ChallengeRow.id)
Index("ix_challenges_to_id", ChallengeRow.to_id, ChallengeRow.id)
Index("ix_challenges_domain_invited_at", ChallengeRow.domain, ChallengeRow.invited_at)
partial_index(
    "ix_challenges_expires_at_due", ChallengeRow.expires_at, where=ChallengeRow.expires_at.is_not(None)
)
partial_index("ix_challenges_begun", ChallengeRow.game_id, where=ChallengeRow.game_id.is_not(None))
partial_index(
    "ix_challenges_taken",
    ChallengeRow.id,
    where=(ChallengeRow.state == "accepted") & ChallengeRow.game_id.is_(None),
)
partial_index(
    "ix_challenges_sought",
    ChallengeRow.id,
    where=(ChallengeRow.kind == "seek") & (ChallengeRow.state == "open"),
)
