"""Keys of feeds and of calls are found by their hash, and kept sealed; all that there are go on being good."""

from __future__ import annotations

import hashlib
import hmac
import os

import sqlalchemy as sa
from alembic import op

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None

_SECRETS = sa.table("secrets", sa.column("name"), sa.column("value"))
_WAYS = sa.table("ways", *map(sa.column, ("id", "key", "digest", "sealed")))
_NONCE = 16


def upgrade() -> None:
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


def downgrade() -> None:
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
