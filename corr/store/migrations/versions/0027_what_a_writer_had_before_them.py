"""Of what was written to a seat it is kept after which step of its slip that was."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("inbox", sa.Column("step", sa.BigInteger()))


def downgrade() -> None:
    op.drop_column("inbox", "step")
