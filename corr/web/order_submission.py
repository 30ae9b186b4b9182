"""Passes orders to the umpire, from a page or a program, and waits a moment for the answer."""

from __future__ import annotations

from collections.abc import Callable

from flask import current_app

from corr.service.games.answers import PageText, queue_text
from corr.service.games.page import GamePlayer
from corr.web.browser_session import current_server, wake_worker
from corr.worker_wakeup import Work


def submit_orders(find_seat: Callable[[], GamePlayer | None], written: PageText) -> GamePlayer | None:
    """Store orders for the umpire, one request after another, and wait a moment.

    Returns the seat, or None if the writer has no such seat. Raises Refused if they may not write.
    """
    with current_app.extensions["hatch"].turn():
        seat = find_seat()
        if seat is None:
            return None
        known = queue_text(current_server(), seat.seat_id, written, current_server().now())
    wake_worker(Work.LETTERS)
    current_app.extensions["patience"].wait(known)
    return seat
