"""Begins games, and ends those that a side loses on time, abandons or leaves."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from corr.service.games import log, umpire_access
from corr.service.games.game_session import Sitting, sit_down
from corr.service.games.pairing import Paired, Pairing, pair
from corr.words.board import Pair, Side
from corr.words.slips import Slip


def flag(sitting: Sitting, side: Side) -> None:
    """End a game on time, without a result if it hardly began, and tell both."""
    _end(sitting, out_of_time(sitting, side))


def out_of_time(sitting: Sitting, side: Side) -> umpire_access.Judgement:
    """Return the umpire's judgement on a side that has run out of time."""
    rule = umpire_access.abandon if sitting.state.has_hardly_begun else umpire_access.flag
    return rule(sitting.connection, sitting.game_id, sitting.variant, side)


def abandon(sitting: Sitting, side: Side) -> None:
    """End a game without a result because a side abandoned it, and tell both."""
    _end(sitting, umpire_access.abandon(sitting.connection, sitting.game_id, sitting.variant, side))


def leave(sitting: Sitting, side: Side) -> None:
    """End a game that a side loses by leaving its event, and tell both."""
    _end(sitting, umpire_access.leave(sitting.connection, sitting.game_id, sitting.variant, side))


def _end(sitting: Sitting, judgement: umpire_access.Judgement) -> None:
    assert judgement.outcome is not None
    sitting.mark_turn()
    sitting.state = sitting.state.end(judgement.outcome, sitting.now)
    tell_both(sitting, judgement.slips)


def start(connection: Connection, pairing: Pairing, now: datetime) -> Paired:
    """Create and begin a game that both players have accepted already."""
    game = pair(connection, pairing, accepted=True)
    sitting = sit_down(connection, game.id, now)
    begin(sitting)
    sitting.close()
    return game


def begin(sitting: Sitting) -> None:
    """Set up an accepted game: start White's clock, or ask both sides to deploy."""
    log.settle(sitting.connection, sitting.game_id)
    judgement = umpire_access.begin(sitting.connection, sitting.game_id, sitting.variant)
    state, now = sitting.state, sitting.now
    sitting.state = state.play(judgement.turn, now) if judgement.turn else state.deploy(now)
    tell_both(sitting, judgement.slips)


def tell_both(sitting: Sitting, slips: Pair[Slip | None]) -> None:
    """Hand both sides their news."""
    for side in Side:
        slip = slips[side]
        if slip:
            sitting.tell(side, slip)
