"""Serves the page of a secret link, which offers a game to anybody who has it."""

from __future__ import annotations

from flask import Blueprint, abort, session

from corr import limits
from corr.messages import sentence
from corr.service import catalogue
from corr.service.lobby import page
from corr.web import browser_session
from corr.web.browser_session import Answer, back, guard, house, knock, say, visitor
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("offers", __name__, url_prefix="/offers")
pages.before_request(guard)


@pages.get("/<code>")
def offer(code: str) -> Answer:
    """Show the offer; a later sign-in leads back here."""
    found = _offer(code)
    if visitor() is None:
        session["goal"] = code
    return browser_session.page(
        "web/offer.html",
        offer=found,
        cards=catalogue.cards(),
        web_url=house().web_url,
        days=limits.CHALLENGE_LIFE.days,
    )


@pages.post("/<code>")
def accept(code: str) -> Answer:
    """Accept the offer."""
    found = visitor()
    if found is None:
        return back("signing.sign_in")
    try:
        page.accept(house(), found, code, house().now())
    except Refused as refusal:
        say(refusal)
        return back("lobby.lobby_page")
    say(sentence("challenges.accepted"))
    knock(Work.LETTERS)
    return back("lobby.begins", code=code)


def _offer(code: str) -> page.Offer:
    try:
        return page.offer(house(), visitor(), code, house().now())
    except Refused as refusal:
        abort(404, str(refusal))
