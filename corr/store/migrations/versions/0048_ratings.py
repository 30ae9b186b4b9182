"""Ratings, and the games by which they came about; what players say of themselves, and whether their page is shown."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_LISTED = sa.text("listed_until IS NOT NULL")
_SIDES = ("white", "black")
_NUMBERS = ("rating", "deviation", "volatility", "rating_after", "deviation_after", "volatility_after")


def upgrade() -> None:
    op.add_column("players", sa.Column("hidden", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("players", sa.Column("about", sa.Text(), server_default="", nullable=False))
    _sort_names("C")
    op.create_table(
        "ratings",
        sa.Column("player_id", _KEY, nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        *(sa.Column(name, sa.Double(), nullable=False) for name in ("rating", "deviation", "volatility")),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in ("won", "drawn", "lost", "opponents")),
        sa.Column("rated_at", sa.BigInteger(), nullable=False),
        sa.Column("program", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("hidden", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("listed_until", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_ratings_player_id")),
        sa.PrimaryKeyConstraint("player_id", "variant", name=op.f("pk_ratings")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        op.f("ix_ratings_listed"),
        "ratings",
        ["variant", "program", "hidden", "rating", "player_id", "listed_until"],
        sqlite_where=_LISTED,
        postgresql_where=_LISTED,
    )
    op.create_index(
        op.f("ix_ratings_listed_until"),
        "ratings",
        ["listed_until"],
        sqlite_where=_LISTED,
        postgresql_where=_LISTED,
    )
    op.create_table(
        "rated_games",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("game_id", _KEY, nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        *(sa.Column(f"{side}_id", _KEY, nullable=False) for side in _SIDES),
        sa.Column("winner", sa.Text(), nullable=True),
        sa.Column("uncounted", sa.Text(), server_default="", nullable=False),
        *(
            column
            for side in _SIDES
            for column in (
                *(sa.Column(f"{side}_{name}", sa.Double(), nullable=False) for name in _NUMBERS),
                sa.Column(f"{side}_rated_at", sa.BigInteger(), nullable=True),
            )
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_rated_games_game_id")),
        *(
            sa.ForeignKeyConstraint([f"{side}_id"], ["players.id"], name=op.f(f"fk_rated_games_{side}_id"))
            for side in _SIDES
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rated_games")),
        sa.UniqueConstraint("game_id", name=op.f("uq_rated_games_game_id")),
    )
    for side in _SIDES:
        op.create_index(op.f(f"ix_rated_games_{side}_id"), "rated_games", [f"{side}_id", "variant", "id"])
    op.create_index(op.f("ix_rated_games_pair"), "rated_games", ["white_id", "black_id", "ended_at"])


def downgrade() -> None:
    op.drop_table("rated_games")
    op.drop_table("ratings")
    _sort_names("default")
    op.drop_column("players", "about")
    op.drop_column("players", "hidden")


def _sort_names(collation: str) -> None:
    """Names go by their bytes, as they do on SQLite, so that those which begin alike stand together."""
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("players", "name_key", type_=sa.Text(collation=collation))
