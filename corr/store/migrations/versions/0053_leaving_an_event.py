"""Leaving an event always loses the games that go on: what became of them is no choice, and is kept no more."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_column("entrants", "withdrawn")


def downgrade() -> None:
    op.add_column("entrants", sa.Column("withdrawn", sa.Text(), nullable=True))
    op.execute("UPDATE entrants SET withdrawn = 'lost' WHERE withdrawn_at IS NOT NULL")
