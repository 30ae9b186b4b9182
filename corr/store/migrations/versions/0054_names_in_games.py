"""By which name a player stands in a game is chosen before it begins; in games of before it is as chosen by now."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("publishes", sa.Text(), server_default="", nullable=False))


def downgrade() -> None:
    op.drop_column("seats", "publishes")
