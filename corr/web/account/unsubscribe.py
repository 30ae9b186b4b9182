"""Stops emails from the page that their headers name: a visit does nothing, a click stops them.

A mail program posts the same form for its reader (RFC 8058): it has no cookie, and follows no redirect. Anybody who
has the email may click; nothing on the page tells whose it is.
"""

from __future__ import annotations

from flask import Blueprint, abort, request

from corr.service.players import unsubscribe
from corr.web.browser_session import Answer, house, knock, show
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("stopping", __name__, url_prefix="/stop")

_FIELD, _PRESSED = "List-Unsubscribe", "One-Click"


@pages.get("/<mark>")
def stop_page(mark: str) -> Answer:
    """Show what a click would stop, and what it would not."""
    try:
        kind = unsubscribe.look_at(house(), mark)
    except Refused as refusal:
        abort(404, str(refusal))
    return show("web/stop.html", kind=kind.name, mark=mark, done=False)


@pages.post("/<mark>")
def stop(mark: str) -> Answer:
    """Stop the emails."""
    if request.form.get(_FIELD) != _PRESSED:
        abort(400)
    try:
        kind = unsubscribe.stop_by_page(house(), mark, house().now())
    except Refused as refusal:
        abort(404, str(refusal))
    knock(Work.LETTERS)
    return show("web/stop.html", kind=kind.name, mark=mark, done=True)
