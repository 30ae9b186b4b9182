"""Letters' bytes and texts have tables of their own, and what a letter says is kept packed."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

from corr.store.compression import pack, unpack

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

#: A letter may have a megabyte.
STEP = 100
OUT = {"outbox": ("parcels", "quotables"), "site_outbox": ("site_parcels", "site_quotables")}
TEXT = sa.text("text IS NOT NULL")
IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.drop_index("ix_site_outbox_kept", "site_outbox")
    for outbox, (parcels, quotables) in OUT.items():
        # Nothing may refer to a table that SQLite makes anew.
        op.execute(
            f"CREATE TABLE moved AS SELECT id, message, text FROM {outbox}"  # noqa: S608  # one of ours
            " WHERE message IS NOT NULL OR text IS NOT NULL"
        )
        op.execute("CREATE UNIQUE INDEX ix_moved ON moved (id)")
        with op.batch_alter_table(outbox) as batch:
            batch.drop_column("message")
            batch.drop_column("text")
            if outbox == "outbox":
                batch.alter_column(
                    "words", type_=sa.LargeBinary(), postgresql_using="convert_to(words, 'UTF8')"
                )
        for table, column in ((parcels, "message"), (quotables, "text")):
            op.create_table(
                table,
                sa.Column("letter_id", IDENTITY, autoincrement=False, nullable=False),
                sa.Column(column, sa.LargeBinary(), nullable=False),
                sa.ForeignKeyConstraint(["letter_id"], [f"{outbox}.id"], name=op.f(f"fk_{table}_letter_id")),
                sa.PrimaryKeyConstraint("letter_id", name=op.f(f"pk_{table}")),
            )
            in_steps(
                "moved",
                f"INSERT INTO {table} (letter_id, {column}) SELECT id, {column} FROM moved"  # noqa: S608  # likewise
                f" WHERE id > :after AND id <= :upto AND {column} IS NOT NULL",
            )
        op.drop_table("moved")
    change_words(pack)


def downgrade() -> None:
    change_words(unpack)
    for outbox, (parcels, quotables) in OUT.items():
        for table, column in ((parcels, "message"), (quotables, "text")):
            op.add_column(outbox, sa.Column(column, sa.LargeBinary(), nullable=True))
            in_steps(
                outbox,
                f"UPDATE {outbox} SET {column} = (SELECT {column} FROM {table} WHERE letter_id = {outbox}.id)"  # noqa: S608  # likewise
                " WHERE id > :after AND id <= :upto",
            )
            op.drop_table(table)
    with op.batch_alter_table("outbox") as batch:
        batch.alter_column("words", type_=sa.Text(), postgresql_using="convert_from(words, 'UTF8')")
    op.create_index(
        "ix_site_outbox_kept", "site_outbox", ["made_at"], sqlite_where=TEXT, postgresql_where=TEXT
    )


def in_steps(table: str, statement: str) -> None:
    """In small steps: a large house keeps gigabytes of them."""
    for after in range(0, last_of(table), STEP):
        op.get_bind().execute(sa.text(statement), {"after": after, "upto": after + STEP})


def change_words(made: Callable[[bytes], bytes]) -> None:
    """What each letter says."""
    some = sa.text("SELECT id, words FROM outbox WHERE id > :after AND id <= :upto")
    keep = sa.text("UPDATE outbox SET words = :made WHERE id = :id")
    for after in range(0, last_of("outbox"), STEP):
        rows = op.get_bind().execute(some, {"after": after, "upto": after + STEP}).all()
        if rows:
            op.get_bind().execute(keep, [{"id": row.id, "made": made(row.words)} for row in rows])


def last_of(table: str) -> int:
    last: int | None = op.get_bind().execute(sa.text(f"SELECT max(id) FROM {table}")).scalar_one()  # noqa: S608  # one of ours
    return last or 0
