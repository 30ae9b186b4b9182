"""Brings the tables of version 0050, commit e64bc27, to today's: sealed keys, the log that grows, and "(bot)"."""

from __future__ import annotations

import hashlib
import hmac
import os
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision = "0050"
branch_labels = None
depends_on = None

_IS_TESTED = sa.text("test_asked_at IS NOT NULL")
_SECRETS = sa.table("secrets", sa.column("name"), sa.column("value"))
_WAYS = sa.table("ways", *map(sa.column, ("id", "key", "digest", "sealed")))
_PLAYERS = sa.table("players", sa.column("id"), sa.column("name"), sa.column("address_key"))
_SEATS = sa.table(
    "seats", sa.column("id"), sa.column("game_id"), sa.column("player_id"), sa.column("opponent")
)
_NONCE = 16
#: Columns that begin with the same value in every row.
_NEW: dict[str, list[tuple[str, sa.types.TypeEngine[Any], str | None]]] = {
    "seats": [("publishes", sa.Text(), ""), ("mailed", sa.BigInteger(), "0")],
    "games": [("time_log", sa.Text(), "")],
    "checkpoints": [("size", sa.BigInteger(), None), ("edge", sa.LargeBinary(), None)],
    "quotables": [("digest", sa.Text(), "")],
}


def upgrade() -> None:
    op.drop_index("ix_subscriptions_test_asked_at", "subscriptions")
    op.drop_column("subscriptions", "test_asked_at")
    _seal_keys()
    op.drop_column("entrants", "withdrawn")
    for table, columns in _NEW.items():
        for name, kind, value in columns:
            op.add_column(table, sa.Column(name, kind, server_default=value, nullable=value is None))
    _rename(" (program)", " (bot)")


def downgrade() -> None:
    _rename(" (bot)", " (program)")
    for table, columns in _NEW.items():
        for name, _, _ in columns:
            op.drop_column(table, name)
    op.add_column("entrants", sa.Column("withdrawn", sa.Text(), nullable=True))
    op.execute("UPDATE entrants SET withdrawn = 'lost' WHERE withdrawn_at IS NOT NULL")
    _open_keys()
    op.add_column("subscriptions", sa.Column("test_asked_at", sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_subscriptions_test_asked_at",
        "subscriptions",
        ["test_asked_at"],
        sqlite_where=_IS_TESTED,
        postgresql_where=_IS_TESTED,
    )


def _seal_keys() -> None:
    """Keep the keys of feeds and webhooks sealed, and find them by their hash; all stay valid."""
    secret = os.urandom(32)
    op.bulk_insert(_SECRETS, [{"name": "ways", "value": secret}])
    op.add_column("ways", sa.Column("digest", sa.Text(), nullable=True))
    op.add_column("ways", sa.Column("sealed", sa.LargeBinary(), nullable=True))
    ways = op.get_bind()
    for row in ways.execute(sa.select(_WAYS.c.id, _WAYS.c.key)).all():
        nonce = os.urandom(_NONCE)
        sealed = nonce + _covered(secret, nonce, row.key.encode())
        digest = hashlib.sha256(row.key.encode()).hexdigest()
        ways.execute(sa.update(_WAYS).where(_WAYS.c.id == row.id).values(digest=digest, sealed=sealed))
    with op.batch_alter_table("ways") as table:
        table.drop_constraint(op.f("uq_ways_key"), type_="unique")
        table.drop_column("key")
        table.alter_column("digest", nullable=False)
        table.alter_column("sealed", nullable=False)
        table.create_unique_constraint(op.f("uq_ways_digest"), ["digest"])


def _open_keys() -> None:
    ways = op.get_bind()
    secret = ways.execute(sa.select(_SECRETS.c.value).where(_SECRETS.c.name == "ways")).scalar_one()
    op.add_column("ways", sa.Column("key", sa.Text(), nullable=True))
    for row in ways.execute(sa.select(_WAYS.c.id, _WAYS.c.sealed)).all():
        key = _covered(secret, row.sealed[:_NONCE], row.sealed[_NONCE:]).decode()
        ways.execute(sa.update(_WAYS).where(_WAYS.c.id == row.id).values(key=key))
    with op.batch_alter_table("ways") as table:
        table.drop_constraint(op.f("uq_ways_digest"), type_="unique")
        table.drop_column("digest")
        table.drop_column("sealed")
        table.alter_column("key", nullable=False)
        table.create_unique_constraint(op.f("uq_ways_key"), ["key"])
    op.execute(sa.delete(_SECRETS).where(_SECRETS.c.name == "ways"))


def _covered(secret: bytes, nonce: bytes, text: bytes) -> bytes:
    pad = hmac.digest(secret, nonce, "sha256")
    return bytes(one ^ other for one, other in zip(text, pad, strict=True))


def _rename(before: str, after: str) -> None:
    """Change the end of all bots' names; games that have begun keep the name that their emails used."""
    theirs = _SEATS.alias()
    is_meant = _PLAYERS.c.name.endswith(before)
    opposite = (
        sa.select(_PLAYERS.c.name)
        .join_from(theirs, _PLAYERS, _PLAYERS.c.id == theirs.c.player_id)
        .where(theirs.c.game_id == _SEATS.c.game_id, theirs.c.id != _SEATS.c.id, is_meant)
        .correlate(_SEATS)
    )
    kept = _SEATS.update().where(_SEATS.c.opponent.is_(None), opposite.exists())
    op.execute(kept.values(opponent=opposite.scalar_subquery()))
    renamed = {
        column: sa.func.replace(_PLAYERS.c[column], before, after) for column in ("name", "address_key")
    }
    op.execute(_PLAYERS.update().where(is_meant).values(renamed))
