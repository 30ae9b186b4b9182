"""The house speaks one language, so none is kept for a player."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_column("players", "language")


def downgrade() -> None:
    op.add_column("players", sa.Column("language", sa.Text(), server_default="en", nullable=False))
