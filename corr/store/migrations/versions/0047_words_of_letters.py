"""The words of a letter have a table of their own: in its row they left a hole there when their time was over."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None

_STEP = 1_000
_IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_LAST = "SELECT coalesce(max(id), 0) FROM outbox"
#: Letters of games that were cleared have no words any more.
_MOVE = """
    INSERT INTO letter_words (letter_id, words)
    SELECT outbox.id, outbox.words FROM outbox
    JOIN seats ON seats.id = outbox.seat_id JOIN games ON games.id = seats.game_id
    WHERE outbox.id > :after AND outbox.id <= :upto
    AND (games.state != 'over' OR games.kept_until IS NOT NULL OR outbox.sent_at IS NULL)
"""
_MOVE_BACK = """
    UPDATE outbox SET words = (SELECT words FROM letter_words WHERE letter_id = outbox.id)
    WHERE id > :after AND id <= :upto AND EXISTS (SELECT 1 FROM letter_words WHERE letter_id = outbox.id)
"""


def upgrade() -> None:
    op.create_table(
        "letter_words",
        sa.Column("letter_id", _IDENTITY, autoincrement=False, nullable=False),
        sa.Column("words", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["letter_id"], ["outbox.id"], name=op.f("fk_letter_words_letter_id")),
        sa.PrimaryKeyConstraint("letter_id", name=op.f("pk_letter_words")),
    )
    _in_steps(_MOVE)
    op.drop_column("outbox", "words")


def downgrade() -> None:
    op.add_column("outbox", sa.Column("words", sa.LargeBinary(), server_default="{}", nullable=False))
    _in_steps(_MOVE_BACK)
    op.drop_table("letter_words")


def _in_steps(statement: str) -> None:
    """In small steps: a large house keeps very many of them."""
    last: int = op.get_bind().execute(sa.text(_LAST)).scalar_one()
    for after in range(0, last, _STEP):
        op.get_bind().execute(sa.text(statement), {"after": after, "upto": after + _STEP})
