"""Manages a player's feeds and webhooks, and serves the feeds at their secret addresses."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, abort, request

from corr import limits
from corr.calls import feeds
from corr.calls.payloads import WRITTEN
from corr.service.games import open_turns
from corr.service.players import notifications
from corr.service.players.authentication import Visitor
from corr.web.account.changes import change
from corr.web.browser_session import Answer, back, guard, house, limit, page, say, visitor
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("ways", __name__)
pages.before_request(guard)

_HERE = "ways.mine"
_FEEDS = {
    notifications.CALENDAR: ("games.ics", "text/calendar; charset=utf-8", feeds.calendar),
    notifications.ATOM: ("games.atom", "application/atom+xml; charset=utf-8", feeds.atom),
}
_BY_FILE = {file: (kind, form, written) for kind, (file, form, written) in _FEEDS.items()}


@pages.get("/settings/calls/")
def mine() -> Answer:
    """Show which feeds and webhooks are on."""
    found = visitor()
    if found is None:
        return back("signing.sign_in")
    try:
        seen = notifications.of_player(house(), found)
    except Refused as refusal:
        say(refusal)
        return back("lobby.lobby_page")
    addresses = {kind: _address(kind, key) for kind, key in seen.feeds.items()}
    return page("web/ways.html", seen=seen, addresses=addresses, written=tuple(WRITTEN))


@pages.post("/settings/calls/feed")
def feed() -> Answer:
    """Switch a feed on at a new address, or off."""
    kind, is_on = request.form.get("kind", ""), request.form.get("switch") == "on"
    if is_on:
        return _do(lambda who: notifications.switch_on(house(), who, kind, house().now()))
    return _do(lambda who: notifications.switch_off(house(), who, kind))


@pages.post("/settings/calls/add")
def add() -> Answer:
    """Add a webhook."""
    url, written = request.form.get("url", ""), request.form.get("written", "")
    return _do(lambda who: notifications.add(house(), who, url, written, house().now()))


@pages.post("/settings/calls/remove")
def remove() -> Answer:
    """Remove a webhook."""
    return _do(lambda who: notifications.remove(house(), who, _number()))


@pages.post("/settings/calls/test")
def test() -> Answer:
    """Call a webhook at once, to see whether anything answers."""
    limit("tests of calls", limits.TESTS_AN_HOUR)
    return _do(lambda who: notifications.test(house(), who, _number(), house().now()))


@pages.get("/told/<key>/<file>")
def told(key: str, file: str) -> Answer:
    """Serve a feed to anybody who knows its address."""
    kind, form, written = _BY_FILE.get(file) or abort(404)
    limit("feed", limits.FEEDS_AN_HOUR)
    now = house().now()
    with house().store.reading() as connection:
        player = notifications.reader(connection, key, kind)
        if player is None:
            abort(404)
        turns = open_turns.of_player(connection, house(), player)
    return Response(written(turns, f"{house().web_url}/games/", now), content_type=form)


def _address(kind: str, key: str) -> str:
    return f"{house().web_url}/told/{key}/{_FEEDS[kind][0]}"


def _number() -> int:
    text = request.form.get("way", "")
    return int(text) if text.isdecimal() and len(text) < limits.DIGITS_OF_A_NUMBER else 0


def _do(deed: Callable[[Visitor], str]) -> Answer:
    return change(deed, _HERE, Work.CALLS)
