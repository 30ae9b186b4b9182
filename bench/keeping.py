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
from corr.service.games.game_session import open_session
from corr.service.mail import inbox, retention
from corr.service.mail.arrivals import Arrival
from corr.service.server import Server
from corr.store.session import free_unused_pages
from corr.store.tables import GameRow
from corr.words.slips import Outcome
from tests.support.crowd import Crowd, Hollow, server, work

PLIES = 40
RUNNING, CLEARED = 3_000, 1_000
_SIZE = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"


def play(laid: Server, games: int) -> None:
    """A crowd plays for so many plies, and beat looks in after each."""
    crowd = Crowd(laid)
    crowd.begin(games)
    for _ in range(PLIES):
        for letter in crowd.replies():
            inbox.store_email(laid, Arrival(letter.raw, (letter.recipient,), laid.now()))
        work(laid)
        worker_rounds.sweep(laid, laid.now())


def end(laid: Server) -> None:
    """All games end, and a month later beat has looked in often enough."""
    with laid.store.writing() as connection:
        for game in connection.execute(select(GameRow.id)).scalars().all():
            session = open_session(connection, game, laid.now())
            session.state = session.state.end(Outcome(None, "void"), laid.now())
            session.close()
    work(laid)
    while retention.delete_expired(laid, laid.now() + timedelta(days=31)):
        pass
    while free_unused_pages(laid.store):
        pass


def main() -> None:
    games = ask(__doc__, games=100).games
    with databases("sqlite") as place:
        url = place.make("keeping")
        laid = server(url, Hollow())

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
