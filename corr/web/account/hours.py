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
def mine(visitor: Visitor) -> PageResponse:
    """Show the player's hours."""
    now, kept = current_server().now(), settings.load_time_settings(current_server(), visitor)
    return render_page(
        "web/hours.html",
        kept=kept,
        place=times.place_of_zone(kept.zone),
        vacations=vacations.list_vacations(kept, now),
        left=vacations.days_left(kept, now),
        today=vacations.today(kept, now).isoformat(),
    )


@_form("/clocks")
def clocks(who: Visitor) -> str:
    """Choose what stops the player's clocks; return a message for the page."""
    weekends = _apply_orders(who, f"weekends {_field('weekends')}")
    is_on, now = _field("leave") == "on", current_server().now()
    return f"{weekends} {settings.set_automatic_vacation(current_server(), who, on=is_on, now=now)}"


@_form("/vacation")
def vacation(who: Visitor) -> str:
    """Add a vacation with the days in the form; return a message for the page."""
    return _apply_orders(who, f"vacation {_field('first')} {_field('last')}")


@_form("/vacation/off")
def no_vacation(who: Visitor) -> str:
    """Remove all the player's vacations; return a message for the page."""
    return _apply_orders(who, "vacation off")


@_form("/reminders")
def reminders(who: Visitor) -> str:
    """Set how long before a deadline reminders come, and in which hours none do."""
    first, last = _field("first"), _field("last")
    quiet = f"quiet {first}-{last}" if first or last else "quiet off"
    return _apply_orders(who, f"remind {_field('remind') or 'off'}", quiet)


def _field(name: str) -> str:
    """Return a field of the form, without blanks around it and cut to a limit."""
    return request.form.get(name, "").strip()[: limits.FIELD_CHARACTERS]


def _apply_orders(who: Visitor, *lines: str) -> str:
    """Apply settings in the words of orders, as if they came by email."""
    return settings.apply_setting_orders(current_server(), who, lines, current_server().now())
