"""Whether letters tell a player what happens in games: each turn by one, once a day all in one, or not at all."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

IS_DAILY = sa.text("digest_at IS NOT NULL")


def upgrade() -> None:
    op.add_column("players", sa.Column("mailing", sa.Text(), server_default="each", nullable=False))
    op.add_column("players", sa.Column("digest_hour", sa.BigInteger(), server_default="7", nullable=False))
    for column in ("digest_at", "digested_at"):
        op.add_column("players", sa.Column(column, sa.BigInteger(), nullable=True))
    op.execute("UPDATE players SET mailing = 'off' WHERE NOT mail")
    op.drop_column("players", "mail")
    op.create_index(
        "ix_players_digest_at", "players", ["digest_at"], sqlite_where=IS_DAILY, postgresql_where=IS_DAILY
    )


def downgrade() -> None:
    op.drop_index("ix_players_digest_at", "players", sqlite_where=IS_DAILY, postgresql_where=IS_DAILY)
    op.add_column("players", sa.Column("mail", sa.Boolean(), server_default=sa.true(), nullable=False))
    op.execute("UPDATE players SET mail = (mailing <> 'off')")
    for column in ("digested_at", "digest_at", "digest_hour", "mailing"):
        op.drop_column("players", column)
