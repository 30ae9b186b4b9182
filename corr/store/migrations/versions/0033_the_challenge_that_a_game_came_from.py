"""The challenge is found from which a game came."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

_BEGUN = sa.text("game_id IS NOT NULL")


def upgrade() -> None:
    op.create_index(
        "ix_challenges_begun", "challenges", ["game_id"], sqlite_where=_BEGUN, postgresql_where=_BEGUN
    )


def downgrade() -> None:
    op.drop_index(
        "ix_challenges_begun", table_name="challenges", sqlite_where=_BEGUN, postgresql_where=_BEGUN
    )
