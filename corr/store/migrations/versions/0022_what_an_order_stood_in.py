"""The log tells in what an order stood: in a list, in a branch, or in a standing order."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("orders", sa.Column("origin", sa.Text(), server_default="", nullable=False))


def downgrade() -> None:
    op.drop_column("orders", "origin")
