"""Serves the page to which an email links; only its buttons do something, since programs open links."""

from __future__ import annotations

from flask import Blueprint, abort, current_app, request

from corr import limits
from corr.service import catalogue
from corr.service.lobby import email_links
from corr.service.lobby.email_links import OpenedEmail
from corr.service.lobby.site_commands import SiteAnswerItem
from corr.service.players import addresses, authentication
from corr.text.messages import sentence
from corr.web.account.sign_in_pages import email_sign_in, finish_sign_in
from corr.web.browser_session import (
    PageResponse,
    abort_if_refused,
    check_form,
    current_server,
    current_visitor,
    current_visitor_or_guest,
    explain_refusal,
    is_admin_address,
    limit,
    redirect_to,
    render_page,
    set_message,
    start_session,
    wake_worker,
)
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("letters", __name__, url_prefix="/letters")
pages.before_request(check_form)


@pages.get("/<mark>")
def letter(mark: str) -> PageResponse:
    """Show what the email is about, and buttons for what its reader may do."""
    found, who = _open_email(mark), current_visitor()
    return render_page(
        "web/email_link.html",
        letter=found,
        mark=mark,
        suggested=email_links.suggest_name(found),
        cards=catalogue.cards(),
        game=email_links.find_game(current_server(), found),
        is_asker=who is not None and who.who.player_id == found.words.get("player"),
    )


@pages.post("/<mark>")
def act(mark: str) -> PageResponse:
    """Do what the reader of an email chose on its page."""
    limit("letters", limits.LETTER_PAGE_FORMS_AN_HOUR)
    found = _open_email(mark)
    try:
        return _act(found, request.form.get("deed", ""), mark)
    except Refused as refusal:
        explain_refusal(refusal)
        return redirect_to("letters.letter", mark=mark)


def _act(email: OpenedEmail, deed: str, mark: str) -> PageResponse:
    """Do one action for the reader of an email, such as signing in or accepting."""
    now = current_server().now()
    match email.kind, deed:
        case "sign_in", "sign in":
            here = current_visitor_or_guest()
            admitted = authentication.sign_in_by_link(current_server(), email.who, email.number, now, here)
            return finish_sign_in(admitted)
        case "invitation", "accept":
            return _accept(email, mark)
        case "invitation", "sign in":
            return _email_sign_in(email)
        case "invitation", "decline":
            email_links.decline(current_server(), email, now)
            set_message(sentence("challenges.declined_by_letter"))
        case "confirm", "confirm":
            set_message(_confirmation_message(email_links.confirm(current_server(), email, now)))
        case "address", "add":
            who = current_visitor()
            if who is None:
                return redirect_to("signing.sign_in")
            addresses.add_by_link(current_server(), who, email.who, email.number, now)
            set_message(sentence("addresses.added_by_letter"))
        case _, "never again":
            email_links.never_again(current_server(), email, now)
            set_message(sentence("letters.never_again"))
        case _:
            abort(400)
    wake_worker(Work.LETTERS)
    return redirect_to("letters.letter", mark=mark)


def _accept(email: OpenedEmail, mark: str) -> PageResponse:
    """Accept a challenge; show the game to its player, if they are signed in here or new."""
    server = current_server()
    here, is_admins = current_visitor_or_guest(), is_admin_address(email.who.address)
    name, may_sign_in = request.form.get("name", ""), here is None and not is_admins
    accepted = email_links.accept(server, email, name, server.now(), may_sign_in=may_sign_in)
    wake_worker(Work.LETTERS)
    if accepted.secret:
        start_session(accepted.secret)
    elif here is None or here.who.player_id != email.who.player_id:
        current_app.extensions["game_waiter"].wait(email.words["challenge"])
        set_message(sentence("challenges.accepted"))
        return redirect_to("letters.letter", mark=mark)
    return redirect_to("lobby.begins", code=accepted.code)


def _email_sign_in(email: OpenedEmail) -> PageResponse:
    """Email a sign-in to the mailbox that was invited, without showing its address to anyone else with the link."""
    return email_sign_in(
        email.who.address or "", "", f"game {email_links.find_offer_code(current_server(), email)}"
    )


#: What a confirmed order did, by the note of its answer.
_NEWS = {
    "challenged": sentence("challenges.sent"),
    "sought": sentence("challenges.offered"),
    "accepted": sentence("challenges.accepted"),
    "tutorial": sentence("challenges.tutorial"),
}


def _confirmation_message(item: SiteAnswerItem) -> str:
    if item.note in _NEWS:
        return sentence("letters.confirmed", news=_NEWS[item.note])
    return sentence("letters.confirmed_before") if item.note == "nothing_to_confirm" else item.said


def _open_email(mark: str) -> OpenedEmail:
    """Return the email to which this secret address belongs, or answer 404."""
    with abort_if_refused(404):
        return email_links.open_email(current_server(), mark, current_server().now())
