"""The page that a letter of ours names. Opening it does nothing: programs that look for bad links open all of them."""

from __future__ import annotations

from flask import Blueprint, abort, request

from corr.desk import catalogue, errand
from corr.desk.errand import Errand
from corr.knock import Work
from corr.web.signing import welcome
from corr.web.visit import Answer, back, guard, house, knock, limit, page, refuse, say, visitor
from corr.words import Refused

pages = Blueprint("letters", __name__, url_prefix="/letters")
pages.before_request(guard)

_HOUR = 3_600
_BEGINS = "The game begins, and a letter about it is on its way."
_DECLINED = "The challenge is turned down, and the challenger is told so."
_ADDED = "This address is one of yours now, and a letter says so where the letters about your games go."
_NEVER = "No letter goes to this address any more, but for games that are played and answers to letters from there."


@pages.get("/<mark>")
def letter(mark: str) -> Answer:
    """What may be done."""
    found, who = _errand(mark), visitor()
    return page(
        "web/letter.html",
        errand=found,
        mark=mark,
        cards=catalogue.cards(),
        is_asker=who is not None and who.who.player_id == found.words.get("player"),
    )


@pages.post("/<mark>")
def act(mark: str) -> Answer:
    """Do it."""
    limit("letters", 120, _HOUR)
    found = _errand(mark)
    try:
        return _act(found, request.form.get("deed", ""), mark)
    except Refused as refusal:
        refuse(refusal)
        return back("letters.letter", mark=mark)


def _act(found: Errand, deed: str, mark: str) -> Answer:
    now = house().now()
    match found.kind, deed:
        case "sign_in", "sign in":
            return welcome(errand.sign_in(house(), found, now))
        case "invitation", "accept":
            errand.accept(house(), found, request.form.get("name", ""), now)
            say(_BEGINS)
        case "invitation", "decline":
            errand.decline(house(), found, now)
            say(_DECLINED)
        case "confirm", "confirm":
            item = errand.confirm(house(), found, now)
            say(_WORDS.get(item.note, item.said))
        case "address", "add":
            who = visitor()
            if who is None:
                return back("signing.sign_in")
            errand.add_address(house(), found, who, now)
            say(_ADDED)
        case _, "never again":
            errand.never_again(house(), found, now)
            say(_NEVER)
        case _:
            abort(400)
    knock(Work.READ)
    return back("letters.letter", mark=mark)


_WORDS = {
    "challenged": "Thank you. Your challenge is on its way, if letters may go there.",
    "sought": "Thank you. Your game is offered to all.",
    "accepted": f"Thank you. {_BEGINS}",
    "nothing_to_confirm": "This was confirmed already.",
}


def _errand(mark: str) -> Errand:
    try:
        return errand.errand(house(), mark, house().now())
    except Refused as refusal:
        abort(404, str(refusal))
