"""What a house player is going to write is kept with what it thought, until its pause is over."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("thoughts", sa.Column("stamp", sa.Text()))
    op.add_column("thoughts", sa.Column("text", sa.Text()))


def downgrade() -> None:
    op.drop_column("thoughts", "text")
    op.drop_column("thoughts", "stamp")
