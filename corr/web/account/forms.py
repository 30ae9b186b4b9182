"""Provides what the pages and forms of a signed-in player share, such as asking for a new sign-in."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeAlias

from flask import Blueprint, session, url_for

from corr import limits
from corr.service.players.authentication import Visitor
from corr.text.messages import sentence
from corr.web.browser_session import (
    PageResponse,
    current_server,
    current_visitor,
    explain_refusal,
    limit,
    redirect_to,
    set_message,
    typed_fields,
    wake_worker,
)
from corr.words.errors import Refused
from corr.worker_wakeup import Work


def require_recent_sign_in(visitor: Visitor, endpoint: str, **values: str) -> PageResponse | None:
    """Redirect to a new sign-in if the last one is long ago; otherwise return None."""
    if visitor.has_recent_sign_in(current_server().now()):
        return None
    goal = url_for(endpoint, **values)  # type: ignore[arg-type]  # mypy checks ** against url_for's own options
    session["again"] = {"goal": goal, "typed": typed_fields()}
    session.pop("asked", None)
    set_message(sentence("signing.again"))
    return redirect_to("signing.sign_in")


Change: TypeAlias = Callable[[Visitor], str]  # makes a change for a visitor, and returns what to tell them


def player_page(view: Callable[[Visitor], PageResponse]) -> Callable[[], PageResponse]:
    """Decorate a page: strangers sign in first, and visitors without a name choose one."""

    @wraps(view)
    def show() -> PageResponse:
        found = current_visitor()
        if found is None:
            return redirect_to("signing.sign_in")
        try:
            return view(found)
        except Refused as refusal:
            set_message(refusal)
            return redirect_to("lobby.lobby_page")

    return show


def change_form(
    pages: Blueprint, goal: str, work: Work, path: str, *, after_sign_in: bool = False
) -> Callable[[Change], Change]:
    """Return a decorator that serves a change as a form, and then leads to the page `goal`."""

    def register(change: Change) -> Change:
        @wraps(change)
        def send() -> PageResponse:
            found = current_visitor()
            again = require_recent_sign_in(found, goal) if found and after_sign_in else None
            return again or make_change(change, goal, work)

        pages.add_url_rule(path, change.__name__, send, methods=["POST"])
        return change

    return register


def make_change(change: Change, goal: str, work: Work, **values: str) -> PageResponse:
    """Make a change for the visitor, wake a worker, and redirect with a message."""
    found = current_visitor()
    if found is None:
        return redirect_to("signing.sign_in")
    limit("settings", limits.SETTINGS_FORMS_AN_HOUR)
    try:
        set_message(change(found))
    except Refused as refusal:
        explain_refusal(refusal)
    else:
        wake_worker(work)
    return redirect_to(goal, **values)
