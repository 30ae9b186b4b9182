"""What the house signs of each day, the key by which it does, and to whom it is mailed."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
SECRETS = sa.table("secrets", sa.column("name"), sa.column("value"))
SUBSCRIBED = sa.text("checkpoint IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "checkpoints",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("leaves", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_checkpoints")),
        sa.UniqueConstraint("day", name=op.f("uq_checkpoints_day")),
    )
    op.add_column("decrees", sa.Column("logged", sa.Text(), nullable=True))
    op.add_column("players", sa.Column("checkpoint", sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_players_checkpoint",
        "players",
        ["checkpoint"],
        sqlite_where=SUBSCRIBED,
        postgresql_where=SUBSCRIBED,
    )
    op.bulk_insert(SECRETS, [{"name": "checkpoints", "value": secrets.token_bytes(32)}])


def downgrade() -> None:
    op.execute(sa.delete(SECRETS).where(SECRETS.c.name == "checkpoints"))
    op.drop_index("ix_players_checkpoint", table_name="players")
    op.drop_column("players", "checkpoint")
    op.drop_column("decrees", "logged")
    op.drop_table("checkpoints")
