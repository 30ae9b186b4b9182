"""How often a player's seats got new addresses: links that stop letters are good until the next time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("players", sa.Column("renewed", sa.BigInteger(), server_default="0", nullable=False))


def downgrade() -> None:
    op.drop_column("players", "renewed")
