"""Time that waits until a side was told of its turn."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

DELAYED = sa.text("earliest IS NOT NULL")


def upgrade() -> None:
    for column in ("waits_from", "earliest"):
        op.add_column("games", sa.Column(column, sa.BigInteger(), nullable=True))
    for column in ("telling", "opened", "opened_at", "delayed_from"):
        op.add_column("seats", sa.Column(column, sa.BigInteger(), nullable=True))
    op.add_column("seats", sa.Column("held", sa.BigInteger(), server_default="0", nullable=False))
    op.create_index(
        "ix_games_earliest_delayed",
        "games",
        ["earliest"],
        sqlite_where=DELAYED,
        postgresql_where=DELAYED,
    )


def downgrade() -> None:
    op.drop_index(
        "ix_games_earliest_delayed", table_name="games", sqlite_where=DELAYED, postgresql_where=DELAYED
    )
    for column in ("held", "delayed_from", "opened_at", "opened", "telling"):
        op.drop_column("seats", column)
    for column in ("earliest", "waits_from"):
        op.drop_column("games", column)
