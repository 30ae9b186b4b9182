"""Browsers on players' devices that are told while no page is open, and the key by which they know the house."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
SECRETS = sa.table("secrets", sa.column("name"), sa.column("value"))
#: How many numbers there are that may be a key of the curve P-256, and 0 beside them.
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
IS_TESTED = sa.text("test_asked_at IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "subscriptions",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("player_id", IDENTITY, nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("p256dh", sa.LargeBinary(), nullable=False),
        sa.Column("auth", sa.LargeBinary(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        *(
            sa.Column(moment, sa.BigInteger(), nullable=True)
            for moment in ("test_asked_at", "last_ok_at", "failing_from")
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_subscriptions_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_subscriptions")),
        sa.UniqueConstraint("endpoint", name=op.f("uq_subscriptions_endpoint")),
    )
    op.create_index("ix_subscriptions_player_id", "subscriptions", ["player_id"])
    op.create_index(
        "ix_subscriptions_test_asked_at",
        "subscriptions",
        ["test_asked_at"],
        sqlite_where=IS_TESTED,
        postgresql_where=IS_TESTED,
    )
    key = secrets.randbelow(ORDER - 1) + 1
    op.bulk_insert(SECRETS, [{"name": "devices", "value": key.to_bytes(32)}])


def downgrade() -> None:
    op.execute(sa.delete(SECRETS).where(SECRETS.c.name == "devices"))
    op.drop_table("subscriptions")
