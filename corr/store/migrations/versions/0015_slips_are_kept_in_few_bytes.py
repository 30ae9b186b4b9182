"""Slips are kept in few bytes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

from corr.store.slips import pack, unpack
from corr.words.board import Pair, Side
from corr.words.codes import Contents, Datum, code_of
from corr.words.orders import Castle
from corr.words.slips import Fact, Recalled, Sight, Slip, Toll

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

#: So many seats at a time: each may have some hundred slips.
STEP = 100
LAST = sa.text("SELECT max(seat_id) FROM slips")
SOME = sa.text(
    "SELECT seat_id, number, step, facts, sight FROM slips WHERE seat_id > :after AND seat_id <= :upto"
)
KEEP = sa.text(
    "UPDATE slips SET made_facts = :facts, made_sight = :sight"
    " WHERE seat_id = :seat AND number = :number AND step = :step"
)


def upgrade() -> None:
    change(sa.LargeBinary(), lambda facts, sight: pack(slip(facts, sight)))


def downgrade() -> None:
    change(sa.Text(), lambda facts, sight: texts(unpack(Side.WHITE, facts, sight)))


def change(
    kind: sa.types.TypeEngine[str] | sa.types.TypeEngine[bytes], made: Callable[..., tuple[object, object]]
) -> None:
    """Both columns into ones of another kind, in small steps: a large house has millions of slips."""
    for column in ("facts", "sight"):
        op.add_column("slips", sa.Column(f"made_{column}", kind, nullable=True))
    tables = op.get_bind()
    for after in range(0, tables.execute(LAST).scalar_one() or 0, STEP):
        rows = tables.execute(SOME, {"after": after, "upto": after + STEP}).all()
        if rows:
            tables.execute(KEEP, [kept(row, *made(row.facts, row.sight)) for row in rows])
    with op.batch_alter_table("slips") as slips:
        for column in ("facts", "sight"):
            slips.drop_column(column)
            slips.alter_column(f"made_{column}", nullable=False)
    for column in ("facts", "sight"):
        op.execute(f"ALTER TABLE slips RENAME COLUMN made_{column} TO {column}")


def kept(row: sa.Row[Any], facts: object, sight: object) -> dict[str, object]:
    return {"seat": row.seat_id, "number": row.number, "step": row.step, "facts": facts, "sight": sight}


# ---------------------------------------------------------------- as they were kept before: as JSON


def slip(facts: str, sight: str) -> Slip:
    """A slip by its texts; whose it is stands in neither."""
    (own, seen, *kinds), castling, (white, black), *beside = json.loads(sight)
    pawns, knights, bishops, rooks, queens, kings = kinds
    promoted, reserves, recalled, sense_due = beside or (0, None, (), False)
    sees = Sight(
        Side.WHITE,
        own,
        seen,
        pawns,
        knights,
        bishops,
        rooks,
        queens,
        kings,
        tuple(map(Castle, castling)),
        Pair(Toll(*white), Toll(*black)),
        promoted,
        Pair(*reserves) if reserves else None,
        tuple(Recalled(move, tuple(map(tuple, squares))) for move, squares in recalled),
        sense_due,
    )
    said = (
        Fact.as_kept(code_of(code), said, tuple(map(datum, data.items())))
        for code, said, data in json.loads(facts)
    )
    return Slip(Side.WHITE, tuple(said), sees)


def datum(pair: tuple[str, Any]) -> tuple[str, Datum]:
    key, value = pair
    if isinstance(value, dict):
        return key, Contents(tuple(value.items()))
    return key, tuple(value) if isinstance(value, list) else value


def texts(slip: Slip) -> tuple[str, str]:
    """The texts of a slip."""
    sight = slip.sight
    masks = [sight.own, sight.seen, *(mask for _, mask in sight.masks())]
    tolls = [[toll.men, toll.pawns] for toll in (sight.lost.white, sight.lost.black)]
    reserves = [sight.reserves.white, sight.reserves.black] if sight.reserves else None
    recalled = [[each.move, each.squares] for each in sight.recalled]
    beside: list[object] = [sight.promoted, reserves, recalled, sight.sense_due]
    facts = [[fact.code, fact.text, fact.plain] for fact in slip.facts]
    return as_json(facts), as_json([masks, sight.castling, tolls, *(beside if any(beside) else ())])


def as_json(thing: object) -> str:
    return json.dumps(thing, separators=(",", ":"), ensure_ascii=False)
