"""House players: when one may think at its seat, and what it has thought so far."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_THINKS = sa.text("thinks_at IS NOT NULL")


def upgrade() -> None:
    op.add_column("seats", sa.Column("thinks_at", sa.BigInteger()))
    op.create_index(
        "ix_seats_thinks_at",
        "seats",
        ["thinks_at"],
        sqlite_where=_THINKS,
        postgresql_where=_THINKS,
    )
    op.create_table(
        "thoughts",
        sa.Column("seat_id", IDENTITY, nullable=False),
        sa.Column("heard", sa.BigInteger(), nullable=False),
        sa.Column("thought", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_thoughts_seat_id")),
        sa.PrimaryKeyConstraint("seat_id", name=op.f("pk_thoughts")),
    )


def downgrade() -> None:
    op.drop_table("thoughts")
    op.drop_index("ix_seats_thinks_at", table_name="seats", sqlite_where=_THINKS, postgresql_where=_THINKS)
    op.drop_column("seats", "thinks_at")
