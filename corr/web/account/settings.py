"""Manages a player's name, addresses, time zone, emails, refused tries, and how the pages look."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, request, session

from corr import limits
from corr.player_settings import SETTINGS, Setting
from corr.service.games import own_data_file
from corr.service.mail import mailbox_recovery
from corr.service.players import addresses, passkeys, settings, times
from corr.service.players.authentication import Visitor
from corr.service.players.mail_preferences import DAILY, EACH, OFF
from corr.service.players.switches import PAGE_SWITCHES
from corr.text.messages import sentence
from corr.web.account import devices, forms
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


@pages.get("/")
@player_page
def settings_page(found: Visitor) -> PageResponse:
    seen = settings.load_settings(current_server(), found)
    return render_page(
        "web/settings.html",
        seen=seen,
        switches=[(each, each in seen.on) for each in PAGE_SWITCHES],
        zones=times.list_by_area(seen.zone),
        now=times.word_moment(current_server().now(), seen.zone),
        adding=session.get("adding", {}).get("address", ""),
        minutes=limits.ADDRESS_PROOF_LIFE.seconds // 60,
        passkeys=passkeys.list_passkeys(current_server(), found) if is_admin() else (),
        longest=limits.PASSKEY_NAME_CHARACTERS,
        devices=devices.devices_of_visitor(found),
    )


@_form("/name")
def name(who: Visitor) -> str:
    """Change the player's name; return a message for the page."""
    wish = settings.check_name(current_server(), who, request.form.get("name", ""))
    if wish != who.name:
        limit_a_day("name", who.require_player(), limits.NAMES_A_DAY)
        settings.rename(current_server(), who, wish)
    return sentence("names.changed", name=wish)


@pages.post("/zone")
def zone() -> PageResponse:
    """Set the time zone; lead back to the player's games if they asked there."""
    goal = "games.mine" if request.form.get("goal") == "games" else _HERE
    return make_change(_set_zone, goal, Work.LETTERS)


def _set_zone(who: Visitor) -> str:
    chosen = request.form.get("zone", "")
    settings.set_zone(current_server(), who, chosen, current_server().now())
    return sentence("settings.zone", moment=times.word_moment(current_server().now(), chosen))


@_form("/mail", after_sign_in=True)
def mail(who: Visitor) -> str:
    """Choose emails for each turn, once a day, or none; return a message for the page. Refused for other choices."""
    mailing, hour = request.form.get("mail", ""), request.form.get("hour", "")
    if mailing not in (EACH, DAILY, OFF) or not (hour.isdecimal() or mailing != DAILY):
        raise Refused(sentence("settings.no_choice"))
    line = f"mail {mailing} {hour}" if mailing == DAILY else f"mail {mailing}"
    return settings.apply_setting_order(current_server(), who, line, current_server().now())


def _add_simple_form(setting: Setting) -> None:
    """Serve the form of one setting, which is on the settings page or a finished game's."""

    def choose(who: Visitor) -> str:
        return settings.choose(current_server(), who, setting, request.form.get(setting.name, ""))

    def send() -> PageResponse:
        mark = request.form.get("game", "")
        if mark:
            return make_change(choose, "finished.game", Work.LETTERS, mark=mark)
        return make_change(choose, _HERE, Work.LETTERS)

    pages.add_url_rule(f"/{setting.page or setting.name}", setting.name, send, methods=["POST"])


for _setting in SETTINGS:
    _add_simple_form(_setting)


@_form("/about")
def about(who: Visitor) -> str:
    """Set the line about the player on their own page; return a message for the page."""
    return settings.set_about(current_server(), who, request.form.get("about", ""))


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


@_form("/switch")
def switch(who: Visitor) -> str:
    """Switch an option of the game page on or off; return a message for it."""
    settings.set_switch(current_server(), who, request.form.get("switch", ""))
    return sentence("settings.switched")


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
