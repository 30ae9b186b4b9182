"""Lets admins make, stop and correct events, each time with a reason that everybody can read."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, abort, request

from corr import limits
from corr.messages import sentence
from corr.service import catalogue
from corr.service.events import admin_log, listing, page
from corr.service.events.admin_log import By, Plan
from corr.service.events.page import Seen
from corr.service.lobby import terms
from corr.service.players.mailboxes import Correspondent
from corr.web import browser_session
from corr.web.account import passkey_proof
from corr.web.browser_session import Answer, back, guard, house, knock, limit, operator, say
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("admin_events", __name__, url_prefix="/admin/events")
pages.before_request(guard)

_UNSUITED = ("none", "live")
_SCORES = ("white", "black", "draw", "void")


@pages.before_request
def ask_for_passkey() -> Answer | None:
    """Ask an admin for a passkey before a form, if they have one."""
    found = operator()
    return passkey_proof.ask(found, "admin_events.overview") if request.method == "POST" and found else None


@pages.get("/")
def overview() -> Answer:
    """List the events, with the form that makes one."""
    return _overview()


def _overview() -> Answer:
    return browser_session.page(
        "web/admin_events.html",
        seen=listing.lists(house(), None, 1),
        cards=catalogue.cards(),
        clocks=[each for each in terms.choices() if each[0] not in _UNSUITED],
        sizes=range(limits.SMALLEST_SECTION, limits.LARGEST_SECTION + 1),
        written=request.form.to_dict(),
        longest=limits.REASON_CHARACTERS,
    )


@pages.post("/")
def make() -> Answer:
    """Make a section."""
    limit("admin", limits.OPERATOR_FORMS_AN_HOUR)
    try:
        code = admin_log.make(house(), _by(), _plan(), house().now())
    except Refused as refusal:
        say(refusal)
        return _overview()
    say(sentence("events.is_made"))
    return back("admin_events.event", place=code)


@pages.get("/<place>")
def event(place: str) -> Answer:
    """Show an event, and what an admin may do about it."""
    return _event(place)


def _event(place: str) -> Answer:
    seen, who = _seen(place), _who()
    with house().store.reading() as connection:
        number = admin_log.next_number(connection, seen.event.id)
    return browser_session.page(
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
def stop(place: str) -> Answer:
    """End an event before its time."""
    return _do(place, lambda by: admin_log.stop(house(), by, place, house().now()))


@pages.post("/<place>/mend")
def mend(place: str) -> Answer:
    """Set how a game counts."""
    game, score = request.form.get("game", ""), request.form.get("score", "")
    return _do(place, lambda by: admin_log.mend(house(), by, place, game, score, house().now()))


@pages.post("/<place>/remove")
def take_out(place: str) -> Answer:
    """Remove a player."""
    entrant = request.form.get("entrant", "")
    return _do(place, lambda by: admin_log.take_out(house(), by, place, entrant, house().now()))


def _do(place: str, deed: Callable[[By], None]) -> Answer:
    limit("admin", limits.OPERATOR_FORMS_AN_HOUR)
    try:
        deed(_by())
    except Refused as refusal:
        say(refusal)
        return _event(place)
    knock(Work.LETTERS)
    say(sentence("events.is_done"))
    return back("admin_events.event", place=place)


def _by() -> By:
    form = request.form
    return By(_who(), form.get("number", ""), form.get("reason", ""))


def _plan() -> Plan:
    form = request.form
    return Plan(
        form.get("name", ""),
        form.get("variant", ""),
        page.clock(form.get("clock", "")),
        page.size(form.get("size", "")),
        rated=form.get("weight") == "rated",
        programs=form.get("programs") == "yes",
    )


def _who() -> Correspondent:
    found = operator()
    assert found
    return found.who


def _seen(place: str) -> Seen:
    try:
        return page.see(house(), operator(), place, is_operator=True)
    except Refused as refusal:
        abort(404, str(refusal))
