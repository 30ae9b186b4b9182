"""The table in the browser: orders written on a page, what a player has set, what an operator decrees."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
UNDONE = sa.text("done_at IS NULL")
DEAD = sa.text("dead_at IS NOT NULL")
ON_PAGES_OF_SQLITE, ON_PAGES = sa.text("page = 1"), sa.text("page")
ADDED = sa.text("player_id IS NOT NULL")


def upgrade() -> None:
    op.add_column("players", sa.Column("zone", sa.Text(), server_default="UTC", nullable=False))
    op.add_column("players", sa.Column("mail", sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column("players", sa.Column("men", sa.Text(), server_default="glyphs", nullable=False))
    op.add_column("players", sa.Column("language", sa.Text(), server_default="en", nullable=False))
    op.add_column("inbox", sa.Column("page", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("inbox", sa.Column("answer", sa.Text(), nullable=True))
    op.add_column("seats", sa.Column("answers", sa.BigInteger(), server_default="0", nullable=False))
    op.add_column("seats", sa.Column("opponent", sa.Text(), nullable=True))
    op.create_index(
        "ix_inbox_page",
        "inbox",
        ["seat_id", "id"],
        sqlite_where=ON_PAGES_OF_SQLITE,
        postgresql_where=ON_PAGES,
    )
    op.create_index("ix_outbox_dead_seat_id", "outbox", ["seat_id"], sqlite_where=DEAD, postgresql_where=DEAD)
    op.create_index("ix_seats_player_id", "seats", ["player_id", "game_id"])
    with op.batch_alter_table("sign_ins") as sign_ins:
        sign_ins.add_column(sa.Column("player_id", IDENTITY, nullable=True))
        sign_ins.create_foreign_key(op.f("fk_sign_ins_player_id"), "players", ["player_id"], ["id"])
    op.create_index(
        "ix_sign_ins_added",
        "sign_ins",
        ["player_id", "made_at"],
        sqlite_where=ADDED,
        postgresql_where=ADDED,
    )
    op.add_column("games", sa.Column("paused_at", sa.BigInteger(), nullable=True))
    op.add_column("games", sa.Column("ended_at", sa.BigInteger(), nullable=True))
    op.create_table(
        "decrees",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("game_id", IDENTITY, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("operator", sa.Text(), nullable=False),
        sa.Column("deed", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("upshot", sa.Text(), nullable=True),
        sa.Column("said", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_decrees_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decrees")),
        sa.UniqueConstraint("game_id", "number", name=op.f("uq_decrees_game_id_number")),
    )
    op.create_index("ix_decrees_undone", "decrees", ["id"], sqlite_where=UNDONE, postgresql_where=UNDONE)


def downgrade() -> None:
    op.drop_index("ix_decrees_undone", table_name="decrees", sqlite_where=UNDONE, postgresql_where=UNDONE)
    op.drop_table("decrees")
    op.drop_column("games", "ended_at")
    op.drop_column("games", "paused_at")
    op.drop_index("ix_sign_ins_added", table_name="sign_ins", sqlite_where=ADDED, postgresql_where=ADDED)
    with op.batch_alter_table("sign_ins") as sign_ins:
        sign_ins.drop_constraint(op.f("fk_sign_ins_player_id"), type_="foreignkey")
        sign_ins.drop_column("player_id")
    op.drop_index("ix_seats_player_id", table_name="seats")
    op.drop_index(
        "ix_inbox_page",
        table_name="inbox",
        sqlite_where=ON_PAGES_OF_SQLITE,
        postgresql_where=ON_PAGES,
    )
    op.drop_index("ix_outbox_dead_seat_id", table_name="outbox", sqlite_where=DEAD, postgresql_where=DEAD)
    op.drop_column("seats", "opponent")
    op.drop_column("seats", "answers")
    op.drop_column("inbox", "answer")
    op.drop_column("inbox", "page")
    op.drop_column("players", "language")
    op.drop_column("players", "men")
    op.drop_column("players", "mail")
    op.drop_column("players", "zone")
