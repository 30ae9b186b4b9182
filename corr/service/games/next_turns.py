"""Plays turns by standing orders, one side answering the other until one side has none."""

from __future__ import annotations

from dataclasses import asdict
from typing import NamedTuple

from sqlalchemy import bindparam, select

from corr.game.standing_orders import Standing, chosen
from corr.service.games import pending_emails, rulings, standing_orders
from corr.service.games.game_session import Sitting
from corr.service.games.seals import Came
from corr.store.leases import NOW
from corr.store.rows import rows_of
from corr.store.slips import unpack
from corr.store.tables import Game, SeatRow, SlipRow
from corr.words.board import Side
from corr.words.orders import Origin, Tries
from corr.words.slips import Slip
from corr.words.view import Stage


def play_on(sitting: Sitting) -> None:
    """Try the mover's standing orders, or schedule them, turn after turn until there are none."""
    while (side := sitting.state.turn) and (orders := _new(sitting, side)):
        told = sitting.hear(side)
        assert told
        _play(sitting, side, orders, told)


def play_due(sitting: Sitting) -> bool:
    """Try standing orders that are due, unless their owner's email is unread; return success."""
    side = sitting.state.turn
    kept = sitting.chairs[side].standing if side and not sitting.state.paused else None
    if side is None or kept is None or kept.due_at is None or kept.due_at > sitting.now:
        return False
    if pending_emails.has_any_in_time(sitting):
        return False
    orders = kept.orders
    if orders is None:
        _end_unread(sitting, side, kept)
        return True
    tries = chosen(orders, _told(sitting, side))
    assert tries
    _try(sitting, side, kept, tries, "")
    play_on(sitting)
    return True


def _new(sitting: Sitting, side: Side) -> Standing | None:
    """Return a side's orders for the turn that has just become its own."""
    kept = sitting.chairs[side].standing
    is_new = kept and kept.due_at is None and sitting.state.stage is Stage.RUNNING
    return kept if is_new else None


def _play(sitting: Sitting, side: Side, kept: Standing, told: Slip) -> None:
    orders = kept.orders
    if orders is None:
        _end_unread(sitting, side, kept)
        return
    tries = chosen(orders, told)
    if tries is None:
        sitting.chairs[side].standing = None
        sitting.write(side, "turn", unmet=kept.text)
    elif kept.delay or pending_emails.has_any(sitting, side):
        standing_orders.put_off(sitting, side)
    else:
        _try(sitting, side, kept, tries, told.spoken)


def _end_unread(sitting: Sitting, side: Side, kept: Standing) -> None:
    """Drop orders from an older release that this one cannot read, and tell their owner."""
    sitting.chairs[side].standing = None
    sitting.write(side, "turn", unread=kept.text)


def _try(sitting: Sitting, side: Side, kept: Standing, tries: Tries, heard: str) -> None:
    """Try standing orders and email their owner the result.

    If they had waited, their owner knew of the turn already, so the email goes to the owner about the result
    alone.
    """
    sitting.chairs[side].standing = None
    came = Came(kept.due_at or sitting.now, sitting.now)
    item = rulings.put_to_umpire(sitting, rulings.By(side, kept.inbox_id, came, Origin.STANDING), tries)
    kind = "tried" if kept.due_at else "turn"
    sitting.write(side, kind, played=kept.text, heard=heard, items=[asdict(item)])


# ---------------------------------------------------------------- orders that wait

_IS_DUE = SeatRow.standing_due <= NOW
_MAY_PLAY = (SeatRow.side == Game.turn) & Game.paused_at.is_(None)
#: Games with standing orders that have waited long enough.
DUE = (
    select(SeatRow.game_id)
    .join(Game, Game.id == SeatRow.game_id)
    .where(_IS_DUE, _MAY_PLAY, ~pending_emails.OWN_IN_TIME)
    .order_by(SeatRow.standing_due)
)
_OF_THIS_TURN = (
    select(SlipRow.facts, SlipRow.sight)
    .where(SlipRow.seat_id == bindparam("seat"), SlipRow.ply == bindparam("ply_"))
    .order_by(SlipRow.number, SlipRow.step)
)


class _Handed(NamedTuple):
    facts: bytes
    sight: bytes


def _told(sitting: Sitting, side: Side) -> Slip:
    """Return the slip about the move that began a side's turn."""
    asked = {"seat": sitting.chairs[side].id, "ply_": sitting.state.ply}
    handed = rows_of(_Handed, sitting.connection.execute(_OF_THIS_TURN, asked))
    slips = (unpack(side, each.facts, each.sight) for each in handed)
    return next(slip for slip in slips if slip.made)
