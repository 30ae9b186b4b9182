"""Manages a player's weekends, vacations, reminders and quiet hours."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, request

from corr import limits
from corr.service.players import hours, settings, time_preferences
from corr.service.players.authentication import Visitor
from corr.web.account.changes import change
from corr.web.browser_session import Answer, back, guard, house, page, say, visitor
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("hours", __name__, url_prefix="/settings/hours")
pages.before_request(guard)

_HERE = "hours.mine"


@pages.get("/")
def mine() -> Answer:
    """Show the player's hours."""
    found = visitor()
    if found is None:
        return back("signing.sign_in")
    now = house().now()
    try:
        kept = settings.hours_of(house(), found)
    except Refused as refusal:
        say(refusal)
        return back("lobby.lobby_page")
    return page(
        "web/hours.html",
        kept=kept,
        place=hours.place(kept),
        vacations=time_preferences.vacations(kept, now),
        left=time_preferences.days_left(kept, now),
        today=time_preferences.today(kept, now).isoformat(),
    )


@pages.post("/weekends")
def weekends() -> Answer:
    """Switch weekends off or on."""
    return _do(lambda: f"weekends {_field('weekends')}")


@pages.post("/vacation")
def vacation() -> Answer:
    """Add a vacation."""
    return _do(lambda: f"vacation {_field('first')} {_field('last')}")


@pages.post("/vacation/off")
def no_vacation() -> Answer:
    """Remove all vacations."""
    return _do(lambda: "vacation off")


@pages.post("/reminders")
def reminders() -> Answer:
    """Set when reminders come."""
    return _do(lambda: f"remind {_field('remind') or 'off'}")


@pages.post("/quiet")
def quiet() -> Answer:
    """Set the hours without reminders."""
    first, last = _field("first"), _field("last")
    return _do(lambda: f"quiet {first}-{last}" if first or last else "quiet off")


@pages.post("/leave")
def leave() -> Answer:
    """Set whether a vacation starts by itself."""
    is_on = _field("leave") == "on"
    return _keep(lambda who: settings.go_on_leave_by_itself(house(), who, on=is_on, now=house().now()))


def _field(name: str) -> str:
    return request.form.get(name, "").strip()[: limits.FIELD_CHARACTERS]


def _do(line: Callable[[], str]) -> Answer:
    """Run a line as if it came by email."""
    return _keep(lambda who: settings.do(house(), who, line(), house().now()))


def _keep(deed: Callable[[Visitor], str]) -> Answer:
    return change(deed, _HERE, Work.HOURS)
