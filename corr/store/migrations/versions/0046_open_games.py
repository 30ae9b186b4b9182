"""Whether a player's finished games are published, and by which name; games that were played, by when they ended."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None

_PLAYED = sa.text("ended_at IS NOT NULL AND lesson IS NULL AND ply >= 0")


def upgrade() -> None:
    op.add_column("players", sa.Column("publishes", sa.Text(), server_default="", nullable=False))
    op.create_index(
        op.f("ix_games_played"), "games", ["ended_at", "id"], sqlite_where=_PLAYED, postgresql_where=_PLAYED
    )


def downgrade() -> None:
    op.drop_index(op.f("ix_games_played"), table_name="games")
    op.drop_column("players", "publishes")
