"""Banks, what does not count of a player's time, and reminders for each seat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

GAME_REMINDS, SEAT_REMINDS = sa.text("remind_at IS NOT NULL"), sa.text("remind_at IS NOT NULL")
PAUSED = sa.text("paused_until IS NOT NULL")
SET = sa.text("hours_set_at IS NOT NULL")
REMINDS = """
UPDATE seats SET remind_at = (
    SELECT games.remind_at FROM games
    WHERE games.id = seats.game_id
        AND games.state IN ('deploying', 'running') AND (games.turn IS NULL OR games.turn = seats.side)
)
"""


def upgrade() -> None:
    op.add_column("games", sa.Column("calendar", sa.Text(), server_default="", nullable=False))
    op.add_column("games", sa.Column("pause_asked", sa.Text(), nullable=True))
    op.add_column("games", sa.Column("paused_until", sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_games_paused_until_due", "games", ["paused_until"], sqlite_where=PAUSED, postgresql_where=PAUSED
    )
    for column in ("bank", "remind_at", "reminded"):
        op.add_column("seats", sa.Column(column, sa.BigInteger(), nullable=True))
    for column in ("weekends", "goes_on_leave"):
        op.add_column("players", sa.Column(column, sa.Boolean(), server_default=sa.false(), nullable=False))
    for column, usual in (("vacations", ""), ("remind", "usual"), ("quiet", "off")):
        op.add_column("players", sa.Column(column, sa.Text(), server_default=usual, nullable=False))
    op.add_column("players", sa.Column("hours_set_at", sa.BigInteger(), nullable=True))
    op.execute(REMINDS)
    op.drop_index("ix_games_remind_at_due", "games", sqlite_where=GAME_REMINDS, postgresql_where=GAME_REMINDS)
    op.drop_column("games", "remind_at")
    op.create_index(
        "ix_seats_remind_at", "seats", ["remind_at"], sqlite_where=SEAT_REMINDS, postgresql_where=SEAT_REMINDS
    )
    op.create_index(
        "ix_players_hours_set_at", "players", ["hours_set_at"], sqlite_where=SET, postgresql_where=SET
    )


def downgrade() -> None:
    op.drop_index("ix_players_hours_set_at", "players", sqlite_where=SET, postgresql_where=SET)
    op.drop_index("ix_seats_remind_at", "seats", sqlite_where=SEAT_REMINDS, postgresql_where=SEAT_REMINDS)
    op.add_column("games", sa.Column("remind_at", sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_games_remind_at_due",
        "games",
        ["remind_at"],
        sqlite_where=GAME_REMINDS,
        postgresql_where=GAME_REMINDS,
    )
    op.execute(
        "UPDATE games SET remind_at = (SELECT min(seats.remind_at) FROM seats WHERE seats.game_id = games.id)"
    )
    for column in ("hours_set_at", "quiet", "remind", "vacations", "goes_on_leave", "weekends"):
        op.drop_column("players", column)
    for column in ("reminded", "remind_at", "bank"):
        op.drop_column("seats", column)
    op.drop_index("ix_games_paused_until_due", "games", sqlite_where=PAUSED, postgresql_where=PAUSED)
    for column in ("paused_until", "pause_asked", "calendar"):
        op.drop_column("games", column)
