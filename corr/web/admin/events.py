"""Lets admins make, stop and correct events, each time with a reason that everybody can read."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, abort, request

from corr import limits
from corr.messages import sentence
from corr.service import catalogue
from corr.service.events import admin_log, listing, page
from corr.service.events.admin_log import ActRequest, EventPlan
from corr.service.events.page import EventPage
from corr.service.lobby import terms
from corr.service.players.mailboxes import Correspondent
from corr.web import browser_session
from corr.web.account import passkey_proof
from corr.web.browser_session import (
    PageResponse,
    check_form,
    current_admin,
    current_server,
    limit,
    redirect_to,
    set_message,
    wake_worker,
)
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("admin_events", __name__, url_prefix="/admin/events")
pages.before_request(check_form)

_UNSUITED_CLOCKS = ("none", "live")
_SCORES = ("white", "black", "draw", "void")


@pages.before_request
def ask_for_passkey() -> PageResponse | None:
    """Ask an admin for a passkey before a form, if they have one."""
    found = current_admin()
    return (
        passkey_proof.require_passkey(found, "admin_events.overview")
        if request.method == "POST" and found
        else None
    )


@pages.get("/")
def overview() -> PageResponse:
    """List the events, with the form that makes one."""
    return _overview()


def _overview() -> PageResponse:
    return browser_session.render_page(
        "web/admin_events.html",
        seen=listing.lists(current_server(), None, 1),
        cards=catalogue.cards(),
        clocks=[each for each in terms.list_clocks() if each[0] not in _UNSUITED_CLOCKS],
        sizes=range(limits.SMALLEST_SECTION, limits.LARGEST_SECTION + 1),
        written=request.form.to_dict(),
        longest=limits.REASON_CHARACTERS,
    )


@pages.post("/")
def make() -> PageResponse:
    """Make a section."""
    limit("admin", limits.OPERATOR_FORMS_AN_HOUR)
    try:
        code = admin_log.make_section(current_server(), _make_author(), _plan(), current_server().now())
    except Refused as refusal:
        set_message(refusal)
        return _overview()
    set_message(sentence("events.is_made"))
    return redirect_to("admin_events.event", place=code)


@pages.get("/<place>")
def event(place: str) -> PageResponse:
    """Show an event, and what an admin may do about it."""
    return _event(place)


def _event(place: str) -> PageResponse:
    seen, who = _find_event(place), _current_admin()
    with current_server().store.reading() as connection:
        number = admin_log.next_number(connection, seen.event.id)
    return browser_session.render_page(
        "web/admin_event.html",
        seen=seen,
        event=seen.event,
        number=number,
        is_own=admin_log.is_own(seen.standing.entrants, who),
        scores=_SCORES,
        written=request.form.to_dict(),
        longest=limits.REASON_CHARACTERS,
    )


@pages.post("/<place>/stop")
def stop(place: str) -> PageResponse:
    """End an event before its time."""
    return _run_action(
        place, lambda by: admin_log.stop_event(current_server(), by, place, current_server().now())
    )


@pages.post("/<place>/mend")
def mend(place: str) -> PageResponse:
    """Set how a game counts."""
    game, score = request.form.get("game", ""), request.form.get("score", "")
    return _run_action(
        place,
        lambda by: admin_log.set_score(current_server(), by, place, game, score, current_server().now()),
    )


@pages.post("/<place>/remove")
def take_out(place: str) -> PageResponse:
    """Remove a player."""
    entrant = request.form.get("entrant", "")
    return _run_action(
        place,
        lambda by: admin_log.remove_player(current_server(), by, place, entrant, current_server().now()),
    )


def _run_action(place: str, deed: Callable[[ActRequest], None]) -> PageResponse:
    limit("admin", limits.OPERATOR_FORMS_AN_HOUR)
    try:
        deed(_make_author())
    except Refused as refusal:
        set_message(refusal)
        return _event(place)
    wake_worker(Work.LETTERS)
    set_message(sentence("events.is_done"))
    return redirect_to("admin_events.event", place=place)


def _make_author() -> ActRequest:
    form = request.form
    return ActRequest(_current_admin(), form.get("number", ""), form.get("reason", ""))


def _plan() -> EventPlan:
    form = request.form
    return EventPlan(
        form.get("name", ""),
        form.get("variant", ""),
        page.check_clock(form.get("clock", "")),
        page.check_size(form.get("size", "")),
        rated=form.get("weight") == "rated",
        programs=form.get("programs") == "yes",
    )


def _current_admin() -> Correspondent:
    found = current_admin()
    assert found
    return found.who


def _find_event(place: str) -> EventPage:
    try:
        return page.load_page(current_server(), current_admin(), place, is_operator=True)
    except Refused as refusal:
        abort(404, str(refusal))
