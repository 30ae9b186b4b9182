"""Adds guests: players without an address, and sign-ins that give them one. Shows where a piece could move."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0059"
down_revision = "0058"
branch_labels = None
depends_on = None

_IS_GUEST = sa.text("guest")
_IS_KEPT = sa.text("guest_id IS NOT NULL AND used_at IS NOT NULL")


def upgrade() -> None:
    op.add_column("players", sa.Column("guest", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("sign_ins", sa.Column("guest_id", sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_players_guest", "players", ["id"], sqlite_where=sa.text("guest = 1"), postgresql_where=_IS_GUEST
    )
    # Where a piece could move is shown unless it is switched off; before, it was the other way round.
    op.execute("UPDATE players SET switched = trim(replace(' ' || switched || ' ', ' reach ', ' '))")
    op.create_index("ix_sign_ins_kept", "sign_ins", ["id"], sqlite_where=_IS_KEPT, postgresql_where=_IS_KEPT)


def downgrade() -> None:
    op.drop_index("ix_sign_ins_kept", "sign_ins")
    op.drop_index("ix_players_guest", "players")
    op.drop_column("sign_ins", "guest_id")
    op.drop_column("players", "guest")
