"""Each turn of a game is sealed by a leaf of its record; whatever is kept of a game knows to which leaf it belongs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "leaves",
        sa.Column("game_id", _KEY, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("told", sa.Text(), nullable=False),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.Column("seal", sa.LargeBinary(), nullable=False),
        sa.Column("disclosed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_leaves_game_id")),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_leaves")),
        sqlite_with_rowid=False,
    )
    op.add_column("games", sa.Column("by_lot", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("games", sa.Column("leaves", sa.BigInteger(), server_default="0", nullable=False))
    op.add_column("games", sa.Column("seal", sa.LargeBinary(), nullable=True))
    op.add_column("games", sa.Column("sealed", sa.Text(), server_default="", nullable=False))
    # Of a game that has begun, all that was before its first leaf belongs to it.
    op.add_column("games", sa.Column("unsealed", sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column("outbox", sa.Column("seal", sa.LargeBinary(), server_default="", nullable=False))
    for table in ("slips", "orders", "decrees"):
        op.add_column(table, sa.Column("leaf", sa.BigInteger(), server_default="0", nullable=False))


def downgrade() -> None:
    for table in ("slips", "orders", "decrees"):
        op.drop_column(table, "leaf")
    op.drop_column("outbox", "seal")
    for column in ("unsealed", "sealed", "seal", "leaves", "by_lot"):
        op.drop_column("games", column)
    op.drop_table("leaves")
