"""When a game's letters go, and which of the others are due; of letters handed over the bytes are gone at once."""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

STEP = 1_000
MONTH = 30 * 86_400 * 1_000_000
DUE = sa.text("kept_until IS NOT NULL")
HOLDS, TEXT = sa.text("length(raw) > 0"), sa.text("text IS NOT NULL")
BOUNCE_OF_SQLITE, BOUNCE = (
    sa.text("bounce IS 1 AND length(raw) > 0"),
    sa.text("bounce IS true AND length(raw) > 0"),
)


def upgrade() -> None:
    for outbox in ("outbox", "site_outbox"):
        forget_bytes(outbox)
    op.add_column("games", sa.Column("kept_until", sa.BigInteger(), nullable=True))
    # When an older game ended is not known.
    ended = {"now": time.time_ns() // 1_000, "month": MONTH}
    games = sa.text("UPDATE games SET kept_until = coalesce(ended_at, :now) + :month WHERE state = 'over'")
    op.get_bind().execute(games, ended)
    op.create_index(
        "ix_games_kept_until_due", "games", ["kept_until"], sqlite_where=DUE, postgresql_where=DUE
    )
    op.create_index(
        "ix_inbox_bounces_kept",
        "inbox",
        ["received_at"],
        sqlite_where=BOUNCE_OF_SQLITE,
        postgresql_where=BOUNCE,
    )
    op.create_index(
        "ix_site_inbox_kept",
        "site_inbox",
        ["bounce", "received_at"],
        sqlite_where=HOLDS,
        postgresql_where=HOLDS,
    )
    op.create_index(
        "ix_site_outbox_kept", "site_outbox", ["made_at"], sqlite_where=TEXT, postgresql_where=TEXT
    )


def forget_bytes(outbox: str) -> None:
    """In small steps: a large house keeps gigabytes of them."""
    tables = op.get_bind()
    last = tables.execute(sa.text(f"SELECT max(id) FROM {outbox}")).scalar_one() or 0  # noqa: S608  # one of ours
    forget = sa.text(
        f"UPDATE {outbox} SET message = NULL WHERE id > :after AND id <= :upto"  # noqa: S608  # one of ours
        " AND sent_at IS NOT NULL AND message IS NOT NULL"
    )
    for after in range(0, last, STEP):
        tables.execute(forget, {"after": after, "upto": after + STEP})


def downgrade() -> None:
    op.drop_index("ix_site_outbox_kept", "site_outbox")
    op.drop_index("ix_site_inbox_kept", "site_inbox")
    op.drop_index("ix_inbox_bounces_kept", "inbox")
    op.drop_index("ix_games_kept_until_due", "games")
    op.drop_column("games", "kept_until")
