"""Of a browser that was let in it is kept of which kind it is, and on which day it was there last."""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_DAY = 86_400 * 1_000_000
SESSIONS = sa.table("sessions", sa.column("seen_at"))


def upgrade() -> None:
    today = time.time_ns() // 1_000 // _DAY * _DAY
    op.add_column("sessions", sa.Column("browser", sa.Text(), server_default="", nullable=False))
    op.add_column("sessions", sa.Column("seen_at", sa.BigInteger(), server_default="0", nullable=False))
    op.execute(sa.update(SESSIONS).values(seen_at=today))
    with op.batch_alter_table("sessions") as sessions:
        sessions.alter_column("browser", server_default=None)
        sessions.alter_column("seen_at", server_default=None)
    op.create_index("ix_sessions_seen_at", "sessions", ["seen_at"])
    op.create_index("ix_sign_ins_made_at", "sign_ins", ["made_at"])


def downgrade() -> None:
    op.drop_index("ix_sign_ins_made_at", table_name="sign_ins")
    op.drop_index("ix_sessions_seen_at", table_name="sessions")
    with op.batch_alter_table("sessions") as sessions:
        sessions.drop_column("seen_at")
        sessions.drop_column("browser")
