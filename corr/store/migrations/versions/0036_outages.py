"""When the house stood still, and of which such times a game's deadline has been put off by."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
HAS_TIME = sa.text("deadline IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "outages",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("began_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("flags_from", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_outages"),
    )
    op.add_column("games", sa.Column("credited", sa.BigInteger(), server_default="0", nullable=False))
    for column in ("outage_from", "outage_until"):
        op.add_column("games", sa.Column(column, sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_games_credited", "games", ["credited"], sqlite_where=HAS_TIME, postgresql_where=HAS_TIME
    )


def downgrade() -> None:
    op.drop_index("ix_games_credited", "games", sqlite_where=HAS_TIME, postgresql_where=HAS_TIME)
    for column in ("outage_until", "outage_from", "credited"):
        op.drop_column("games", column)
    op.drop_table("outages")
