"""Serves the pages of events: the list, each one's standing, and forms to enter, leave and challenge."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, abort, request, session

from corr import limits
from corr.service import catalogue
from corr.service.events import commands, listing, page
from corr.service.events.events import Event, Kind
from corr.service.events.page import Seen, Wish
from corr.service.lobby import terms
from corr.service.players.authentication import Visitor
from corr.web import browser_session
from corr.web.browser_session import Answer, back, guard, house, knock, limit, refuse, say, visitor
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("events", __name__, url_prefix="/events")
pages.before_request(guard)

_UNSUITED = ("none", "live")


@pages.get("/")
def overview() -> Answer:
    """List the events, and the ones that a player may enter."""
    found, number = visitor(), _page()
    player_id = found.who.player_id if found else None
    seen = listing.lists(house(), player_id, number)
    if number > 1 and not seen.ended:
        abort(404)
    return browser_session.page(
        "web/events.html",
        seen=seen,
        player_id=player_id,
        cards=catalogue.cards(),
        clocks=[each for each in terms.choices() if each[0] not in _UNSUITED],
        sizes=range(limits.SMALLEST_SECTION, limits.LARGEST_SECTION + 1),
        number=number,
    )


def _page() -> int:
    asked = request.args.get("page", "1")
    return max(1, int(asked)) if asked.isdecimal() and 0 < len(asked) <= limits.DIGITS_OF_A_NUMBER // 2 else 1


@pages.get("/<place>")
def event(place: str) -> Answer:
    """Show how an event stands; a later sign-in leads back here."""
    seen = _seen(place)
    if visitor() is None:
        session["goal"] = f"event {place}"
    return browser_session.page("web/event.html", seen=seen, event=seen.event, place=place)


@pages.get("/<place>/crosstable.txt")
def crosstable(place: str) -> Response:
    """Serve the crosstable as a text file."""
    return _file(place, lambda: page.text(house(), visitor(), place), "crosstable.txt")


@pages.get("/<place>/report.trf")
def report(place: str) -> Response:
    """Serve the event as FIDE's tournament file."""
    return _file(place, lambda: page.report(house(), visitor(), place), "report.trf")


def _file(place: str, written: Callable[[], str], name: str) -> Response:
    try:
        file = Response(written(), content_type="text/plain; charset=utf-8")
    except Refused as refusal:
        abort(404, str(refusal))
    called = place if len(place) < len("a secret") else "private"
    file.headers["Content-Disposition"] = f'attachment; filename="{called}-{name}"'
    return file


@pages.post("/enter")
def enter_usual() -> Answer:
    """Enter the section of a variant that is filling now, or its pyramid."""
    variant, kind = request.form.get("variant", ""), _kind()
    return _make(
        lambda who: page.enter_usual(house(), who, variant, kind, house().now(), fills=_fills()),
    )


@pages.post("/private")
def make_private() -> Answer:
    """Make a private section, and show its link."""
    form = request.form
    wish = Wish(
        form.get("variant", ""), form.get("clock", ""), form.get("size", ""), form.get("weight") == "rated"
    )
    return _make(lambda who: page.make_private(house(), who, wish, house().now()))


def _make(deed: Callable[[Visitor], Event]) -> Answer:
    """Bring the visitor into an event, and show it."""
    found = visitor()
    if found is None:
        return back("signing.sign_in")
    limit("events", limits.EVENT_FORMS_AN_HOUR)
    try:
        made = deed(found)
    except Refused as refusal:
        refuse(refusal)
        return back("events.overview")
    say(commands.said(made))
    knock(Work.LETTERS)
    return back("events.event", place=made.place)


@pages.post("/<place>/enter")
def enter(place: str) -> Answer:
    """Enter an event, or change whether bots may fill it."""
    return _do(
        lambda who: page.enter(house(), who, place, house().now(), fills=_fills()),
        "events.event",
        place=place,
    )


@pages.post("/<place>/withdraw")
def withdraw(place: str) -> Answer:
    """Leave an event."""
    return _do(lambda who: page.withdraw(house(), who, place, house().now()), "events.event", place=place)


@pages.post("/<place>/challenge")
def challenge(place: str) -> Answer:
    """Challenge a player in a pyramid."""
    number = request.form.get("number", "")
    return _do(lambda who: page.challenge(house(), who, place, number), "events.event", place=place)


def _do(deed: Callable[[Visitor], str], shows: str, **values: str) -> Answer:
    """Do something for the visitor, and show the result on a page."""
    found = visitor()
    if found is None:
        return back("signing.sign_in")
    limit("events", limits.EVENT_FORMS_AN_HOUR)
    try:
        say(deed(found))
    except Refused as refusal:
        refuse(refusal)
    knock(Work.LETTERS)
    return back(shows, **values)


def _kind() -> Kind:
    try:
        return Kind(request.form.get("kind", ""))
    except ValueError:
        abort(400)


def _fills() -> bool:
    return request.form.get("fills") == "yes"


def _seen(place: str) -> Seen:
    try:
        return page.see(house(), visitor(), place)
    except Refused as refusal:
        abort(404, str(refusal))
