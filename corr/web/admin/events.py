"""Lets admins make, stop and correct events, each time with a reason that everybody can read."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from flask import Blueprint, request

from corr import limits
from corr.service import catalogue
from corr.service.events import admin_log, listing, page
from corr.service.events.admin_log import ActRequest, EventPlan
from corr.service.lobby import terms
from corr.text.messages import sentence
from corr.web import browser_session
from corr.web.account import passkeys
from corr.web.browser_session import (
    PageResponse,
    abort_if_refused,
    admin_correspondent,
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
pages.before_request(partial(passkeys.ask_for_passkey, "admin_events.overview"))

_SCORES = ("white", "black", "draw", "void")


@pages.get("/")
def overview() -> PageResponse:
    """List the events, with the form that makes one."""
    return browser_session.render_page(
        "web/admin_events.html",
        seen=listing.load_lists(current_server(), None, 1),
        cards=catalogue.cards(),
        clocks=terms.list_clocks(for_events=True),
        sizes=range(limits.SMALLEST_SECTION, limits.LARGEST_SECTION + 1),
        written=request.form.to_dict(),
        longest=limits.REASON_CHARACTERS,
    )


@pages.post("/")
def make() -> PageResponse:
    """Make an event as the form describes it."""
    limit("admin", limits.OPERATOR_FORMS_AN_HOUR)
    try:
        code = admin_log.make_section(current_server(), _make_author(), _plan(), current_server().now())
    except Refused as refusal:
        set_message(refusal)
        return overview()
    set_message(sentence("events.is_made"))
    return redirect_to("admin_events.event", place=code)


@pages.get("/<place>")
def event(place: str) -> PageResponse:
    """Show an event, and what an admin may do about it."""
    who = admin_correspondent()
    with abort_if_refused(404):
        seen = page.load_page(current_server(), current_admin(), place, is_operator=True)
    with current_server().store.reading() as connection:
        number = admin_log.next_number(connection, seen.event.id)
    return browser_session.render_page(
        "web/admin_event.html",
        seen=seen,
        event=seen.event,
        number=number,
        is_own=admin_log.is_own(seen.standings.entrants, who),
        scores=_SCORES,
        written=request.form.to_dict(),
        longest=limits.REASON_CHARACTERS,
    )


@pages.post("/<place>/stop")
def stop(place: str) -> PageResponse:
    return _run_action(place, admin_log.stop_event)


@pages.post("/<place>/mend")
def correct_score(place: str) -> PageResponse:
    """Correct the score of one of the event's games."""
    return _run_action(place, admin_log.set_score, "game", "score")


@pages.post("/<place>/remove")
def take_out(place: str) -> PageResponse:
    """Remove a player from the event."""
    return _run_action(place, admin_log.remove_player, "entrant")


def _run_action(place: str, deed: Callable[..., None], *fields: str) -> PageResponse:
    """Run an admin's action on an event, with these fields of the form, and redirect."""
    limit("admin", limits.OPERATOR_FORMS_AN_HOUR)
    asked = [request.form.get(field, "") for field in fields]
    try:
        deed(current_server(), _make_author(), place, *asked, current_server().now())
    except Refused as refusal:
        set_message(refusal)
        return event(place)
    wake_worker(Work.LETTERS)
    set_message(sentence("events.is_done"))
    return redirect_to("admin_events.event", place=place)


def _make_author() -> ActRequest:
    """Return the acting admin, the reason, and a number that makes repeating the form harmless."""
    form = request.form
    return ActRequest(admin_correspondent(), form.get("number", ""), form.get("reason", ""))


def _plan() -> EventPlan:
    """Read the new event from the form."""
    form = request.form
    return EventPlan(
        form.get("name", ""),
        form.get("variant", ""),
        page.check_clock(form.get("clock", "")),
        page.check_size(form.get("size", "")),
        rated=form.get("weight") == "rated",
        programs=form.get("programs") == "yes",
    )
