"""What the deadline of a game's turn is made of."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("time_log", sa.Text(), server_default="", nullable=False))


def downgrade() -> None:
    op.drop_column("games", "time_log")
