"""Resumes the games after a restore from a backup, so that no lost email is mistaken for a new one."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select, update

from corr.service.games import checkpoints
from corr.service.games.game_session import open_session
from corr.service.server import Server
from corr.store.tables import CorrespondentRow, GameRow
from corr.words.board import Side
from corr.words.view import Stage

#: More slips and emails than a seat can get between a backup and the day of its restore. A backup does not know the
#: numbers used after it; if we used them again, a reply to a lost email would pass for a reply to a new one.
NUMBER_GAP = 10_000


def resume_after_restore(server: Server, now: datetime) -> int:
    """Skip slip and email numbers in unfinished games, and resume running ones; return their count."""
    with server.store.reading() as connection:
        games = select(GameRow.id).where(GameRow.state != Stage.OVER).order_by(GameRow.id)
        ids = connection.execute(games).scalars().all()
    with server.store.writing() as connection:
        connection.execute(update(CorrespondentRow).values(letters=CorrespondentRow.letters + NUMBER_GAP))
        checkpoints.close_log(connection)
    resumed = 0
    for game_id in ids:
        with server.store.writing() as connection:
            session = open_session(connection, game_id, now)
            session.skip_numbers(NUMBER_GAP)
            if session.state.under_way:
                session.state = session.state.restart(now)
                resumed += 1
                for side in Side:
                    session.write(side, "restored", None, **session.drop_standing_orders(side))
            session.close()
    server.store.update_statistics()
    return resumed
