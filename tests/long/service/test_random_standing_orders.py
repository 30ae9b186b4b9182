"""Random emails and standing orders: each turn is played once, by the side to move."""

from __future__ import annotations

import random

import pytest
from sqlalchemy import select

from corr.rules.variants import find_umpire
from corr.store import truths
from corr.store.tables import GameRow, OrderRow, SeatRow
from corr.words.board import Side
from tests.support.table import ANN, BEN, Table

EMAILS = 70
CONDITIONS = ("capture", "no capture", "check", "no check", "check rank")


def random_list(table: Table, variant: str, side: Side, rng: random.Random) -> str:
    """A list of possible tries of a side, sensible or not."""
    umpire = find_umpire(variant)
    with table.server.store.reading() as connection:
        truth = umpire.restore(truths.load_truth(connection, 1))
    options = umpire.possible_tries(truth.sights[side])
    return ", ".join(rng.sample(options, min(len(options), rng.randint(1, 30)))) or "e2e4"


def random_email(table: Table, variant: str, side: Side, rng: random.Random) -> str:
    one, other, last = (random_list(table, variant, side, rng) for _ in range(3))
    ahead = f"if {rng.choice(CONDITIONS)}: {other}; else {last}"
    texts = (
        one,
        f"{one}\n{ahead}",
        f"{one}\n{ahead}\ndelay 1-3h",
        ahead,
        f"{one}\ndelay 2h",
        "cancel",
        "show",
    )
    return rng.choices(texts, (3, 5, 2, 3, 1, 1, 1))[0]


@pytest.mark.parametrize("variant", ["wild16", "classic", "crazykrieg"])
@pytest.mark.parametrize("seed", range(2))
def test_no_move_is_lost_or_made_twice(table: Table, variant: str, seed: int) -> None:
    rng = random.Random(f"{variant} {seed}")
    table.begin(variant)
    for _ in range(EMAILS):
        side = rng.choice(tuple(Side))
        table.reply(ANN if side is Side.WHITE else BEN, random_email(table, variant, side, rng))
        table.clock.advance(minutes=rng.choice((1, 40, 200)))
        table.sweep()

    with table.server.store.reading() as connection:
        state, ply, turn = connection.execute(select(GameRow.state, GameRow.ply, GameRow.turn)).one()
        moved_query = select(OrderRow.ply, SeatRow.side).join(SeatRow, SeatRow.id == OrderRow.seat_id)
        moved_query = moved_query.where(OrderRow.verdict == "moved").order_by(OrderRow.id)
        played = [tuple(each) for each in connection.execute(moved_query)]
        umpire = find_umpire(variant)
        truth = umpire.restore(truths.load_truth(connection, 1))
        ahead = connection.execute(select(SeatRow.side, SeatRow.standing, SeatRow.standing_due)).all()
    assert ply > EMAILS // 4
    assert played == [(number, tuple(Side)[number % 2]) for number in range(ply)]
    assert (umpire.plies(truth), umpire.turn(truth)) == (ply, Side(turn) if turn else None)
    for owner, text, due in ahead:
        assert text is None or (state == "running" and (owner == turn) is (due is not None))
