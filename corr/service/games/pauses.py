"""Handles pauses that both sides agree to: request, agreement, refusal and end; the longest is in `corr/limits.py`."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import select

from corr import limits
from corr.game import resign_and_draw
from corr.game.order_obstacles import OrderBatch
from corr.game.resign_and_draw import NO_PAUSE, Pause
from corr.service.games import clock_start, standing_orders
from corr.service.games.game_changes import LogEntry
from corr.service.games.game_session import GameSession
from corr.service.games.page_orders import AnswerItem
from corr.store.locks import NOW
from corr.store.tables import GameRow
from corr.words.board import Side
from corr.words.orders import Command
from corr.words.slips import Fact, Verdict


def ask(session: GameSession, batch: OrderBatch, order: Command) -> AnswerItem:
    """Ask for a pause, which begins once both have asked; a bot always agrees."""
    side, state = batch.side, session.state
    if state.pause.asked is side.other or session.seat_states[side.other].is_house_bot:
        return _log_and_answer(session, batch, order, _agree(session, side))
    said = _tell_both(session, side, resign_and_draw.pause_requested_fact(side))
    session.state = session.state.ask_for_pause(side, session.seat_states[side.other].slips)
    return _log_and_answer(session, batch, order, said)


def _agree(session: GameSession, side: Side) -> str:
    """Begin the agreed pause by stopping the clock; return what the agreeing side is told."""
    clock_start.account_for_time(session)
    paused = session.state.stop_clock(session.now)
    session.state = replace(paused, pause=Pause(until=session.now + limits.LONGEST_PAUSE))
    return _tell_both(session, side, resign_and_draw.PAUSE_AGREED)


def answer(session: GameSession, batch: OrderBatch, order: Command) -> AnswerItem:
    """Agree to the opponent's request for a pause, or decline it."""
    side = batch.side
    if order.word == "accept":
        return _log_and_answer(session, batch, order, _agree(session, side))
    session.state = replace(session.state, pause=NO_PAUSE)
    return _log_and_answer(
        session, batch, order, _tell_both(session, side, resign_and_draw.pause_declined_fact(side))
    )


def resume(session: GameSession, batch: OrderBatch, order: Command) -> AnswerItem:
    """End an agreed pause on a side's order."""
    _resume_clock(session)
    return _log_and_answer(
        session,
        batch,
        order,
        _tell_both(session, batch.side, resign_and_draw.pause_ended_fact(batch.side)),
    )


def end_due(session: GameSession) -> bool:
    """End a pause whose time is over; return whether there was one."""
    until = session.state.pause.until
    if until is None or until > session.now:
        return False
    _resume_clock(session)
    for side in Side:
        session.add_news(side, session.say(side, (resign_and_draw.PAUSE_ENDED,)))
    return True


def _resume_clock(session: GameSession) -> None:
    """End the pause: the clock and delayed orders run on."""
    clock_start.account_for_time(session)
    standing_orders.resume_delayed(session)
    session.state = replace(session.state.resume(session.now), pause=NO_PAUSE)


def _tell_both(session: GameSession, side: Side, fact: Fact) -> str:
    """Tell both sides a fact, the opponent by email; return what the side was told."""
    own = session.say(side, (fact,))
    session.add_step(side, own)
    session.add_news(side.other, session.say(side.other, (fact,)))
    return own.spoken


def _log_and_answer(session: GameSession, batch: OrderBatch, order: Command, said: str) -> AnswerItem:
    """Log an order about a pause, and return its answer with the umpire's words."""
    session.log(batch.side, batch.inbox_id, LogEntry(str(order), Verdict.TOLD, said, session.state.ply))
    return AnswerItem(str(order), "set", said)


#: Games with a pause that is over.
DUE_QUERY = select(GameRow.id).where(GameRow.paused_until <= NOW).order_by(GameRow.paused_until)
