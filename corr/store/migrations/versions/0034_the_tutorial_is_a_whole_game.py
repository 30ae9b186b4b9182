"""The tutorial's third lesson is a whole game, and there are no more: what was further on goes back to the second."""

from __future__ import annotations

from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("UPDATE games SET lesson = 2 WHERE lesson > 2")


def downgrade() -> None:
    """What has gone back stays there."""
