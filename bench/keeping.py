"""What a ply takes on disk in games of 40 plies, while they run and a month past their end, beside what it may take.

python -m bench.keeping [--games 100]
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta

from sqlalchemy import make_url, select

from bench.driver import ask, databases
from corr.service import worker_rounds
from corr.service.games.game_session import sit_down
from corr.service.house import House
from corr.service.mail import inbox, retention
from corr.service.mail.arrival import Arrival
from corr.store.tables import Game
from corr.store.vacuum import give_back_some
from corr.words.slips import Outcome
from tests.support.crowd import Crowd, Hollow, house, work

PLIES = 40
RUNNING, CLEARED = 3_000, 1_000
_SIZE = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"


def play(laid: House, games: int) -> None:
    """A crowd plays for so many plies, and beat looks in after each."""
    crowd = Crowd(laid)
    crowd.begin(games)
    for _ in range(PLIES):
        for letter in crowd.replies():
            inbox.drop(laid, Arrival(letter.raw, (letter.recipient,), laid.now()))
        work(laid)
        worker_rounds.sweep(laid, laid.now())


def end(laid: House) -> None:
    """All games end, and a month later beat has looked in often enough."""
    with laid.store.writing() as connection:
        for game in connection.execute(select(Game.id)).scalars().all():
            sitting = sit_down(connection, game, laid.now())
            sitting.state = sitting.state.end(Outcome(None, "void"), laid.now())
            sitting.close()
    work(laid)
    while retention.clear_some(laid, laid.now() + timedelta(days=31)):
        pass
    while give_back_some(laid.store):
        pass


def main() -> None:
    games = ask(__doc__, games=100).games
    with databases("sqlite") as place:
        url = place.make("keeping")
        laid = house(url, Hollow())

        def tell(when: str, most: int) -> None:
            with closing(sqlite3.connect(str(make_url(url).database))) as tables:
                size = tables.execute(_SIZE).fetchone()[0] / games / PLIES
                print(f"{when}: {size:.0f} bytes a ply, {size / most:.2f}x of {most}")

        play(laid, games)
        tell("while they run", RUNNING)
        end(laid)
        tell("a month past their end", CLEARED)
        laid.store.close()


if __name__ == "__main__":
    main()
