"""A browser knows its asking by a random mark, and not by the row's number."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sign_ins", sa.Column("mark", sa.Text(), nullable=True))
    op.create_index("ix_sign_ins_mark", "sign_ins", ["mark"], unique=True)


def downgrade() -> None:
    op.drop_index("ix_sign_ins_mark", table_name="sign_ins")
    op.drop_column("sign_ins", "mark")
