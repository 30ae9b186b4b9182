"""How what is written goes to the umpire, from a page or from a program, and how long its answer is waited for."""

from __future__ import annotations

from collections.abc import Callable

from flask import current_app

from corr.desk.table import page
from corr.desk.table.page import AtTable, PageText
from corr.knock import Work
from corr.web.visit import house, knock


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
