"""A bot's name ends in "(bot)". Games that have begun keep calling it what their emails have called it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None

_PLAYERS = sa.table("players", sa.column("id"), sa.column("name"), sa.column("address_key"))
_SEATS = sa.table(
    "seats", sa.column("id"), sa.column("game_id"), sa.column("player_id"), sa.column("opponent")
)


def upgrade() -> None:
    _rename(" (program)", " (bot)")


def downgrade() -> None:
    _rename(" (bot)", " (program)")


def _rename(before: str, after: str) -> None:
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
