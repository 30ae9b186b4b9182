"""Previews a sweep at a given moment without changing anything."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, select

from corr.service.games import deadlines, reminders_and_flags
from corr.service.games.game_session import sit_down
from corr.service.house import House
from corr.store.tables import Game


class Rehearsed(NamedTuple):
    """What a sweep would do in one game, and how the game would end, if at all."""

    code: str
    deed: str
    reason: str | None


_CODE = select(Game.code).where(Game.id == bindparam("game"))


def rehearse(house: House, at: datetime) -> list[Rehearsed]:
    """Preview a sweep game by game, assuming that nobody writes until then."""
    found = (_rehearse(house, game_id, at) for game_id in reminders_and_flags.due(house, at))
    return [each for each in found if each.deed]


def _rehearse(house: House, game_id: int, at: datetime) -> Rehearsed:
    with house.store.writing() as connection:
        sitting = sit_down(connection, game_id, at)
        code = connection.execute(_CODE, {"game": game_id}).scalar_one()
        deadlines.settle(sitting)
        deed = reminders_and_flags.do(sitting, house)
        if transaction := connection.get_transaction():
            transaction.rollback()
    outcome = sitting.state.outcome
    return Rehearsed(code, deed, outcome.reason if outcome else None)
