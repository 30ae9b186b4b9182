"""Events: who has entered, their games, and what operators did about them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("id", _KEY, nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("code", "kind", "variant", "clock")),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        *(
            sa.Column(name, sa.Boolean(), server_default=sa.false(), nullable=False)
            for name in ("usual", "programs")
        ),
        sa.Column("secret", sa.Text(), nullable=True),
        sa.Column("made_by", _KEY, nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        *(sa.Column(name, sa.BigInteger(), nullable=True) for name in ("fills_at", "begun_at", "ended_at")),
        sa.ForeignKeyConstraint(["made_by"], ["players.id"], name=op.f("fk_events_made_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sa.UniqueConstraint("code", name=op.f("uq_events_code")),
        sa.UniqueConstraint("secret", name=op.f("uq_events_secret")),
    )
    _index("events", "usual", ["variant", "kind"], "usual AND state = 'open'", unique=True)
    _index("events", "fills_at", ["fills_at"], "fills_at IS NOT NULL")
    _index("events", "goes_on", ["id"], "ended_at IS NULL")
    _index("events", "ended_at", ["ended_at", "id"], "ended_at IS NOT NULL")
    op.create_index(op.f("ix_events_made_by"), "events", ["made_by", "made_at"])
    op.create_table(
        "entrants",
        *(sa.Column(name, _KEY, nullable=False) for name in ("id", "event_id", "player_id")),
        sa.Column("number", sa.BigInteger(), nullable=True),
        sa.Column("entered_at", sa.BigInteger(), nullable=False),
        *(
            sa.Column(name, sa.Boolean(), server_default=sa.false(), nullable=False)
            for name in ("fills", "house")
        ),
        sa.Column("level", sa.BigInteger(), nullable=True),
        sa.Column("withdrawn", sa.Text(), nullable=True),
        sa.Column("withdrawn_at", sa.BigInteger(), nullable=True),
        *(
            sa.Column(name, sa.BigInteger(), nullable=True)
            for name in ("leaving_from", "news_from", "told_at")
        ),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_entrants_event_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_entrants_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entrants")),
        sa.UniqueConstraint("event_id", "player_id", name=op.f("uq_entrants_event_id_player_id")),
        sa.UniqueConstraint("event_id", "number", name=op.f("uq_entrants_event_id_number")),
    )
    op.create_index(op.f("ix_entrants_player_id"), "entrants", ["player_id", "event_id"])
    _index("entrants", "leaving", ["id"], "leaving_from IS NOT NULL")
    _index("entrants", "news", ["told_at"], "news_from IS NOT NULL")
    op.create_table(
        "event_games",
        *(sa.Column(name, _KEY, nullable=False) for name in ("id", "event_id")),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in ("white", "black")),
        sa.Column("game_id", _KEY, nullable=True),
        sa.Column("score", sa.Text(), nullable=True),
        *(
            sa.Column(name, sa.Boolean(), server_default=sa.false(), nullable=False)
            for name in ("by_default", "mended")
        ),
        sa.Column("settled_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_event_games_event_id")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_event_games_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event_games")),
        sa.UniqueConstraint("game_id", name=op.f("uq_event_games_game_id")),
    )
    op.create_index(op.f("ix_event_games_event_id"), "event_games", ["event_id", "id"])
    _index("event_games", "unsettled", ["game_id"], "settled_at IS NULL")
    op.create_table(
        "event_acts",
        *(sa.Column(name, _KEY, nullable=False) for name in ("id", "event_id")),
        sa.Column("number", sa.BigInteger(), nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("operator", "deed", "about", "reason")),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_event_acts_event_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event_acts")),
        sa.UniqueConstraint("event_id", "number", name=op.f("uq_event_acts_event_id_number")),
    )


def downgrade() -> None:
    for name in ("event_acts", "event_games", "entrants", "events"):
        op.drop_table(name)


def _index(table: str, name: str, columns: list[str], where: str, *, unique: bool = False) -> None:
    op.create_index(
        op.f(f"ix_{table}_{name}"),
        table,
        columns,
        unique=unique,
        sqlite_where=sa.text(where),
        postgresql_where=sa.text(where),
    )
