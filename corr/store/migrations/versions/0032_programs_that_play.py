"""Which tokens play, and which players are programs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("players", sa.Column("program", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("tokens", sa.Column("plays", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("tokens", "plays")
    op.drop_column("players", "program")
