"""What letters in say has a table of its own, and of the digest by which one is known half is kept.

After going down again, a letter that came before is not known when it comes once more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

#: A letter may have a megabyte.
STEP = 100
BOUNCED = sa.text("bounced_at IS NOT NULL")
IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
KEEP = """
INSERT INTO originals (letter_id, recipients, raw, bounced_at)
SELECT id, recipients, raw, CASE WHEN bounce THEN received_at END FROM inbox
WHERE id > :after AND id <= :upto AND length(raw) > 0
"""
KEYS = sa.text("SELECT id, message_key FROM inbox WHERE id > :after AND id <= :upto")
SHORTEN = sa.text("UPDATE inbox SET message_key = :key WHERE id = :id")
DIGEST = re.compile("((?:bounce |other )?[0-9a-f]{32})[0-9a-f]{32}")
PUT_BACK = """
UPDATE inbox SET recipients = originals.recipients, raw = originals.raw
FROM originals WHERE letter_id = inbox.id AND inbox.id > :after AND inbox.id <= :upto
"""


def upgrade() -> None:
    op.drop_index("ix_inbox_bounces_kept", "inbox")
    op.create_table(
        "originals",
        sa.Column("letter_id", IDENTITY, autoincrement=False, nullable=False),
        sa.Column("recipients", sa.Text(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("bounced_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["letter_id"], ["inbox.id"], name=op.f("fk_originals_letter_id")),
        sa.PrimaryKeyConstraint("letter_id", name=op.f("pk_originals")),
    )
    op.create_index(
        "ix_originals_bounced_kept",
        "originals",
        ["bounced_at"],
        sqlite_where=BOUNCED,
        postgresql_where=BOUNCED,
    )
    in_steps(KEEP)
    for column in ("recipients", "raw"):
        op.drop_column("inbox", column)
    shorten_keys()


def downgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    op.add_column("inbox", sa.Column("recipients", sa.Text(), server_default="[]", nullable=False))
    op.add_column(
        "inbox",
        sa.Column(
            "raw", sa.LargeBinary(), server_default=sa.text("x''" if is_sqlite else "''"), nullable=False
        ),
    )
    in_steps(PUT_BACK)
    op.drop_table("originals")
    holds = sa.text(f"bounce IS {'1' if is_sqlite else 'true'} AND length(raw) > 0")
    op.create_index(
        "ix_inbox_bounces_kept", "inbox", ["received_at"], sqlite_where=holds, postgresql_where=holds
    )


def shorten_keys() -> None:
    for some in steps():
        rows = op.get_bind().execute(KEYS, some).all()
        whole = [(row.id, found) for row in rows if (found := DIGEST.fullmatch(row.message_key))]
        if whole:
            op.get_bind().execute(SHORTEN, [{"id": letter, "key": found[1]} for letter, found in whole])


def in_steps(statement: str) -> None:
    for some in steps():
        op.get_bind().execute(sa.text(statement), some)


def steps() -> Iterator[dict[str, int]]:
    """Small ones: a large house keeps gigabytes of letters."""
    last = op.get_bind().execute(sa.text("SELECT max(id) FROM inbox")).scalar_one() or 0
    for after in range(0, last, STEP):
        yield {"after": after, "upto": after + STEP}
