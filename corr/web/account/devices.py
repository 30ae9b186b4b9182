"""Manages the devices that notify a player of a turn while no page is open."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from flask import Blueprint, request

from corr import limits
from corr.messages import sentence
from corr.service.players import push_subscriptions
from corr.service.players.authentication import Visitor
from corr.service.players.push_subscriptions import Browser, ListedDevice
from corr.web.account import recent_sign_in, user_agents
from corr.web.account.changes import change_setting
from corr.web.browser_session import PageResponse, check_form, current_server, current_visitor, limit
from corr.worker_wakeup import Work

pages = Blueprint("devices", __name__, url_prefix="/settings/push")
pages.before_request(check_form)

_HERE = "settings.settings_page"


class Section(NamedTuple):
    """A visitor's devices, and the key by which a browser knows this server."""

    key: str
    listed: tuple[ListedDevice, ...]


def devices_of_visitor(found: Visitor) -> Section:
    """Return the devices of the visitor."""
    return Section(
        push_subscriptions.key_for_browsers(current_server()),
        push_subscriptions.list_devices(current_server(), found),
    )


@pages.post("/subscribe")
def subscribe() -> PageResponse:
    """Notify this browser from now on, after a recent sign-in.

    The notifications go on after the visitor signs out.
    """
    found = current_visitor()
    again = recent_sign_in.require_recent_sign_in(found, _HERE) if found else None
    return again or _change_devices(_subscribe)


def _subscribe(who: Visitor) -> str:
    endpoint, public, secret = (request.form.get(name, "") for name in ("endpoint", "p256dh", "auth"))
    name = user_agents.describe_browser(request.user_agent.string) or sentence("devices.unnamed")
    push_subscriptions.add(
        current_server(), who, Browser(endpoint, public, secret, name), current_server().now()
    )
    return sentence("devices.added")


@pages.post("/remove")
def remove() -> PageResponse:
    """Remove a device."""
    return _change_devices(_remove)


def _remove(who: Visitor) -> str:
    name = push_subscriptions.remove(current_server(), who, request.form.get("device", ""))
    return sentence("devices.removed", name=name)


@pages.post("/test")
def test() -> PageResponse:
    """Send a test notification to a device at once."""
    return _change_devices(_test)


def _test(who: Visitor) -> str:
    limit("tests of devices", limits.TESTS_AN_HOUR)
    name = push_subscriptions.ask_for_test(
        current_server(), who, request.form.get("device", ""), current_server().now()
    )
    return sentence("devices.tested", name=name)


def _change_devices(deed: Callable[[Visitor], str]) -> PageResponse:
    return change_setting(deed, _HERE, Work.CALLS)
