"""Mailboxes from which letters have come back, and since when none go there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "failing_mailboxes",
        sa.Column("correspondent_id", IDENTITY, autoincrement=False, nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("counted_at", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("stopped_at", sa.BigInteger(), nullable=True),
        sa.Column("told_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["correspondent_id"],
            ["correspondents.id"],
            name=op.f("fk_failing_mailboxes_correspondent_id_correspondents"),
        ),
        sa.PrimaryKeyConstraint("correspondent_id", name=op.f("pk_failing_mailboxes")),
    )
    op.create_index("ix_failing_mailboxes_kept", "failing_mailboxes", ["counted_at"])
    stopped = sa.text("stopped_at IS NOT NULL")
    op.create_index(
        "ix_failing_mailboxes_stopped",
        "failing_mailboxes",
        ["stopped_at"],
        sqlite_where=stopped,
        postgresql_where=stopped,
    )


def downgrade() -> None:
    op.drop_index("ix_failing_mailboxes_stopped", table_name="failing_mailboxes")
    op.drop_index("ix_failing_mailboxes_kept", table_name="failing_mailboxes")
    op.drop_table("failing_mailboxes")
