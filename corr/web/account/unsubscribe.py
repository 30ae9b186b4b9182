"""Stops emails of one kind, by a click on the page that their headers name; a visit does nothing.

Mail programs post the same form without a cookie (RFC 8058), and anybody who has the email may click.
"""

from __future__ import annotations

from flask import Blueprint, abort, request

from corr.service.players import mail_preferences
from corr.web.browser_session import PageResponse, current_server, render_public, wake_worker
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("stopping", __name__, url_prefix="/stop")

_FIELD, _ONE_CLICK_VALUE = "List-Unsubscribe", "One-Click"


@pages.get("/<mark>")
def stop_page(mark: str) -> PageResponse:
    """Show what a click would stop, and what it would not."""
    try:
        kind = mail_preferences.read_link(current_server(), mark)
    except Refused as refusal:
        abort(404, str(refusal))
    return render_public("web/unsubscribe.html", kind=kind.name, mark=mark, done=False)


@pages.post("/<mark>")
def stop(mark: str) -> PageResponse:
    """Stop the emails of the kind that the link names."""
    if request.form.get(_FIELD) != _ONE_CLICK_VALUE:
        abort(400)
    try:
        kind = mail_preferences.unsubscribe_by_page(current_server(), mark, current_server().now())
    except Refused as refusal:
        abort(404, str(refusal))
    wake_worker(Work.LETTERS)
    return render_public("web/unsubscribe.html", kind=kind.name, mark=mark, done=True)
