"""Ghosts and notes: what a player imagines and writes down beside a game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("seats", sa.Column("ghosts", sa.Text(), nullable=False, server_default=""))
    op.add_column("seats", sa.Column("notes", sa.BigInteger(), nullable=False, server_default="0"))
    op.create_table(
        "notes",
        sa.Column("seat_id", IDENTITY, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("ply", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_notes_seat_id")),
        sa.PrimaryKeyConstraint("seat_id", "number", name=op.f("pk_notes")),
    )


def downgrade() -> None:
    op.drop_table("notes")
    for column in ("notes", "ghosts"):
        op.drop_column("seats", column)
