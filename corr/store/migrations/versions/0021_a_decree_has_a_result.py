"""What became of a decree is called its result."""

from __future__ import annotations

from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE decrees RENAME COLUMN upshot TO result")


def downgrade() -> None:
    op.execute("ALTER TABLE decrees RENAME COLUMN result TO upshot")
