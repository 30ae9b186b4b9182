"""How what is written goes to the umpire, from a page or from a program, and how long its answer is waited for."""

from __future__ import annotations

from collections.abc import Callable

from flask import current_app

from corr.service.games import page
from corr.service.games.page import AtTable, PageText
from corr.web.browser_session import house, knock
from corr.worker_wakeup import Work


def hand_in(find_seat: Callable[[], AtTable | None], written: PageText) -> AtTable | None:
    """Leave something for the umpire, one after another, and wait a moment for the answer; where it was written.

    None where whoever writes has no such seat; Refused where it may not be written.
    """
    with current_app.extensions["hatch"].turn():
        seat = find_seat()
        if seat is None:
            return None
        known = page.write(house(), seat.seat_id, written, house().now())
    knock(Work.LETTERS)
    current_app.extensions["patience"].wait(known)
    return seat
