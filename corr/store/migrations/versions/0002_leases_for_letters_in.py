"""Leases for letters in, as letters out have them; signs of life; unread and dead letters found at once."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

DEAD = sa.text("dead_at IS NOT NULL")
UNREAD = sa.text("read_at IS NULL")


def upgrade() -> None:
    # Both databases do this in place. A batch would make the table anew, which what refers to it forbids.
    op.execute("ALTER TABLE inbox RENAME COLUMN failures TO tries")
    op.add_column("inbox", sa.Column("leased_until", sa.BigInteger(), nullable=True))
    op.create_index("ix_inbox_unread_id", "inbox", ["id"], sqlite_where=UNREAD, postgresql_where=UNREAD)
    op.create_table(
        "signs",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_signs")),
    )
    op.create_index("ix_outbox_dead", "outbox", ["dead_at"], sqlite_where=DEAD, postgresql_where=DEAD)


def downgrade() -> None:
    op.drop_index("ix_outbox_dead", "outbox", sqlite_where=DEAD, postgresql_where=DEAD)
    op.drop_table("signs")
    op.drop_index("ix_inbox_unread_id", "inbox", sqlite_where=UNREAD, postgresql_where=UNREAD)
    op.drop_column("inbox", "leased_until")
    op.execute("ALTER TABLE inbox RENAME COLUMN tries TO failures")
