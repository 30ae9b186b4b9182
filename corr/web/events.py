"""Serves the pages of events: the list, each one's standings, and forms to enter, leave and challenge."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, abort, request, session

from corr import limits
from corr.service import catalogue
from corr.service.events import commands, listing, page
from corr.service.events.events import Event, EventKind
from corr.service.events.page import EventForm
from corr.service.lobby import terms
from corr.service.players.authentication import Visitor
from corr.service.server import Server
from corr.web import browser_session
from corr.web.browser_session import (
    PageResponse,
    abort_if_refused,
    check_form,
    current_server,
    current_visitor,
    form_action,
    page_number,
    redirect_to,
    set_message,
)

pages = Blueprint("events", __name__, url_prefix="/events")
pages.before_request(check_form)
_CODE_CHARACTERS = 7  # the longest code of an event; anything longer is a private event's secret


@pages.get("/")
def overview() -> PageResponse:
    """List the events, and the ones that a player may enter."""
    found, number = current_visitor(), page_number()
    player_id = found.who.player_id if found else None
    seen = listing.load_lists(current_server(), player_id, number)
    if number > 1 and not seen.ended:
        abort(404)
    return browser_session.render_page(
        "web/events.html",
        seen=seen,
        player_id=player_id,
        cards=catalogue.cards(),
        clocks=terms.list_clocks(for_events=True),
        sizes=range(limits.SMALLEST_SECTION, limits.LARGEST_SECTION + 1),
        number=number,
    )


@pages.get("/<place>")
def event(place: str) -> PageResponse:
    """Show how an event stands; a later sign-in leads back here."""
    with abort_if_refused(404):
        seen = page.load_page(current_server(), current_visitor(), place)
    if current_visitor() is None:
        session["goal"] = f"event {place}"
    return browser_session.render_page("web/event.html", seen=seen, event=seen.event, place=place)


@pages.get("/<place>/crosstable.txt")
def crosstable(place: str) -> Response:
    return _file(place, page.write_text, "crosstable.txt")


@pages.get("/<place>/report.trf")
def report(place: str) -> Response:
    """Serve the event as FIDE's tournament file."""
    return _file(place, page.write_report, "report.trf")


def _file(place: str, write: Callable[[Server, Visitor | None, str], str], name: str) -> Response:
    """Serve a text about an event as a file, or answer 404."""
    with abort_if_refused(404):
        text = write(current_server(), current_visitor(), place)
    file = Response(text, content_type="text/plain; charset=utf-8")
    called = place if len(place) <= _CODE_CHARACTERS else "private"
    file.headers["Content-Disposition"] = f'attachment; filename="{called}-{name}"'
    return file


@pages.post("/enter")
def enter_usual() -> PageResponse:
    """Enter the site's own section of a variant that is filling now, or its pyramid."""
    variant = request.form.get("variant", "")
    kind = request.form.get("kind", "")
    if kind not in tuple(EventKind):
        abort(400)

    @form_action("events", limits.EVENT_FORMS_AN_HOUR, lambda: redirect_to("events.overview"))
    def enter_it(who: Visitor) -> PageResponse:
        fills, now = _allows_bots(), current_server().now()
        return _welcome(
            page.enter_site_event(current_server(), who, variant, EventKind(kind), now, fills=fills)
        )

    return enter_it()


@pages.post("/private")
@form_action("events", limits.EVENT_FORMS_AN_HOUR, lambda: redirect_to("events.overview"))
def make_private(who: Visitor) -> PageResponse:
    """Make a private section, and show its link."""
    form = request.form
    wish = EventForm(
        form.get("variant", ""), form.get("clock", ""), form.get("size", ""), form.get("weight") == "rated"
    )
    return _welcome(page.make_private(current_server(), who, wish, current_server().now()))


def _welcome(entered: Event) -> PageResponse:
    """Show an event to a visitor who has just entered it."""
    set_message(commands.word_entry(entered))
    return redirect_to("events.event", place=entered.place)


_action = form_action(
    "events", limits.EVENT_FORMS_AN_HOUR, lambda place: redirect_to("events.event", place=place)
)


@pages.post("/<place>/enter")
@_action
def enter(who: Visitor, place: str) -> PageResponse:
    """Enter an event, or change whether bots may fill it."""
    fills, now = _allows_bots(), current_server().now()
    set_message(page.enter(current_server(), who, place, now, fills=fills))
    return redirect_to("events.event", place=place)


@pages.post("/<place>/withdraw")
@_action
def withdraw(who: Visitor, place: str) -> PageResponse:
    set_message(page.withdraw(current_server(), who, place, current_server().now()))
    return redirect_to("events.event", place=place)


@pages.post("/<place>/challenge")
@_action
def challenge(who: Visitor, place: str) -> PageResponse:
    """Challenge another player in a pyramid."""
    set_message(page.challenge(current_server(), who, place, request.form.get("number", "")))
    return redirect_to("events.event", place=place)


def _allows_bots() -> bool:
    return request.form.get("fills") == "yes"
