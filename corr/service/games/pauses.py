"""Handles pauses that both sides agree to: request, agreement, refusal and end."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import select

from corr import limits
from corr.game import pause
from corr.game.pause import NO_PAUSE, Pause
from corr.game.state import Written
from corr.service.games import deadlines, standing_orders
from corr.service.games.answer_items import Item
from corr.service.games.game_session import Entry, Sitting
from corr.store.leases import NOW
from corr.store.tables import Game
from corr.words.board import Side
from corr.words.orders import Word
from corr.words.slips import Fact, Verdict


def ask(sitting: Sitting, written: Written, order: Word) -> Item:
    """Ask for a pause, which begins once both have asked; a bot always agrees."""
    side, state = written.side, sitting.state
    if state.pause.asked is side.other or sitting.chairs[side.other].is_house:
        return _said(sitting, written, order, agree(sitting, side))
    sitting.state = replace(state, pause=Pause(side))
    return _said(sitting, written, order, _tell(sitting, side, pause.asked(side)))


def agree(sitting: Sitting, side: Side) -> str:
    """Stop the clock, and return what the agreeing side is told."""
    deadlines.reckon(sitting)
    paused = sitting.state.pause_time(sitting.now)
    sitting.state = replace(paused, pause=Pause(until=sitting.now + limits.PAUSE))
    return _tell(sitting, side, pause.AGREED)


def decline(sitting: Sitting, side: Side) -> str:
    """Turn down the request for a pause; return what the declining side is told."""
    sitting.state = replace(sitting.state, pause=NO_PAUSE)
    return _tell(sitting, side, pause.declined(side))


def resume(sitting: Sitting, written: Written, order: Word) -> Item:
    """End an agreed pause on a side's order."""
    _go_on(sitting)
    return _said(sitting, written, order, _tell(sitting, written.side, pause.ended(written.side)))


def end_due(sitting: Sitting) -> bool:
    """End a pause whose time is over; return whether there was one."""
    until = sitting.state.pause.until
    if until is None or until > sitting.now:
        return False
    _go_on(sitting)
    for side in Side:
        sitting.tell(side, sitting.say(side, (pause.ENDED,)))
    return True


def _go_on(sitting: Sitting) -> None:
    deadlines.reckon(sitting)
    standing_orders.go_on(sitting)
    sitting.state = replace(sitting.state.resume(sitting.now), pause=NO_PAUSE)


def _tell(sitting: Sitting, side: Side, fact: Fact) -> str:
    """Tell both sides a fact, the opponent by email; return what the side was told."""
    own = sitting.say(side, (fact,))
    sitting.add(side, own)
    sitting.tell(side.other, sitting.say(side.other, (fact,)))
    return own.spoken


def _said(sitting: Sitting, written: Written, order: Word, said: str) -> Item:
    sitting.log(written.side, written.inbox_id, Entry(str(order), Verdict.TOLD, said, sitting.state.ply))
    return Item(str(order), "set", said)


#: Games with a pause that is over.
DUE = select(Game.id).where(Game.paused_until <= NOW).order_by(Game.paused_until)
