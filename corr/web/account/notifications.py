"""Manages a player's feeds and webhooks, and serves the feeds at their secret addresses."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, abort, request

from corr import limits
from corr.notifications import calendar_and_feeds
from corr.notifications.calendar_and_feeds import WRITERS
from corr.service.games import open_turns
from corr.service.players import notifications
from corr.service.players.authentication import Visitor
from corr.web.account.forms import change_form, player_page
from corr.web.browser_session import PageResponse, check_form, current_server, limit, render_page
from corr.worker_wakeup import Work

pages = Blueprint("ways", __name__)
pages.before_request(check_form)

_form = partial(change_form, pages, "ways.mine", Work.CALLS)
_FEEDS = {
    notifications.CALENDAR: ("games.ics", "text/calendar; charset=utf-8", calendar_and_feeds.write_calendar),
    notifications.ATOM: ("games.atom", "application/atom+xml; charset=utf-8", calendar_and_feeds.write_atom),
}
_FEEDS_BY_FILE = {file: (kind, form, written) for kind, (file, form, written) in _FEEDS.items()}


@pages.get("/settings/calls/")
@player_page
def mine(visitor: Visitor) -> PageResponse:
    """Show which feeds and webhooks are on."""
    seen = notifications.load_ways(current_server(), visitor)
    addresses = {kind: _address(kind, key) for kind, key in seen.feeds.items()}
    return render_page("web/notifications.html", seen=seen, addresses=addresses, written=tuple(WRITERS))


@_form("/settings/calls/feed")
def feed(who: Visitor) -> str:
    """Switch a feed on at a new address, or off; return a message for the page."""
    kind = request.form.get("kind", "")
    if request.form.get("switch") == "on":
        return notifications.switch_on(current_server(), who, kind, current_server().now())
    return notifications.switch_off(current_server(), who, kind)


@_form("/settings/calls/add")
def add(who: Visitor) -> str:
    """Add the webhook in the form; return a message for the page."""
    url, written = request.form.get("url", ""), request.form.get("written", "")
    return notifications.add(current_server(), who, url, written, current_server().now())


@_form("/settings/calls/remove")
def remove(who: Visitor) -> str:
    """Remove the webhook that the form names; return a message for the page."""
    return notifications.remove(current_server(), who, _number())


@_form("/settings/calls/test")
def test(who: Visitor) -> str:
    """Call a webhook at once, to see whether it answers; return a message for the page."""
    limit("tests of calls", limits.TESTS_AN_HOUR)
    return notifications.test(current_server(), who, _number(), current_server().now())


@pages.get("/told/<key>/<file>")
def serve_feed(key: str, file: str) -> PageResponse:
    """Serve a feed to anybody who knows its address."""
    kind, form, written = _FEEDS_BY_FILE.get(file) or abort(404)
    limit("feed", limits.FEEDS_AN_HOUR)
    now = current_server().now()
    with current_server().store.reading() as connection:
        player = notifications.find_reader(connection, key, kind)
        if player is None:
            abort(404)
        turns = open_turns.list_open_turns(connection, current_server(), player)
    return Response(written(turns, f"{current_server().web_url}/games/", now), content_type=form)


def _address(kind: str, key: str) -> str:
    """Return the secret address of a feed."""
    return f"{current_server().web_url}/told/{key}/{_FEEDS[kind][0]}"


def _number() -> int:
    """Return the number of the webhook that the form names; 0 without one."""
    text = request.form.get("way", "")
    return int(text) if text.isdecimal() and len(text) < limits.DIGITS_OF_A_NUMBER else 0
