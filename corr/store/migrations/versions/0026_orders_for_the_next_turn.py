"""A seat may have orders for its next turn."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

_WAITS = sa.text("standing_due IS NOT NULL")


def upgrade() -> None:
    op.add_column("seats", sa.Column("standing", sa.Text()))
    op.add_column("seats", sa.Column("standing_by", sa.BigInteger()))
    op.add_column("seats", sa.Column("standing_delay", sa.Text()))
    op.add_column("seats", sa.Column("standing_due", sa.BigInteger()))
    op.create_index(
        "ix_seats_standing_due",
        "seats",
        ["standing_due"],
        sqlite_where=_WAITS,
        postgresql_where=_WAITS,
    )


def downgrade() -> None:
    op.drop_index("ix_seats_standing_due", table_name="seats", sqlite_where=_WAITS, postgresql_where=_WAITS)
    for column in ("standing", "standing_by", "standing_delay", "standing_due"):
        op.drop_column("seats", column)
