"""Manages a player's weekends, vacations, reminders and quiet hours."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, request

from corr import limits
from corr.service.players import settings, times, vacations
from corr.service.players.authentication import Visitor
from corr.web.account.forms import change_form, player_page
from corr.web.browser_session import PageResponse, check_form, current_server, render_page
from corr.worker_wakeup import Work

pages = Blueprint("hours", __name__, url_prefix="/settings/hours")
pages.before_request(check_form)

_form = partial(change_form, pages, "hours.mine", Work.HOURS)


@pages.get("/")
@player_page
def mine(found: Visitor) -> PageResponse:
    """Show the player's hours."""
    now, kept = current_server().now(), settings.load_time_settings(current_server(), found)
    return render_page(
        "web/hours.html",
        kept=kept,
        place=times.place_of_zone(kept.zone),
        vacations=vacations.list_vacations(kept, now),
        left=vacations.days_left(kept, now),
        today=vacations.today(kept, now).isoformat(),
    )


@_form("/weekends")
def weekends(who: Visitor) -> str:
    """Choose whether the player's time runs on weekends; return a message for the page."""
    return _apply_order(who, f"weekends {_field('weekends')}")


@_form("/vacation")
def vacation(who: Visitor) -> str:
    """Add a vacation with the days in the form; return a message for the page."""
    return _apply_order(who, f"vacation {_field('first')} {_field('last')}")


@_form("/vacation/off")
def no_vacation(who: Visitor) -> str:
    """Remove all the player's vacations; return a message for the page."""
    return _apply_order(who, "vacation off")


@_form("/reminders")
def reminders(who: Visitor) -> str:
    """Set how long before a deadline the player is reminded; return a message for the page."""
    return _apply_order(who, f"remind {_field('remind') or 'off'}")


@_form("/quiet")
def quiet(who: Visitor) -> str:
    """Set the hours without reminders; return a message for the page."""
    first, last = _field("first"), _field("last")
    return _apply_order(who, f"quiet {first}-{last}" if first or last else "quiet off")


@_form("/leave")
def set_automatic_vacation(who: Visitor) -> str:
    """Choose whether vacation days are used when time runs out; return a message for the page."""
    is_on = _field("leave") == "on"
    return settings.set_automatic_vacation(current_server(), who, on=is_on, now=current_server().now())


def _field(name: str) -> str:
    """Return a field of the form, without blanks around it and cut to a limit."""
    return request.form.get(name, "").strip()[: limits.FIELD_CHARACTERS]


def _apply_order(who: Visitor, line: str) -> str:
    """Apply a setting in the words of an order, as if it came by email."""
    return settings.apply_setting_order(current_server(), who, line, current_server().now())
