"""Passes orders to the umpire, from a page or a program, and waits a moment for the answer."""

from __future__ import annotations

from collections.abc import Callable

from flask import current_app

from corr.service.games import page
from corr.service.games.page import AtTable, PageText
from corr.web.browser_session import house, knock
from corr.worker_wakeup import Work


def hand_in(find_seat: Callable[[], AtTable | None], written: PageText) -> AtTable | None:
    """Store orders for the umpire, one request after another, and wait a moment.

    Returns the seat, or None if the writer has no such seat. Raises Refused if they may not write.
    """
    with current_app.extensions["hatch"].turn():
        seat = find_seat()
        if seat is None:
            return None
        known = page.write(house(), seat.seat_id, written, house().now())
    knock(Work.LETTERS)
    current_app.extensions["patience"].wait(known)
    return seat
