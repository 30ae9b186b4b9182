"""A seat's slips by their ply, and its letters by their slip: a long game is as quick as a short one."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_slips_seat_id_ply", "slips", ["seat_id", "ply"])
    op.create_index("ix_outbox_seat_id_slip", "outbox", ["seat_id", "slip"])


def downgrade() -> None:
    op.drop_index("ix_outbox_seat_id_slip", "outbox")
    op.drop_index("ix_slips_seat_id_ply", "slips")
