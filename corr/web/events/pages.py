"""Serves the pages of events: the list, each one's standing, and forms to enter, leave and challenge."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, abort, request, session

from corr import limits
from corr.service import catalogue
from corr.service.events import commands, listing, page
from corr.service.events.events import Event, EventKind
from corr.service.events.page import EventForm, EventPage
from corr.service.lobby import terms
from corr.service.players.authentication import Visitor
from corr.web import browser_session
from corr.web.browser_session import (
    PageResponse,
    check_form,
    current_server,
    current_visitor,
    explain_refusal,
    limit,
    redirect_to,
    set_message,
    wake_worker,
)
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("events", __name__, url_prefix="/events")
pages.before_request(check_form)

_UNSUITED_CLOCKS = ("none", "live")


@pages.get("/")
def overview() -> PageResponse:
    """List the events, and the ones that a player may enter."""
    found, number = current_visitor(), _page()
    player_id = found.who.player_id if found else None
    seen = listing.lists(current_server(), player_id, number)
    if number > 1 and not seen.ended:
        abort(404)
    return browser_session.render_page(
        "web/events.html",
        seen=seen,
        player_id=player_id,
        cards=catalogue.cards(),
        clocks=[each for each in terms.list_clocks() if each[0] not in _UNSUITED_CLOCKS],
        sizes=range(limits.SMALLEST_SECTION, limits.LARGEST_SECTION + 1),
        number=number,
    )


def _page() -> int:
    asked = request.args.get("page", "1")
    return max(1, int(asked)) if asked.isdecimal() and 0 < len(asked) <= limits.DIGITS_OF_A_NUMBER // 2 else 1


@pages.get("/<place>")
def event(place: str) -> PageResponse:
    """Show how an event stands; a later sign-in leads back here."""
    seen = _find_event(place)
    if current_visitor() is None:
        session["goal"] = f"event {place}"
    return browser_session.render_page("web/event.html", seen=seen, event=seen.event, place=place)


@pages.get("/<place>/crosstable.txt")
def crosstable(place: str) -> Response:
    """Serve the crosstable as a text file."""
    return _file(place, lambda: page.write_text(current_server(), current_visitor(), place), "crosstable.txt")


@pages.get("/<place>/report.trf")
def report(place: str) -> Response:
    """Serve the event as FIDE's tournament file."""
    return _file(place, lambda: page.write_report(current_server(), current_visitor(), place), "report.trf")


def _file(place: str, written: Callable[[], str], name: str) -> Response:
    try:
        file = Response(written(), content_type="text/plain; charset=utf-8")
    except Refused as refusal:
        abort(404, str(refusal))
    called = place if len(place) < len("a secret") else "private"
    file.headers["Content-Disposition"] = f'attachment; filename="{called}-{name}"'
    return file


@pages.post("/enter")
def enter_usual() -> PageResponse:
    """Enter the section of a variant that is filling now, or its pyramid."""
    variant, kind = request.form.get("variant", ""), _kind()
    return _make(
        lambda who: page.enter_site_event(
            current_server(), who, variant, kind, current_server().now(), fills=_allows_bots()
        ),
    )


@pages.post("/private")
def make_private() -> PageResponse:
    """Make a private section, and show its link."""
    form = request.form
    wish = EventForm(
        form.get("variant", ""), form.get("clock", ""), form.get("size", ""), form.get("weight") == "rated"
    )
    return _make(lambda who: page.make_private(current_server(), who, wish, current_server().now()))


def _make(deed: Callable[[Visitor], Event]) -> PageResponse:
    """Bring the visitor into an event, and show it."""
    found = current_visitor()
    if found is None:
        return redirect_to("signing.sign_in")
    limit("events", limits.EVENT_FORMS_AN_HOUR)
    try:
        made = deed(found)
    except Refused as refusal:
        explain_refusal(refusal)
        return redirect_to("events.overview")
    set_message(commands.word_entry(made))
    wake_worker(Work.LETTERS)
    return redirect_to("events.event", place=made.place)


@pages.post("/<place>/enter")
def enter(place: str) -> PageResponse:
    """Enter an event, or change whether bots may fill it."""
    return _run_action(
        lambda who: page.enter(current_server(), who, place, current_server().now(), fills=_allows_bots()),
        "events.event",
        place=place,
    )


@pages.post("/<place>/withdraw")
def withdraw(place: str) -> PageResponse:
    """Leave an event."""
    return _run_action(
        lambda who: page.withdraw(current_server(), who, place, current_server().now()),
        "events.event",
        place=place,
    )


@pages.post("/<place>/challenge")
def challenge(place: str) -> PageResponse:
    """Challenge a player in a pyramid."""
    number = request.form.get("number", "")
    return _run_action(
        lambda who: page.challenge(current_server(), who, place, number), "events.event", place=place
    )


def _run_action(deed: Callable[[Visitor], str], shows: str, **values: str) -> PageResponse:
    """Do something for the visitor, and show the result on a page."""
    found = current_visitor()
    if found is None:
        return redirect_to("signing.sign_in")
    limit("events", limits.EVENT_FORMS_AN_HOUR)
    try:
        set_message(deed(found))
    except Refused as refusal:
        explain_refusal(refusal)
    wake_worker(Work.LETTERS)
    return redirect_to(shows, **values)


def _kind() -> EventKind:
    try:
        return EventKind(request.form.get("kind", ""))
    except ValueError:
        abort(400)


def _allows_bots() -> bool:
    return request.form.get("fills") == "yes"


def _find_event(place: str) -> EventPage:
    try:
        return page.load_page(current_server(), current_visitor(), place)
    except Refused as refusal:
        abort(404, str(refusal))
