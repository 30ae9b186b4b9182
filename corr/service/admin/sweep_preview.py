"""Previews a sweep at a given moment without changing anything."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select

from corr.service.games import clock_start, reminders_and_flags
from corr.service.games.game_session import open_session
from corr.service.server import Server
from corr.store.tables import GameRow


class PreviewedGame(NamedTuple):
    """What a sweep would do in one game, and how the game would end, if at all."""

    code: str
    deed: str
    reason: str | None


def preview_sweep(server: Server, at: datetime) -> list[PreviewedGame]:
    """Preview a sweep game by game, assuming that nobody writes until then."""
    found = (_preview_game(server, game_id, at) for game_id in reminders_and_flags.list_due(server, at))
    return [each for each in found if each.deed]


def _preview_game(server: Server, game_id: int, at: datetime) -> PreviewedGame:
    with server.store.writing() as connection:
        session = open_session(connection, game_id, at)
        code = connection.execute(select(GameRow.code).where(GameRow.id == game_id)).scalar_one()
        clock_start.start_clock(session)
        deed = reminders_and_flags.do_next(session, server)
        if transaction := connection.get_transaction():
            transaction.rollback()
    outcome = session.state.outcome
    return PreviewedGame(code, deed, outcome.reason if outcome else None)
