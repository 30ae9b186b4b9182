"""A game begins, and one that a side has let run out of time ends."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from corr.desk.table import bench, log
from corr.desk.table.pairing import Pairing, pair
from corr.desk.table.sitting import Sitting, sit_down
from corr.words.board import Pair, Side
from corr.words.slips import Slip


def flag(sitting: Sitting, side: Side) -> None:
    """End the game of a side that has run out of time; it is news to both."""
    judgement = bench.flag(sitting.connection, sitting.game_id, sitting.variant, side)
    assert judgement.outcome is not None
    sitting.state = sitting.state.end(judgement.outcome, sitting.now)
    tell_both(sitting, judgement.slips)


def start(connection: Connection, pairing: Pairing, now: datetime) -> int:
    """A game to which both have said yes already: it begins at once."""
    game_id = pair(connection, pairing, accepted=True)
    sitting = sit_down(connection, game_id, now)
    begin(sitting)
    sitting.close()
    return game_id


def begin(sitting: Sitting) -> None:
    """Both have accepted: the umpire sets up the board and White's clock starts, or asks both to deploy."""
    log.settle(sitting.connection, sitting.game_id)
    judgement = bench.begin(sitting.connection, sitting.game_id, sitting.variant)
    state, now = sitting.state, sitting.now
    sitting.state = state.play(judgement.turn, now) if judgement.turn else state.deploy(now)
    tell_both(sitting, judgement.slips)


def tell_both(sitting: Sitting, slips: Pair[Slip | None]) -> None:
    """Hand both sides what is news to both."""
    for side in Side:
        slip = slips[side]
        if slip:
            sitting.tell(side, slip)
