"""The archive: by which games that are over are found, those that were played before among them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None

_STEP = 10_000
_LAST = "SELECT coalesce(max(id), 0) FROM games"
#: What is told apart: "wild16 ws" is a short game that White won.
_KIND = (
    "games.variant || ' ' || CASE games.winner WHEN 'white' THEN 'w' WHEN 'black' THEN 'b' ELSE 'd' END"
    " || CASE WHEN games.ply <= 40 THEN 's' WHEN games.ply <= 80 THEN 'm' ELSE 'l' END"
)
_LISTED = """
    games.id > :after AND games.id <= :upto AND games.state = 'over' AND games.ended_at IS NOT NULL
    AND games.lesson IS NULL AND games.ply >= 0 AND games.reason NOT IN ('declined', 'void')
    AND (SELECT count(*) FROM seats AS handed WHERE handed.game_id = games.id AND handed.slips > 0) = 2
"""
_KEEP = (
    f"""
    INSERT INTO archive (player_id, kind, ended_at, game_id)
    SELECT 0, {_KIND}, games.ended_at, games.id FROM games WHERE {_LISTED}
    """,  # noqa: S608  # of our own words alone
    f"""
    INSERT INTO archive (player_id, kind, ended_at, game_id)
    SELECT seats.player_id, {_KIND} || CASE seats.side WHEN 'white' THEN 'w' ELSE 'b' END, games.ended_at, games.id
    FROM games JOIN seats ON seats.game_id = games.id WHERE {_LISTED}
    """,  # noqa: S608  # likewise
)


def upgrade() -> None:
    op.create_table(
        "archive",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("game_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "kind", "ended_at", "game_id", name=op.f("pk_archive")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_archive_ended_at"), "archive", ["player_id", "ended_at", "game_id"])
    last: int = op.get_bind().execute(sa.text(_LAST)).scalar_one()
    for after in range(0, last, _STEP):
        for statement in _KEEP:
            op.get_bind().execute(sa.text(statement), {"after": after, "upto": after + _STEP})


def downgrade() -> None:
    op.drop_table("archive")
