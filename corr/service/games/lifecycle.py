"""Begins games, and ends those that a side loses on time, abandons or leaves."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from corr.service.games import log
from corr.service.games.game_session import GameSession, open_session
from corr.service.games.pairing import NewGame, Pairing, create_game
from corr.service.games.umpire_access import Judgement
from corr.words.board import Pair, Side
from corr.words.slips import Slip


def flag(session: GameSession, side: Side) -> None:
    """End a game on time, without a result if it hardly began, and tell both."""
    tell_both(session, end(session, out_of_time(session, side)))


def out_of_time(session: GameSession, side: Side) -> Judgement:
    """Return the umpire's judgement on a side that has run out of time."""
    rule = session.umpire.abandon if session.state.has_hardly_begun else session.umpire.flag
    return rule(side)


def abandon(session: GameSession, side: Side) -> None:
    """End a game without a result because a side abandoned it, and tell both."""
    tell_both(session, end(session, session.umpire.abandon(side)))


def leave(session: GameSession, side: Side) -> None:
    """End a game that a side loses by leaving its event, and tell both."""
    tell_both(session, end(session, session.umpire.leave(side)))


def end(session: GameSession, judgement: Judgement) -> Pair[Slip | None]:
    """End a game as judged, and return what both sides are to be told."""
    assert judgement.outcome is not None
    session.mark_turn()
    session.state = session.state.end(judgement.outcome, session.now)
    return judgement.slips


def start(connection: Connection, pairing: Pairing, now: datetime) -> NewGame:
    """Create and begin a game that both players have accepted already."""
    game = create_game(connection, pairing, accepted=True)
    session = open_session(connection, game.id, now)
    begin(session)
    session.close()
    return game


def begin(session: GameSession) -> None:
    """Set up an accepted game: start White's clock, or ask both sides to deploy."""
    log.copy_settings(session.connection, session.game_id)
    judgement = session.umpire.begin()
    state, now = session.state, session.now
    session.state = state.play(judgement.turn, now) if judgement.turn else state.deploy(now)
    tell_both(session, judgement.slips)


def tell_both(session: GameSession, slips: Pair[Slip | None]) -> None:
    for side in Side:
        slip = slips[side]
        if slip:
            session.tell(side, slip)
