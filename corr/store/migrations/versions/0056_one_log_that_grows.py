"""One log that grows in place of a tree for each day; what was signed before stays as it is."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("checkpoints", sa.Column("size", sa.BigInteger(), nullable=True))
    op.add_column("checkpoints", sa.Column("edge", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    op.drop_column("checkpoints", "edge")
    op.drop_column("checkpoints", "size")
