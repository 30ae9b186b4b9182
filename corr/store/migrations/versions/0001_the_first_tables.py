"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "games",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("clock", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("ply", sa.BigInteger(), nullable=False),
        sa.Column("turn", sa.Text(), nullable=True),
        sa.Column("deadline", sa.BigInteger(), nullable=True),
        sa.Column("remind_at", sa.BigInteger(), nullable=True),
        sa.Column("offer", sa.Text(), nullable=True),
        sa.Column("offer_slip", sa.BigInteger(), nullable=True),
        sa.Column("offered_white", sa.BigInteger(), nullable=False),
        sa.Column("offered_black", sa.BigInteger(), nullable=False),
        sa.Column("winner", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sa.UniqueConstraint("code", name=op.f("uq_games_code")),
    )
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.create_index(
            "ix_games_deadline_due",
            ["deadline"],
            unique=False,
            sqlite_where=sa.text("deadline IS NOT NULL"),
            postgresql_where=sa.text("deadline IS NOT NULL"),
        )
        batch_op.create_index(
            "ix_games_remind_at_due",
            ["remind_at"],
            unique=False,
            sqlite_where=sa.text("remind_at IS NOT NULL"),
            postgresql_where=sa.text("remind_at IS NOT NULL"),
        )

    op.create_table(
        "players",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("address_key", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
        sa.UniqueConstraint("address_key", name=op.f("uq_players_address_key")),
    )
    op.create_table(
        "seats",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("game_id", IDENTITY, nullable=False),
        sa.Column("player_id", IDENTITY, nullable=False),
        sa.Column("side", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("accepted", sa.Boolean(), nullable=False),
        sa.Column("slips", sa.BigInteger(), nullable=False),
        sa.Column("steps", sa.BigInteger(), nullable=False),
        sa.Column("letters", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seats_game_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_seats_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seats")),
        sa.UniqueConstraint("code", name=op.f("uq_seats_code")),
        sa.UniqueConstraint("game_id", "side", name=op.f("uq_seats_game_id_side")),
    )
    op.create_table(
        "truths",
        sa.Column("game_id", IDENTITY, nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_truths_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_truths")),
    )
    op.create_table(
        "inbox",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("seat_id", IDENTITY, nullable=False),
        sa.Column("slip", sa.BigInteger(), nullable=False),
        sa.Column("bounce", sa.Boolean(), nullable=False),
        sa.Column("recipients", sa.Text(), nullable=False),
        sa.Column("message_key", sa.Text(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        sa.Column("failures", sa.BigInteger(), nullable=False),
        sa.Column("retry_at", sa.BigInteger(), nullable=True),
        sa.Column("read_at", sa.BigInteger(), nullable=True),
        sa.Column("reading", sa.Text(), nullable=True),
        sa.Column("ply", sa.BigInteger(), nullable=True),
        sa.Column("orders", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_inbox_seat_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbox")),
        sa.UniqueConstraint("seat_id", "message_key", name=op.f("uq_inbox_seat_id_message_key")),
    )
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.create_index("ix_inbox_seat_id_ply", ["seat_id", "ply"], unique=False)
        batch_op.create_index(
            "ix_inbox_unread",
            ["seat_id", "id"],
            unique=False,
            sqlite_where=sa.text("read_at IS NULL"),
            postgresql_where=sa.text("read_at IS NULL"),
        )

    op.create_table(
        "slips",
        sa.Column("seat_id", IDENTITY, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("step", sa.BigInteger(), nullable=False),
        sa.Column("ply", sa.BigInteger(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("sight", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_slips_seat_id")),
        sa.PrimaryKeyConstraint("seat_id", "number", "step", name=op.f("pk_slips")),
    )
    op.create_table(
        "orders",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("seat_id", IDENTITY, nullable=False),
        sa.Column("inbox_id", IDENTITY, nullable=False),
        sa.Column("ply", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["inbox_id"], ["inbox.id"], name=op.f("fk_orders_inbox_id")),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_orders_seat_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_orders")),
    )
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.create_index("ix_orders_seat_id_ply", ["seat_id", "ply"], unique=False)

    op.create_table(
        "outbox",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("seat_id", IDENTITY, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("slip", sa.BigInteger(), nullable=False),
        sa.Column("step", sa.BigInteger(), nullable=False),
        sa.Column("inbox_id", IDENTITY, nullable=True),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("leased_until", sa.BigInteger(), nullable=True),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.Column("message", sa.LargeBinary(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("sent_at", sa.BigInteger(), nullable=True),
        sa.Column("dead_at", sa.BigInteger(), nullable=True),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["inbox_id"], ["inbox.id"], name=op.f("fk_outbox_inbox_id")),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_outbox_seat_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("seat_id", "number", name=op.f("uq_outbox_seat_id_number")),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index(
            "ix_outbox_unsent_due_at",
            ["due_at"],
            unique=False,
            sqlite_where=sa.text("sent_at IS NULL AND dead_at IS NULL"),
            postgresql_where=sa.text("sent_at IS NULL AND dead_at IS NULL"),
        )
        batch_op.create_index(
            "ix_outbox_unsent_seat_id",
            ["seat_id", "id"],
            unique=False,
            sqlite_where=sa.text("sent_at IS NULL AND dead_at IS NULL"),
            postgresql_where=sa.text("sent_at IS NULL AND dead_at IS NULL"),
        )


def downgrade() -> None:
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_outbox_unsent_seat_id",
            sqlite_where=sa.text("sent_at IS NULL AND dead_at IS NULL"),
            postgresql_where=sa.text("sent_at IS NULL AND dead_at IS NULL"),
        )
        batch_op.drop_index(
            "ix_outbox_unsent_due_at",
            sqlite_where=sa.text("sent_at IS NULL AND dead_at IS NULL"),
            postgresql_where=sa.text("sent_at IS NULL AND dead_at IS NULL"),
        )

    op.drop_table("outbox")
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.drop_index("ix_orders_seat_id_ply")

    op.drop_table("orders")
    op.drop_table("slips")
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_inbox_unread",
            sqlite_where=sa.text("read_at IS NULL"),
            postgresql_where=sa.text("read_at IS NULL"),
        )
        batch_op.drop_index("ix_inbox_seat_id_ply")

    op.drop_table("inbox")
    op.drop_table("truths")
    op.drop_table("seats")
    op.drop_table("players")
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_games_remind_at_due",
            sqlite_where=sa.text("remind_at IS NOT NULL"),
            postgresql_where=sa.text("remind_at IS NOT NULL"),
        )
        batch_op.drop_index(
            "ix_games_deadline_due",
            sqlite_where=sa.text("deadline IS NOT NULL"),
            postgresql_where=sa.text("deadline IS NOT NULL"),
        )

    op.drop_table("games")
