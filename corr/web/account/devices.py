"""Manages the devices that notify a player of a turn while no page is open."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from flask import Blueprint, request

from corr import limits
from corr.messages import sentence
from corr.service.players import push_subscriptions
from corr.service.players.authentication import Visitor
from corr.service.players.push_subscriptions import Browser, Listed
from corr.web.account import recent_sign_in, user_agents
from corr.web.account.changes import change
from corr.web.browser_session import Answer, guard, house, limit, visitor
from corr.worker_wakeup import Work

pages = Blueprint("devices", __name__, url_prefix="/settings/push")
pages.before_request(guard)

_HERE = "settings.settings_page"


class Section(NamedTuple):
    """A visitor's devices, and the key by which a browser knows this server."""

    key: str
    listed: tuple[Listed, ...]


def of_visitor(found: Visitor) -> Section:
    """Return the devices of the visitor."""
    return Section(push_subscriptions.key_for_browsers(house()), push_subscriptions.listed(house(), found))


@pages.post("/subscribe")
def subscribe() -> Answer:
    """Notify this browser from now on, after a recent sign-in.

    The notifications go on after the visitor signs out.
    """
    found = visitor()
    again = recent_sign_in.ask_again(found, _HERE) if found else None
    return again or _do(_subscribe)


def _subscribe(who: Visitor) -> str:
    endpoint, public, secret = (request.form.get(name, "") for name in ("endpoint", "p256dh", "auth"))
    name = user_agents.kind(request.user_agent.string) or sentence("devices.unnamed")
    push_subscriptions.add(house(), who, Browser(endpoint, public, secret, name), house().now())
    return sentence("devices.added")


@pages.post("/remove")
def remove() -> Answer:
    """Remove a device."""
    return _do(_remove)


def _remove(who: Visitor) -> str:
    name = push_subscriptions.remove(house(), who, request.form.get("device", ""))
    return sentence("devices.removed", name=name)


@pages.post("/test")
def test() -> Answer:
    """Send a test notification to a device at once."""
    return _do(_test)


def _test(who: Visitor) -> str:
    limit("tests of devices", limits.TESTS_AN_HOUR)
    name = push_subscriptions.ask_for_test(house(), who, request.form.get("device", ""), house().now())
    return sentence("devices.tested", name=name)


def _do(deed: Callable[[Visitor], str]) -> Answer:
    return change(deed, _HERE, Work.CALLS)
