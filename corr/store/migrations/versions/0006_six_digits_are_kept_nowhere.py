"""Six digits are kept nowhere: an asking has a seed, and a key of the house's makes them of it."""

from __future__ import annotations

import os
import secrets

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

SECRETS = sa.table("secrets", sa.column("name"), sa.column("value"))
SIGN_INS = sa.table("sign_ins", sa.column("id", sa.BigInteger()), sa.column("seed", sa.Text()))


def upgrade() -> None:
    op.bulk_insert(SECRETS, [{"name": "digits", "value": os.urandom(32)}])
    op.add_column("sign_ins", sa.Column("seed", sa.Text(), server_default="", nullable=False))
    op.execute(sa.update(SIGN_INS).values(seed=f"{secrets.token_hex()} " + sa.cast(SIGN_INS.c.id, sa.Text())))
    with op.batch_alter_table("sign_ins") as sign_ins:
        sign_ins.drop_column("digits")
        sign_ins.alter_column("seed", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("sign_ins") as sign_ins:
        sign_ins.add_column(sa.Column("digits", sa.Text(), server_default="", nullable=False))
        sign_ins.drop_column("seed")
    op.execute(sa.delete(SECRETS).where(SECRETS.c.name == "digits"))
