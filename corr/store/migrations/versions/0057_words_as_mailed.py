"""What stands in a game's record for the words of its letters."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0057"
down_revision = "0056"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("quotables", sa.Column("digest", sa.Text(), server_default="", nullable=False))
    op.add_column("seats", sa.Column("mailed", sa.BigInteger(), server_default="0", nullable=False))


def downgrade() -> None:
    op.drop_column("seats", "mailed")
    op.drop_column("quotables", "digest")
