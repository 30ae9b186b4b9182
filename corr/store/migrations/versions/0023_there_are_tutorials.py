"""A game may be a tutorial, and a seat may be kept by the house."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("lesson", sa.BigInteger))
    op.add_column("seats", sa.Column("house", sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("seats", "house")
    op.drop_column("games", "lesson")
