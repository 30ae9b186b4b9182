"""Sends a player on vacation instead of losing on time, if they chose that, and tells both sides."""

from __future__ import annotations

from dataclasses import replace

from corr.service.games.game_session import GameSession
from corr.service.players import hours, setting_orders
from corr.words.board import Side
from corr.words.view import Stage


def start_vacation(session: GameSession, side: Side) -> bool:
    """Send a side on vacation if it wishes and has days left; return success."""
    state = session.state
    is_wished = state.habits[side].goes_on_leave and state.stage is Stage.RUNNING
    if not is_wished or state.clock.steady or state.clock.is_live:
        return False
    session.keep_state()
    gone = setting_orders.start_vacation(session.connection, session.seat_states[side].player_id, session.now)
    if gone is None:
        return False
    habits = state.habits.with_value(side, hours.parse_habits(gone))
    session.state = replace(state, habits=habits).start_leave(session.now)
    for each in Side:
        session.write(each, "leave")
    return True
