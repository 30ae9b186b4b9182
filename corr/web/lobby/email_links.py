"""Serves the page to which an email links.

Opening it does nothing, since programs that look for bad links open all of them.
"""

from __future__ import annotations

from flask import Blueprint, abort, request

from corr import limits
from corr.messages import sentence
from corr.service import catalogue
from corr.service.lobby import email_links
from corr.service.lobby.email_links import OpenedLetter
from corr.service.lobby.site_commands import SiteItem
from corr.web.account.sign_in_pages import welcome
from corr.web.browser_session import Answer, back, guard, house, knock, limit, page, refuse, say, visitor
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("letters", __name__, url_prefix="/letters")
pages.before_request(guard)


@pages.get("/<mark>")
def letter(mark: str) -> Answer:
    """Show the possible actions."""
    found, who = _opened_letter(mark), visitor()
    return page(
        "web/letter.html",
        letter=found,
        mark=mark,
        cards=catalogue.cards(),
        is_asker=who is not None and who.who.player_id == found.words.get("player"),
    )


@pages.post("/<mark>")
def act(mark: str) -> Answer:
    """Do the chosen action."""
    limit("letters", limits.LETTER_PAGE_FORMS_AN_HOUR)
    found = _opened_letter(mark)
    try:
        return _act(found, request.form.get("deed", ""), mark)
    except Refused as refusal:
        refuse(refusal)
        return back("letters.letter", mark=mark)


def _act(found: OpenedLetter, deed: str, mark: str) -> Answer:
    now = house().now()
    match found.kind, deed:
        case "sign_in", "sign in":
            return welcome(email_links.sign_in(house(), found, now))
        case "invitation", "accept":
            email_links.accept(house(), found, request.form.get("name", ""), now)
            say(sentence("challenges.accepted"))
        case "invitation", "decline":
            email_links.decline(house(), found, now)
            say(sentence("challenges.declined_by_letter"))
        case "confirm", "confirm":
            item = email_links.confirm(house(), found, now)
            say(_confirmed(item))
        case "address", "add":
            who = visitor()
            if who is None:
                return back("signing.sign_in")
            email_links.add_address(house(), found, who, now)
            say(sentence("addresses.added_by_letter"))
        case _, "never again":
            email_links.never_again(house(), found, now)
            say(sentence("letters.never_again"))
        case _:
            abort(400)
    knock(Work.LETTERS)
    return back("letters.letter", mark=mark)


def _confirmed(item: SiteItem) -> str:
    match item.note:
        case "challenged":
            return sentence("letters.confirmed", news=sentence("challenges.sent"))
        case "sought":
            return sentence("letters.confirmed", news=sentence("challenges.offered"))
        case "accepted":
            return sentence("letters.confirmed", news=sentence("challenges.accepted"))
        case "tutorial":
            return sentence("letters.confirmed", news=sentence("challenges.tutorial"))
        case "nothing_to_confirm":
            return sentence("letters.confirmed_before")
        case _:
            return item.said


def _opened_letter(mark: str) -> OpenedLetter:
    try:
        return email_links.opened_letter(house(), mark, house().now())
    except Refused as refusal:
        abort(404, str(refusal))
