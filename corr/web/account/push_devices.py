"""Manages the devices that notify a player of a turn while no page is open."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from flask import Blueprint, request

from corr import limits
from corr.service.players import push_subscriptions
from corr.service.players.authentication import Visitor
from corr.service.players.push_subscriptions import Browser, ListedDevice
from corr.text.messages import sentence
from corr.web.account import signed_in_browsers
from corr.web.account.forms import change_form
from corr.web.browser_session import check_form, current_server, limit
from corr.worker_wakeup import Work

pages = Blueprint("devices", __name__, url_prefix="/settings/push")
pages.before_request(check_form)

_form = partial(change_form, pages, "settings.settings_page", Work.CALLS)


class Section(NamedTuple):
    """A visitor's devices, and the key by which a browser knows this server."""

    key: str
    listed: tuple[ListedDevice, ...]


def devices_of_visitor(visitor: Visitor) -> Section:
    """Return the visitor's devices, and the key that a browser needs to become one."""
    return Section(
        push_subscriptions.key_for_browsers(current_server()),
        push_subscriptions.list_devices(current_server(), visitor),
    )


@_form("/subscribe", after_sign_in=True)
def subscribe(who: Visitor) -> str:
    """Notify this browser from now on, even after a sign-out; return a message for the page."""
    endpoint, public, secret = (request.form.get(name, "") for name in ("endpoint", "p256dh", "auth"))
    name = signed_in_browsers.describe_browser(request.user_agent.string) or sentence("devices.unnamed")
    push_subscriptions.add(
        current_server(), who, Browser(endpoint, public, secret, name), current_server().now()
    )
    return sentence("devices.added")


@_form("/remove")
def remove(who: Visitor) -> str:
    """Remove the device that the form names; return a message for the page."""
    name = push_subscriptions.remove(current_server(), who, request.form.get("device", ""))
    return sentence("devices.removed", name=name)


@_form("/test")
def test(who: Visitor) -> str:
    """Send a test notification to a device at once; return a message for the page."""
    limit("tests of devices", limits.TESTS_AN_HOUR)
    name = push_subscriptions.ask_for_test(
        current_server(), who, request.form.get("device", ""), current_server().now()
    )
    return sentence("devices.tested", name=name)
