"""Mail domains that take no letters for now, and until when each is left alone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "busy_domains",
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("refusals", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("domain", name=op.f("pk_busy_domains")),
    )


def downgrade() -> None:
    op.drop_table("busy_domains")
