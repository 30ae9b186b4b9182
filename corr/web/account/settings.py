"""Manages a player's name, addresses, time zone, emails, refused tries, and how the pages look."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus

from flask import Blueprint, Response, request, session, url_for

from corr import limits
from corr.player_settings import SETTINGS
from corr.service.games import own_data_file
from corr.service.mail import mailbox_recovery
from corr.service.players import addresses, passkeys, settings, times
from corr.service.players.authentication import Visitor
from corr.service.players.mail_preferences import DAILY, EACH, OFF
from corr.service.players.switches import PAGE_SWITCHES, Theme, format_switches
from corr.text.messages import sentence
from corr.web.account import forms, push_devices
from corr.web.account.forms import change_form, make_change, player_page
from corr.web.account.passkeys import require_recent_proof
from corr.web.browser_session import (
    PageResponse,
    check_form,
    current_server,
    current_visitor,
    is_admin,
    limit_a_day,
    redirect_to,
    render_page,
    set_message,
    wake_worker,
)
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("settings", __name__, url_prefix="/settings")
pages.before_request(check_form)

_HERE = "settings.settings_page"
_form = partial(change_form, pages, _HERE, Work.LETTERS)
#: The fields of each section of the page's form.
_SECTIONS = {
    section: {*fields, *(each.name for each in SETTINGS if each.section == section)}
    for section, fields in {
        "profile": ("name", "zone", "about"),
        "games": (),
        "notifications": ("mail", "hour"),
        "appearance": ("theme", "on"),
    }.items()
}


@pages.get("/")
@player_page
def settings_page(visitor: Visitor) -> PageResponse:
    seen = settings.load_settings(current_server(), visitor)
    return render_page(
        "web/settings.html",
        seen=seen,
        switches=[(each, each in seen.on) for each in PAGE_SWITCHES],
        zones=times.list_by_area(seen.zone),
        now=times.word_moment(current_server().now(), seen.zone),
        adding=session.get("adding", {}).get("address", ""),
        minutes=limits.ADDRESS_PROOF_LIFE.seconds // 60,
        passkeys=passkeys.list_passkeys(current_server(), visitor) if is_admin() else (),
        longest=limits.PASSKEY_NAME_CHARACTERS,
        devices=push_devices.devices_of_visitor(visitor),
    )


@pages.after_request
def keep_unsaved(response: Response) -> Response:
    """Fill in again what was typed in the sections that weren't saved."""
    section = request.path.rpartition("/")[2]
    if response.status_code == HTTPStatus.SEE_OTHER and section in _SECTIONS:
        is_saved = response.location == url_for(_HERE) and not session.get("refused")
        kept = set[str]().union(*_SECTIONS.values()) - (_SECTIONS[section] if is_saved else set())
        typed: dict[str, str | list[str]] = {
            each: request.form[each][: limits.FIELD_CHARACTERS] for each in kept if each in request.form
        }
        if "theme" in typed:
            typed["on"] = [each for each in PAGE_SWITCHES if each in request.form.getlist("on")]
        session["typed"] = typed
        if session.get("again", {}).get("goal") == url_for(_HERE):
            session["again"] = session["again"] | {"typed": typed}
    return response


@_form("/profile")
def profile(who: Visitor) -> str:
    """Save the name, the time zone, and what the player's page shows; return a message for it."""
    wish = settings.check_name(current_server(), who, request.form.get("name", ""))
    if wish != who.name:
        limit_a_day("name", who.require_player(), limits.NAMES_A_DAY)
    return _save(who, "profile", "zone", "about", name=wish)


@_form("/games")
def games(who: Visitor) -> str:
    """Save what others see of finished games; return a message for the page."""
    return _save(who, "games")


@pages.post("/notifications")
def notifications() -> PageResponse:
    """Save which emails the player gets; other emails about games need a recent sign-in."""
    found = current_visitor()
    is_new = found is not None and found.who.player_id is not None and _mailing() != _stored_mailing(found)
    again = forms.require_recent_sign_in(found, _HERE) if found and is_new else None
    return again or make_change(_save_notifications, _HERE, Work.LETTERS)


def _mailing() -> str:
    """Return the wanted emails about games, in the words of an order."""
    return settings.word_mailing(request.form.get("mail", ""), request.form.get("hour", ""))


def _stored_mailing(visitor: Visitor) -> str:
    seen = settings.load_settings(current_server(), visitor)
    return settings.word_mailing(seen.mailing, seen.digest_hour)


def _save_notifications(who: Visitor) -> str:
    mailing, hour = request.form.get("mail", ""), request.form.get("hour", "")
    if mailing not in (EACH, DAILY, OFF) or not (hour.isdecimal() or mailing != DAILY):
        raise Refused(sentence("settings.no_choice"))
    return _save(who, "notifications", mailing=_mailing())


@_form("/appearance")
def appearance(who: Visitor) -> str:
    """Save how pages look; return a message for the page."""
    theme, on = request.form.get("theme", ""), request.form.getlist("on")
    if theme not in list(Theme):
        raise Refused(sentence("settings.no_choice"))
    switched = format_switches([each for each in PAGE_SWITCHES if each in on], Theme(theme))
    return _save(who, "appearance", switched=switched)


def _save(who: Visitor, section: str, *fields: str, **read: str) -> str:
    """Save a section's simple settings, these fields of its form, and what was read from others."""
    named = [*fields, *(each.name for each in SETTINGS if each.section == section)]
    wanted = {each: request.form[each] for each in named if each in request.form} | read
    return settings.save(current_server(), who, wanted, current_server().now())


@pages.post("/zone")
def zone() -> PageResponse:
    """Set the time zone that the browser has, and show the player's games in it."""
    return make_change(lambda who: _save(who, "", "zone"), "games.mine", Work.LETTERS)


@pages.post("/publish")
def publish() -> PageResponse:
    """Choose on a finished game's page whether finished games are published."""
    mark = request.form.get("game", "")
    return make_change(lambda who: _save(who, "", "publish"), "finished.game", Work.LETTERS, mark=mark)


@pages.get("/data")
def data() -> PageResponse:
    """Download everything we store about a player except emails, after a recent sign-in."""
    found = current_visitor()
    if found is None:
        return redirect_to("signing.sign_in")
    if again := forms.require_recent_sign_in(found, _HERE):
        return again
    try:
        player_id = found.require_player()
        limit_a_day("data", player_id, limits.OWN_DATA_A_DAY)
        kept = own_data_file.export_for_page(current_server(), player_id)
    except Refused as refusal:
        set_message(refusal)
        return redirect_to(_HERE)
    file = Response(kept, content_type="application/json")
    file.headers["Content-Disposition"] = 'attachment; filename="kept.json"'
    return file


@_form("/address", after_sign_in=True)
def address(who: Visitor) -> str:
    """Send a number to an address that the player wants to add, if we may; return a message."""
    named = request.form.get("address", "").strip()
    mark = addresses.request_address(current_server(), who, named, current_server().now())
    session["adding"] = {"asking": mark, "address": named[: limits.FIELD_CHARACTERS]}
    wake_worker(Work.LETTERS)
    return sentence("addresses.soon")


@_form("/address/number")
def number(who: Visitor) -> str:
    """Add an address with the number from its email; return a message for the page."""
    mark = str(session.get("adding", {}).get("asking", ""))
    added = addresses.add_by_number(
        current_server(), who, mark, request.form.get("number", ""), current_server().now()
    )
    session.pop("adding", None)
    return sentence("addresses.added", address=added)


@pages.post("/address/anew")
def forget_new_address() -> PageResponse:
    """Forget the address being added, so that the player can start over."""
    session.pop("adding", None)
    return redirect_to(_HERE)


@pages.post("/address/remove")
def remove() -> PageResponse:
    """Remove an address, after a recent sign-in and with a passkey if there is one."""
    found = current_visitor()
    asked = require_recent_proof(found, _HERE) if found else None
    return asked or make_change(_remove, _HERE, Work.LETTERS)


def _remove(who: Visitor) -> str:
    gone = request.form.get("mailbox", "")
    limit_a_day("addresses", who.require_player(), limits.ADDRESS_CHANGES_A_DAY)
    addresses.remove(current_server(), who, gone, current_server().now())
    return sentence("addresses.removed", address=gone[: limits.FIELD_CHARACTERS])


@_form("/address/letters", after_sign_in=True)
def choose_game_address(who: Visitor) -> str:
    """Choose another address for the emails about games; return a message for the page."""
    chosen = request.form.get("mailbox", "")
    limit_a_day("addresses", who.require_player(), limits.ADDRESS_CHANGES_A_DAY)
    mailbox_recovery.choose_address(current_server(), who, chosen, current_server().now())
    return sentence("addresses.chosen", address=chosen[: limits.FIELD_CHARACTERS])


@_form("/address/mended")
def reopen_address(who: Visitor) -> str:
    """Send emails again to an address that bounced; return a message for the page."""
    mailbox = request.form.get("mailbox", "")
    limit_a_day("addresses", who.require_player(), limits.ADDRESS_CHANGES_A_DAY)
    mailbox_recovery.reopen_own_mailbox(current_server(), who, mailbox, current_server().now())
    return sentence("addresses.mended", address=mailbox[: limits.FIELD_CHARACTERS])
