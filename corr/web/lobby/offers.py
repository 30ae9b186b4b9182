"""Serves the page of a secret link, which offers a game to anybody who has it."""

from __future__ import annotations

from flask import Blueprint, session

from corr import limits
from corr.service import catalogue
from corr.service.lobby import page
from corr.web import browser_session
from corr.web.browser_session import (
    PageResponse,
    abort_if_refused,
    check_form,
    current_server,
    current_visitor,
    redirect_to,
    set_message,
    wake_worker,
)
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("offers", __name__, url_prefix="/offers")
pages.before_request(check_form)


@pages.get("/<code>")
def offer(code: str) -> PageResponse:
    """Show the offer; a later sign-in leads back here."""
    with abort_if_refused(404):
        found = page.load_offer(current_server(), current_visitor(), code, current_server().now())
    if current_visitor() is None:
        session["goal"] = code
    return browser_session.render_page(
        "web/offer.html",
        offer=found,
        cards=catalogue.cards(),
        web_url=current_server().web_url,
        days=limits.CHALLENGE_LIFE.days,
    )


@pages.post("/<code>")
def accept(code: str) -> PageResponse:
    """Accept the offer, and lead to its game."""
    found = current_visitor()
    if found is None:
        return redirect_to("signing.sign_in")
    try:
        set_message(page.answer(current_server(), found, code, "accept", current_server().now()))
    except Refused as refusal:
        set_message(refusal)
        return redirect_to("lobby.lobby_page")
    wake_worker(Work.LETTERS)
    return redirect_to("lobby.begins", code=code)
