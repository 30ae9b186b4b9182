"""Manages a player's weekends, vacations, reminders and quiet hours."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, request

from corr import limits
from corr.service.players import hours, setting_orders, settings
from corr.service.players.authentication import Visitor
from corr.web.account.changes import change_setting
from corr.web.browser_session import (
    PageResponse,
    check_form,
    current_server,
    current_visitor,
    redirect_to,
    render_page,
    set_message,
)
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("hours", __name__, url_prefix="/settings/hours")
pages.before_request(check_form)

_HERE = "hours.mine"


@pages.get("/")
def mine() -> PageResponse:
    """Show the player's hours."""
    found = current_visitor()
    if found is None:
        return redirect_to("signing.sign_in")
    now = current_server().now()
    try:
        kept = settings.load_time_settings(current_server(), found)
    except Refused as refusal:
        set_message(refusal)
        return redirect_to("lobby.lobby_page")
    return render_page(
        "web/hours.html",
        kept=kept,
        place=hours.place(kept),
        vacations=setting_orders.vacations(kept, now),
        left=setting_orders.days_left(kept, now),
        today=setting_orders.today(kept, now).isoformat(),
    )


@pages.post("/weekends")
def weekends() -> PageResponse:
    """Switch weekends off or on."""
    return _run_command(lambda: f"weekends {_field('weekends')}")


@pages.post("/vacation")
def vacation() -> PageResponse:
    """Add a vacation."""
    return _run_command(lambda: f"vacation {_field('first')} {_field('last')}")


@pages.post("/vacation/off")
def no_vacation() -> PageResponse:
    """Remove all vacations."""
    return _run_command(lambda: "vacation off")


@pages.post("/reminders")
def reminders() -> PageResponse:
    """Set when reminders come."""
    return _run_command(lambda: f"remind {_field('remind') or 'off'}")


@pages.post("/quiet")
def quiet() -> PageResponse:
    """Set the hours without reminders."""
    first, last = _field("first"), _field("last")
    return _run_command(lambda: f"quiet {first}-{last}" if first or last else "quiet off")


@pages.post("/leave")
def leave() -> PageResponse:
    """Set whether a vacation starts by itself."""
    is_on = _field("leave") == "on"
    return _keep(
        lambda who: settings.set_automatic_vacation(
            current_server(), who, on=is_on, now=current_server().now()
        )
    )


def _field(name: str) -> str:
    return request.form.get(name, "").strip()[: limits.FIELD_CHARACTERS]


def _run_command(line: Callable[[], str]) -> PageResponse:
    """Run a line as if it came by email."""
    return _keep(
        lambda who: settings.apply_setting_order(current_server(), who, line(), current_server().now())
    )


def _keep(deed: Callable[[Visitor], str]) -> PageResponse:
    return change_setting(deed, _HERE, Work.HOURS)
