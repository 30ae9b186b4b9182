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
    """Switch weekends off or on."""
    return _apply_order(who, f"weekends {_field('weekends')}")


@_form("/vacation")
def vacation(who: Visitor) -> str:
    """Add a vacation."""
    return _apply_order(who, f"vacation {_field('first')} {_field('last')}")


@_form("/vacation/off")
def no_vacation(who: Visitor) -> str:
    """Remove all vacations."""
    return _apply_order(who, "vacation off")


@_form("/reminders")
def reminders(who: Visitor) -> str:
    """Set when reminders come."""
    return _apply_order(who, f"remind {_field('remind') or 'off'}")


@_form("/quiet")
def quiet(who: Visitor) -> str:
    """Set the hours without reminders."""
    first, last = _field("first"), _field("last")
    return _apply_order(who, f"quiet {first}-{last}" if first or last else "quiet off")


@_form("/leave")
def leave(who: Visitor) -> str:
    """Set whether a vacation starts by itself."""
    is_on = _field("leave") == "on"
    return settings.set_automatic_vacation(current_server(), who, on=is_on, now=current_server().now())


def _field(name: str) -> str:
    return request.form.get(name, "").strip()[: limits.FIELD_CHARACTERS]


def _apply_order(who: Visitor, line: str) -> str:
    """Apply an order as if it came by email."""
    return settings.apply_setting_order(current_server(), who, line, current_server().now())
