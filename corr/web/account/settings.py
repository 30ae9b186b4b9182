"""Manages a player's name, addresses, time zone, emails, refused tries, and how the pages look."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

from flask import Blueprint, Response, request, session

from corr import limits
from corr.messages import sentence
from corr.service.games import data_export
from corr.service.mail import mailbox_recovery
from corr.service.players import addresses, passkeys, settings, time_zones
from corr.service.players.authentication import Visitor
from corr.service.players.mail_preferences import CHECKPOINTS, DAILY, EACH, JSON, NO_CHECKPOINTS, OFF, PLAIN
from corr.service.players.profile_page import HIDDEN, SHOWN
from corr.service.players.publishing import GIVEN, NO
from corr.service.players.table_preferences import Switch
from corr.web.account import devices, passkey_proof, recent_sign_in
from corr.web.account.changes import change
from corr.web.browser_session import (
    Answer,
    back,
    guard,
    house,
    is_operator,
    knock,
    limit_a_day,
    page,
    say,
    visitor,
)
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("settings", __name__, url_prefix="/settings")
pages.before_request(guard)


@pages.get("/")
def settings_page() -> Answer:
    """Show the settings."""
    found = visitor()
    if found is None:
        return back("signing.sign_in")
    try:
        seen = settings.of_visitor(house(), found)
    except Refused as refusal:
        say(refusal)
        return back("lobby.lobby_page")
    return page(
        "web/settings.html",
        seen=seen,
        switches=[(each, each in seen.on) for each in Switch],
        zones=time_zones.by_area(seen.zone),
        now=time_zones.worded(house().now(), seen.zone),
        adding=session.get("adding", {}).get("address", ""),
        minutes=limits.PROOF_LIFE.seconds // 60,
        passkeys=passkeys.listed(house(), found) if is_operator() else (),
        longest=limits.PASSKEY_NAME_CHARACTERS,
        devices=devices.of_visitor(found),
    )


@pages.post("/name")
def name() -> Answer:
    """Change the name."""
    return _do(_rename)


def _rename(who: Visitor) -> str:
    wish = settings.possible_name(house(), who, request.form.get("name", ""))
    if wish != who.name:
        limit_a_day("name", settings.player_of(who), limits.NAMES_A_DAY)
        settings.rename(house(), who, wish)
    return sentence("names.changed", name=wish)


@pages.post("/zone")
def zone() -> Answer:
    """Set the time zone; lead back to the player's games if they asked there."""
    goal = "games.mine" if request.form.get("goal") == "games" else "settings.settings_page"
    return _do(_set_zone, goal)


def _set_zone(who: Visitor) -> str:
    chosen = request.form.get("zone", "")
    settings.set_zone(house(), who, chosen, house().now())
    return sentence("settings.zone", moment=time_zones.worded(house().now(), chosen))


@pages.post("/mail")
def mail() -> Answer:
    """Set emails about games: one for each turn, one a day, or none."""
    return _do_lately(_set_mail)


def _set_mail(who: Visitor) -> str:
    mailing, hour = request.form.get("mail", ""), request.form.get("hour", "")
    if mailing not in (EACH, DAILY, OFF) or not (hour.isdecimal() or mailing != DAILY):
        raise Refused(sentence("settings.no_choice"))
    line = f"mail {mailing} {hour}" if mailing == DAILY else f"mail {mailing}"
    return settings.do(house(), who, line, house().now())


@pages.post("/mail/file")
def slip_file() -> Answer:
    """Set whether emails about games include a file for programs."""
    return _do(partial(_set_letters, "file", (JSON, PLAIN)))


@pages.post("/mail/checkpoints")
def checkpoints() -> Answer:
    """Set whether the player gets the server's daily checkpoints by email."""
    return _do(partial(_set_letters, "checkpoints", (CHECKPOINTS, NO_CHECKPOINTS)))


def _set_letters(field: str, choices: Collection[str], who: Visitor) -> str:
    chosen = request.form.get(field, "")
    if chosen not in choices:
        raise Refused(sentence("settings.no_choice"))
    return settings.do(house(), who, f"mail {chosen}", house().now())


@pages.post("/tries")
def tries() -> Answer:
    """Set whether refused tries are told after a game."""
    return _do(_set_tries)


def _set_tries(who: Visitor) -> str:
    chosen = request.form.get("tries", "")
    settings.set_tries(house(), who, chosen)
    return sentence("settings.tries_told") if chosen == "told" else sentence("settings.tries_untold")


@pages.post("/publish")
def publish() -> Answer:
    """Set whether finished games are published.

    Lead back to a finished game's page if it asked.
    """
    mark = request.form.get("game", "")
    if mark:
        return change(_set_publish, "finished.game", Work.LETTERS, mark=mark)
    return _do(_set_publish)


def _set_publish(who: Visitor) -> str:
    chosen = request.form.get("publish", "")
    if chosen not in (NO, *GIVEN):
        raise Refused(sentence("settings.no_choice"))
    return settings.do(house(), who, f"publish {chosen}", house().now())


@pages.post("/page")
def own_page() -> Answer:
    """Show or hide the player's page."""
    return _do(_show_page)


def _show_page(who: Visitor) -> str:
    chosen = request.form.get("page", "")
    if chosen not in (SHOWN, HIDDEN):
        raise Refused(sentence("settings.no_choice"))
    return settings.do(house(), who, f"page {chosen}", house().now())


@pages.post("/about")
def about() -> Answer:
    """Set a line about the player, for their page."""
    return _do(lambda who: settings.introduce(house(), who, request.form.get("about", "")))


@pages.get("/data")
def data() -> Answer:
    """Download everything we store about a player except emails, after a recent sign-in."""
    found = visitor()
    if found is None:
        return back("signing.sign_in")
    if again := recent_sign_in.ask_again(found, "settings.settings_page"):
        return again
    try:
        player_id = settings.player_of(found)
        limit_a_day("data", player_id, limits.OWN_DATA_A_DAY)
        kept = data_export.for_page(house(), player_id)
    except Refused as refusal:
        say(refusal)
        return back("settings.settings_page")
    file = Response(kept, content_type="application/json")
    file.headers["Content-Disposition"] = 'attachment; filename="kept.json"'
    return file


@pages.post("/pages")
def looks() -> Answer:
    """Set how the pages look."""
    return _do(_set_pages)


def _set_pages(who: Visitor) -> str:
    settings.set_pages(house(), who, request.form.get("men", ""))
    return sentence("settings.pages")


@pages.post("/switch")
def switch() -> Answer:
    """Switch an option of the game page on or off."""
    return _do(_switch)


def _switch(who: Visitor) -> str:
    settings.switch(house(), who, request.form.get("switch", ""))
    return sentence("settings.switched")


# ---------------------------------------------------------------- addresses


@pages.post("/address")
def address() -> Answer:
    """Ask to add an address: an email goes there, if we may send one."""
    return _do_lately(_ask)


def _ask(who: Visitor) -> str:
    named = request.form.get("address", "").strip()
    mark = addresses.ask(house(), who, named, house().now())
    session["adding"] = {"asking": mark, "address": named[: limits.FIELD_CHARACTERS]}
    knock(Work.LETTERS)
    return sentence("addresses.soon")


@pages.post("/address/number")
def number() -> Answer:
    """Add the address with the number from its email."""
    return _do(_add)


def _add(who: Visitor) -> str:
    mark = str(session.get("adding", {}).get("asking", ""))
    added = addresses.add_by_number(house(), who, mark, request.form.get("number", ""), house().now())
    session.pop("adding", None)
    return sentence("addresses.added", address=added)


@pages.post("/address/anew")
def anew() -> Answer:
    """Start over with another address, or another email."""
    session.pop("adding", None)
    return back("settings.settings_page")


@pages.post("/address/remove")
def remove() -> Answer:
    """Remove an address, after a recent sign-in and with a passkey if there is one.

    A later sign-in by the removed address would need no passkey.
    """
    found = visitor()
    asked = passkey_proof.ask_lately(found, "settings.settings_page") if found else None
    return asked or _do(_remove)


def _remove(who: Visitor) -> str:
    gone = request.form.get("mailbox", "")
    limit_a_day("addresses", settings.player_of(who), limits.ADDRESS_CHANGES_A_DAY)
    addresses.remove(house(), who, gone, house().now())
    return sentence("addresses.removed", address=gone[: limits.FIELD_CHARACTERS])


@pages.post("/address/letters")
def letters() -> Answer:
    """Choose another address for the emails about games."""
    return _do_lately(_choose)


def _choose(who: Visitor) -> str:
    chosen = request.form.get("mailbox", "")
    limit_a_day("addresses", settings.player_of(who), limits.ADDRESS_CHANGES_A_DAY)
    mailbox_recovery.choose(house(), who, chosen, house().now())
    return sentence("addresses.chosen", address=chosen[: limits.FIELD_CHARACTERS])


@pages.post("/address/mended")
def mended() -> Answer:
    """Send emails again to an address that bounced."""
    return _do(_mend)


def _mend(who: Visitor) -> str:
    mailbox = request.form.get("mailbox", "")
    limit_a_day("addresses", settings.player_of(who), limits.ADDRESS_CHANGES_A_DAY)
    mailbox_recovery.mend(house(), who, mailbox, house().now())
    return sentence("addresses.mended", address=mailbox[: limits.FIELD_CHARACTERS])


def _do_lately(deed: Callable[[Visitor], str]) -> Answer:
    """Change who reads the player's emails, but only after a recent sign-in."""
    found = visitor()
    again = recent_sign_in.ask_again(found, "settings.settings_page") if found else None
    return again or _do(deed)


def _do(deed: Callable[[Visitor], str], goal: str = "settings.settings_page") -> Answer:
    return change(deed, goal, Work.LETTERS)
