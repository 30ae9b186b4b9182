"""Resumes the games after a restore from a backup, so that no lost email is mistaken for a new one."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select, update

from corr.service.games import checkpoints
from corr.service.games.game_session import sit_down
from corr.service.house import House
from corr.store.tables import CorrespondentRow, Game
from corr.words.board import Side
from corr.words.view import Stage

#: More slips and emails than a seat can get between a backup and the day of its restore.
GAP = 10_000


def resume(house: House, now: datetime) -> int:
    """Skip slip and email numbers in all unfinished games; return how many running ones were resumed.

    The backup does not know the numbers that emails used after it was made. If the server reused them, a reply to a
    lost email would pass for a reply to a new one. For the same reason a new log begins. Only players of running
    games get an email: a proposed game waits for nobody's move.
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
