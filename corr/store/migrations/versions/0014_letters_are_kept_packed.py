"""What is kept of letters is kept packed."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

from corr.store.compression import pack, unpack

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

#: A letter may have a megabyte.
STEP = 100
TEXT = sa.text("text IS NOT NULL")
OUT, IN = ("outbox", "site_outbox"), ("inbox", "site_inbox")


def upgrade() -> None:
    change_texts(sa.LargeBinary(), lambda text: pack(text.encode()))
    for inbox in IN:
        change(inbox, "raw", "raw", pack)


def downgrade() -> None:
    for inbox in IN:
        change(inbox, "raw", "raw", unpack)
    change_texts(sa.Text(), lambda kept: unpack(kept).decode())


def change_texts(
    kind: sa.types.TypeEngine[str] | sa.types.TypeEngine[bytes], made: Callable[..., object]
) -> None:
    """Each text in a column of another kind."""
    op.drop_index("ix_site_outbox_kept", "site_outbox")
    for outbox in OUT:
        op.add_column(outbox, sa.Column("changed", kind, nullable=True))
        change(outbox, "text", "changed", made)
        op.drop_column(outbox, "text")
        op.execute(f"ALTER TABLE {outbox} RENAME COLUMN changed TO text")
    op.create_index(
        "ix_site_outbox_kept", "site_outbox", ["made_at"], sqlite_where=TEXT, postgresql_where=TEXT
    )


def change(table: str, column: str, into: str, made: Callable[..., object]) -> None:
    """In small steps: a large house keeps gigabytes of them."""
    tables = op.get_bind()
    last = tables.execute(sa.text(f"SELECT max(id) FROM {table}")).scalar_one() or 0  # noqa: S608  # one of ours
    some = sa.text(
        f"SELECT id, {column} FROM {table} WHERE id > :after AND id <= :upto"  # noqa: S608  # likewise
        f" AND {column} IS NOT NULL"
    )
    keep = sa.text(f"UPDATE {table} SET {into} = :made WHERE id = :id")  # noqa: S608  # likewise
    for after in range(0, last, STEP):
        rows = tables.execute(some, {"after": after, "upto": after + STEP}).all()
        if rows:
            tables.execute(keep, [{"id": row.id, "made": made(row[1])} for row in rows])
