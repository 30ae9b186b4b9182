"""The addresses of a seat can be made anew; of the old ones it is known whose they were."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "void_signets",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("seat_id", IDENTITY, nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_void_signets_seat_id")),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_void_signets")),
    )


def downgrade() -> None:
    op.drop_table("void_signets")
