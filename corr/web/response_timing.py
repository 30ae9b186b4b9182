"""Delays page responses to the fixed moments of `corr/service/answer_timing.py`."""

from __future__ import annotations

import time

from flask import Response, g

from corr.service.answer_timing import PAGES
from corr.web.browser_session import is_local


def start_timing() -> None:
    """Remember when the request began."""
    g.begun = time.monotonic()


def delay_response(response: Response) -> Response:
    """Wait until the response may leave.

    Programs on this machine see by other means how busy it is.
    """
    if not is_local():
        time.sleep(PAGES.rest(time.monotonic() - g.begun))
    return response
