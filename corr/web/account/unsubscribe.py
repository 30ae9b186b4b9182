"""The page that the head of a letter names, for mail programs: looking at it does nothing, pressing stops letters.

A mail program presses for its reader by the same form (RFC 8058): it has no cookie, and follows no other address.
Whoever has the letter may press; nothing on the page tells whose it is.
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
    """What would be stopped, and what not."""
    try:
        kind = unsubscribe.look_at(house(), mark)
    except Refused as refusal:
        abort(404, str(refusal))
    return show("web/stop.html", kind=kind.name, mark=mark, done=False)


@pages.post("/<mark>")
def stop(mark: str) -> Answer:
    """Stop the letters."""
    if request.form.get(_FIELD) != _PRESSED:
        abort(400)
    try:
        kind = unsubscribe.stop_by_page(house(), mark, house().now())
    except Refused as refusal:
        abort(404, str(refusal))
    knock(Work.LETTERS)
    return show("web/stop.html", kind=kind.name, mark=mark, done=True)
