"""Feeds at secret addresses, and web addresses that are called when it is a player's turn."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "ways",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("player_id", IDENTITY, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("called_at", sa.BigInteger(), nullable=True),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.Column("failing_from", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_ways_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ways")),
        sa.UniqueConstraint("key", name=op.f("uq_ways_key")),
    )
    op.create_index("ix_ways_player_id", "ways", ["player_id"])
    op.create_table(
        "calls",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("way_id", IDENTITY, nullable=True),
        sa.Column("device_id", sa.BigInteger(), nullable=True),
        sa.Column("seat_id", IDENTITY, nullable=True),
        sa.Column("ply", sa.BigInteger(), nullable=True),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("leased_until", sa.BigInteger(), nullable=True),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["way_id"], ["ways.id"], name=op.f("fk_calls_way_id")),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_calls_seat_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_calls")),
        sa.UniqueConstraint("way_id", "seat_id", name=op.f("uq_calls_way_id_seat_id")),
        sa.UniqueConstraint("device_id", "seat_id", name=op.f("uq_calls_device_id_seat_id")),
    )
    op.create_index("ix_calls_due_at", "calls", ["due_at"])
    op.create_index("ix_calls_seat_id", "calls", ["seat_id"])
    op.add_column("players", sa.Column("called", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    op.drop_column("players", "called")
    op.drop_table("calls")
    op.drop_table("ways")
