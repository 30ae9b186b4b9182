"""After the database was restored from a copy: nothing lost may be mistaken for what is to come."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select, update

from corr.service.games import checkpoints
from corr.service.games.game_session import sit_down
from corr.service.house import House
from corr.store.tables import CorrespondentRow, Game
from corr.words.board import Side
from corr.words.view import Stage

#: More slips and letters than a seat can have got between a copy and the day it is needed.
GAP = 10_000


def resume(house: House, now: datetime) -> int:
    """Number slips and letters anew in every game that is not over; to how many games' players we wrote.

    They are those of the running games: what is only proposed waits for nobody's move.

    What was sent after the copy was taken bears numbers that the copy does not know. Were they given out again,
    a reply to a lost letter would pass for a reply to a new one. So it is with the log: another one begins.
    """
    with house.store.reading() as connection:
        games = select(Game.id).where(Game.state != Stage.OVER).order_by(Game.id)
        ids = connection.execute(games).scalars().all()
    with house.store.writing() as connection:
        connection.execute(update(CorrespondentRow).values(letters=CorrespondentRow.letters + GAP))
        checkpoints.close_log(connection)
    resumed = 0
    for game_id in ids:
        with house.store.writing() as connection:
            sitting = sit_down(connection, game_id, now)
            sitting.skip_numbers(GAP)
            if sitting.state.under_way:
                sitting.state = sitting.state.restart(now)
                resumed += 1
                for side in Side:
                    sitting.write(side, "restored", None, **sitting.take_back(side))
            sitting.close()
    house.store.take_stock()
    return resumed
