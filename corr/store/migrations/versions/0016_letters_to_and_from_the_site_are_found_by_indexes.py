"""Letters to the site that wait, and those from it that were given up, are found by indexes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

UNREAD, DEAD = sa.text("read_at IS NULL"), sa.text("dead_at IS NOT NULL")


def upgrade() -> None:
    op.create_index(
        "ix_site_inbox_unread_id", "site_inbox", ["id"], sqlite_where=UNREAD, postgresql_where=UNREAD
    )
    op.create_index(
        "ix_site_outbox_dead", "site_outbox", ["dead_at"], sqlite_where=DEAD, postgresql_where=DEAD
    )


def downgrade() -> None:
    op.drop_index("ix_site_outbox_dead", "site_outbox")
    op.drop_index("ix_site_inbox_unread_id", "site_inbox")
