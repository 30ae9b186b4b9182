"""Alarms: what could not be made for letters."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "alarms",
        sa.Column("part", sa.Text(), nullable=False),
        sa.Column("fault", sa.Text(), nullable=False),
        sa.Column("rung_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("part", "fault", name=op.f("pk_alarms")),
    )


def downgrade() -> None:
    op.drop_table("alarms")
