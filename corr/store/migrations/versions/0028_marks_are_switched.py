"""Of what a player may switch on and off at the table it is kept what stands otherwise than at first."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("players", sa.Column("switched", sa.Text(), server_default="", nullable=False))


def downgrade() -> None:
    op.drop_column("players", "switched")
