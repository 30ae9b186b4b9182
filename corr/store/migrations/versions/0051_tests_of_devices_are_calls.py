"""A test of a device waits among the calls, beside those of web addresses."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None

_IS_TESTED = sa.text("test_asked_at IS NOT NULL")


def upgrade() -> None:
    op.drop_index("ix_subscriptions_test_asked_at", "subscriptions")
    op.drop_column("subscriptions", "test_asked_at")


def downgrade() -> None:
    op.add_column("subscriptions", sa.Column("test_asked_at", sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_subscriptions_test_asked_at",
        "subscriptions",
        ["test_asked_at"],
        sqlite_where=_IS_TESTED,
        postgresql_where=_IS_TESTED,
    )
