"""The challenge is found from which a game came."""

from __future__ import annotations

from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_challenges_game_id", "challenges", ["game_id"])


def downgrade() -> None:
    op.drop_index("ix_challenges_game_id", table_name="challenges")
