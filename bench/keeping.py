"""What a ply takes on disk in games of 40 plies: while they run, a month past their end, and after VACUUM."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from tempfile import TemporaryDirectory

from sqlalchemy import select

from bench.crowd import Crowd, Hollow, house, work
from corr.desk import clearing, inbox
from corr.desk.arrival import Arrival
from corr.desk.house import House
from corr.desk.sitting import sit_down
from corr.store import schema
from corr.store.tables import Game
from corr.words import Outcome

GAMES, PLIES = 20, 40
_WORTH_TELLING = 40
_USED = "SELECT name, sum(pgsize) FROM dbstat GROUP BY name"
_WHOSE = "SELECT name, tbl_name FROM sqlite_master"


def played(laid: House) -> None:
    """A crowd plays for so many plies."""
    crowd = Crowd(laid)
    crowd.begin(GAMES)
    for _ in range(PLIES):
        for letter in crowd.replies():
            inbox.drop(laid, Arrival(letter.raw, (letter.recipient,), laid.now()))
        work(laid)


def ended(laid: House) -> None:
    """All games are over."""
    with laid.store.writing() as connection:
        for game in connection.execute(select(Game.id)).scalars().all():
            sitting = sit_down(connection, game, laid.now())
            sitting.end(Outcome(None, "void"))
            sitting.close()


def cleared(laid: House) -> None:
    """A month later."""
    while clearing.clear_some(laid, laid.now() + timedelta(days=31)):
        pass


def used(file: str) -> Iterator[tuple[str, float]]:
    """Each table with its indexes, and the bytes that it takes a ply; the largest first."""
    with closing(sqlite3.connect(file)) as tables:
        whose = dict(tables.execute(_WHOSE))
        sizes: defaultdict[str, int] = defaultdict(int)
        for name, size in tables.execute(_USED):
            sizes[whose.get(name, name)] += size
    for name, size in sorted(sizes.items(), key=lambda each: -each[1]):
        yield name, size / GAMES / PLIES


def tell(when: str, file: str) -> None:
    tables = list(used(file))
    print(f"{when}: {sum(size for _, size in tables):.0f} bytes a ply")
    for name, size in tables:
        if size >= _WORTH_TELLING:
            print(f"    {name:10} {size:6.0f}")


def main() -> None:
    with TemporaryDirectory() as folder:
        file = f"{folder}/keeping.sqlite"
        laid = house(f"sqlite:///{file}", Hollow())
        schema.upgrade(laid.store)
        played(laid)
        tell("while they run", file)
        ended(laid)
        cleared(laid)
        tell("a month past their end", file)
        laid.store.close()
        with closing(sqlite3.connect(file)) as tables:
            tables.execute("VACUUM")
        tell("after VACUUM", file)


if __name__ == "__main__":
    main()
