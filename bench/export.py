"""How fast games that everybody may have are written, and whether the process grows by how many there are.

    python -m bench.export --games 10000

One game of each variant is played at random, and its rows are copied in the database until there are enough. What a
process weighs is looked at after a tenth of the games, and at the end.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from sqlalchemy import Table, cast, func, insert, literal, select, update

from bench.memory import megabytes
from corr.rules.variants import UMPIRES
from corr.service.games import open_data
from corr.service.games.open_data import EVER, What
from corr.service.house import House
from corr.store.tables import Base, Game, OrderRow, Player, SeatRow, SlipRow
from corr.store.tables import Leaf as LeafRow
from tests.support.records import played_at_random
from tests.support.table import lay

#: What is copied of a game, and which columns tell the copies apart: each is moved on by as many as there were.
_COPIED = (
    (Game, "id"),
    (SeatRow, "id game_id"),
    (SlipRow, "seat_id"),
    (OrderRow, "id seat_id"),
    (LeafRow, "game_id"),
)
_NAMED = ("code",)


def fill(house: House, games: int, plies: int) -> None:
    """A house of so many finished games, all of them everybody's."""
    for seed, variant in enumerate(UMPIRES):
        played_at_random(house, variant, seed, plies)
    with house.store.writing() as connection:
        connection.execute(update(Player).values(publishes="yes"))
        connection.execute(update(SeatRow).values(tells_tries=True))
        steps = {
            kind: connection.execute(select(func.max(Base.metadata.tables[f"{kind}"].c.id))).scalar_one()
            for kind in ("games", "seats", "orders")
        }
        steps |= {"game": steps["games"], "seat": steps["seats"]}
        numbers = select(literal(1).label("number")).cte("numbers", recursive=True)
        numbers = numbers.union_all(
            select(numbers.c.number + 1).where(numbers.c.number < games // len(UMPIRES) - 1)
        )
        for kind, keys in _COPIED:
            table = kind.__table__
            assert isinstance(table, Table)
            moved = {}
            for column in table.columns:
                step = steps.get(column.name.removesuffix("_id")) or steps.get(table.name, 0)
                if column.name in keys.split():
                    moved[column.name] = column + numbers.c.number * step
                elif column.name in _NAMED:
                    moved[column.name] = column + cast(numbers.c.number, column.type)
                else:
                    moved[column.name] = column
            copies = select(*moved.values()).select_from(table.join(numbers, literal(value=True)))
            connection.execute(insert(table).from_select(list(moved), copies))


def weighed(pieces: Iterator[bytes], games: int) -> tuple[int, float]:
    """How many bytes there are, and by how many megabytes the process grew after a tenth of them."""
    size, begun = 0, 0.0
    for number, piece in enumerate(pieces):
        size += len(piece)
        if number == games // 10:
            begun = megabytes(os.getpid())
    return size, megabytes(os.getpid()) - begun


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--plies", type=int, default=40, help="after how many a game is given up")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        house = lay(Path(folder)).house
        fill(house, given.games, given.plies)
        for what in What:
            count = given.games if what is not What.RBC else given.games // len(UMPIRES)
            begun = perf_counter()
            size, grown = weighed(open_data.export(house, what, EVER), count)
            took = perf_counter() - begun
            print(
                f"{what}: {count} games in {took:.1f} s, {count / took:.0f} a second, {size / 2**20:.0f} MB;"
                f" grown by {grown:.1f} MB to {megabytes(os.getpid()):.0f} MB"
            )
        house.store.close()


if __name__ == "__main__":
    main()
