"""Sends a player on vacation instead of losing on time, if they chose that, and tells both sides."""

from __future__ import annotations

from dataclasses import replace

from corr.service.games.game_session import Sitting
from corr.service.games.seats import seat_by_id
from corr.service.players import hours, time_preferences
from corr.words.board import Side
from corr.words.view import Stage


def go(sitting: Sitting, side: Side) -> bool:
    """Send a side on vacation if it wishes and has days left; return success."""
    state = sitting.state
    is_wished = state.habits[side].goes_on_leave and state.stage is Stage.RUNNING
    if not is_wished or state.clock.steady or state.clock.is_live:
        return False
    player = seat_by_id(sitting.connection, sitting.chairs[side].id).player_id
    sitting.keep_state()
    gone = time_preferences.leave_at_once(sitting.connection, player, sitting.now)
    if gone is None:
        return False
    habits = state.habits.but(side, hours.habits_of(gone))
    sitting.state = replace(state, habits=habits).go_on_leave(sitting.now)
    for each in Side:
        sitting.write(each, "leave")
    return True
