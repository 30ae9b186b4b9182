"""What a ply takes on disk in games of 40 plies, while they run and a month past their end, beside what it may take."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from tempfile import TemporaryDirectory

from sqlalchemy import select

from corr.service import worker_rounds
from corr.service.games.game_session import sit_down
from corr.service.house import House
from corr.service.mail import inbox, retention
from corr.service.mail.arrival import Arrival
from corr.store import schema
from corr.store.tables import Game
from corr.store.vacuum import give_back_some
from corr.words.slips import Outcome
from tests.support.crowd import Crowd, Hollow, house, work

GAMES, PLIES = 100, 40
RUNNING, CLEARED = 3_000, 1_000
_WORTH_TELLING = 20
_EMPTY = "SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size"
_WHOLE = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
_USED = "SELECT name, sum(pgsize) FROM dbstat GROUP BY name"
_WHOSE = "SELECT name, tbl_name FROM sqlite_master"


def played(laid: House) -> None:
    """A crowd plays for so many plies, and beat looks in after each."""
    crowd = Crowd(laid)
    crowd.begin(GAMES)
    for _ in range(PLIES):
        for letter in crowd.replies():
            inbox.drop(laid, Arrival(letter.raw, (letter.recipient,), laid.now()))
        work(laid)
        worker_rounds.sweep(laid, laid.now())


def ended(laid: House) -> None:
    """All games are over, and everybody has read so."""
    with laid.store.writing() as connection:
        for game in connection.execute(select(Game.id)).scalars().all():
            sitting = sit_down(connection, game, laid.now())
            sitting.state = sitting.state.end(Outcome(None, "void"), laid.now())
            sitting.close()
    work(laid)


def cleared(laid: House) -> None:
    """A month later, when beat has looked in often enough."""
    while retention.clear_some(laid, laid.now() + timedelta(days=31)):
        pass
    while give_back_some(laid.store):
        pass


def used(tables: sqlite3.Connection) -> Iterator[tuple[str, float]]:
    """Each table with its indexes, and the bytes that it takes a ply; the largest first."""
    whose = dict(tables.execute(_WHOSE))
    sizes: defaultdict[str, int] = defaultdict(int)
    for name, size in tables.execute(_USED):
        sizes[whose.get(name, name)] += size
    for name, size in sorted(sizes.items(), key=lambda each: -each[1]):
        yield name, size / GAMES / PLIES


def tell(when: str, file: str, most: int) -> None:
    with closing(sqlite3.connect(file)) as tables:
        (whole,), (empty,) = (tables.execute(each).fetchone() for each in (_WHOLE, _EMPTY))
        size, spare = whole / GAMES / PLIES, empty / GAMES / PLIES
        print(
            f"{when}: the file {size:.0f} bytes a ply, {spare:.0f} of them empty; {size / most:.2f}x of {most}"
        )
        for name, takes in used(tables):
            if takes >= _WORTH_TELLING:
                print(f"    {name:12} {takes:6.0f}")


def main() -> None:
    with TemporaryDirectory() as folder:
        file = f"{folder}/keeping.sqlite"
        laid = house(f"sqlite:///{file}", Hollow())
        schema.upgrade(laid.store)
        played(laid)
        tell("while they run", file, RUNNING)
        ended(laid)
        cleared(laid)
        tell("a month past their end", file, CLEARED)
        laid.store.close()
        with closing(sqlite3.connect(file)) as tables:
            tables.execute("VACUUM")
        tell("after VACUUM", file, CLEARED)


if __name__ == "__main__":
    main()
