"""Refused tries are told once a game is over, if their player likes that; of games before this, nobody was asked."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("players", sa.Column("tells_tries", sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column("seats", sa.Column("tells_tries", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    op.drop_column("seats", "tells_tries")
    op.drop_column("players", "tells_tries")
