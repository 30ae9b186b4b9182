"""Shows admins the state of email, and games that they may end or correct. Others get a 404."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, abort, request

from corr import limits
from corr.service.admin import fair_play, mail_problems
from corr.service.admin.games import GameReport, list_newest, list_stuck_games, load_report, search
from corr.service.admin.statistics import Figures, load_figures
from corr.service.games import moderation
from corr.service.games.moderation import DecreeKind
from corr.service.players import access_log
from corr.service.players.times import word_span
from corr.text.messages import sentence
from corr.web.account import passkeys
from corr.web.browser_session import (
    PageResponse,
    abort_if_refused,
    admin_correspondent,
    check_form,
    current_admin,
    current_server,
    limit,
    redirect_to,
    render_page,
    set_message,
    wake_worker,
)
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("admin", __name__, url_prefix="/admin")
pages.before_request(check_form)
pages.before_request(partial(passkeys.ask_for_passkey, "admin.overview"))

_MINUTE = 60


@pages.before_app_request
def keep_strangers_out() -> None:
    """Answer 404 to strangers below `/admin`, before anything else about the request is checked."""
    if request.path.strip("/").partition("/")[0] == "admin" and current_admin() is None:
        access_log.log_refusal("admin", "no operator")
        abort(404)


@pages.get("/")
def overview() -> PageResponse:
    """Show the server's state, and what needs an admin."""
    now, who = current_server().now(), admin_correspondent()
    state = load_figures(current_server(), now, who)
    return render_page(
        "web/admin.html",
        has_sweep_stopped=state.has_sweep_stopped,
        figures=_figures(state),
        troubles=mail_problems.load_problems(current_server(), who, now),
        stuck=list_stuck_games(current_server(), who, now),
    )


@pages.get("/play", strict_slashes=False)
def play() -> PageResponse:
    """Show signs of unfair play in rated games, such as players who met themselves."""
    return render_page(
        "web/admin_play.html", found=fair_play.load_report(current_server(), current_server().now())
    )


@pages.get("/games", strict_slashes=False)
def games() -> PageResponse:
    """List the games that match a code or a player, or else the newest."""
    asked = request.args.get("for", "")
    found = search(current_server(), asked) if asked.strip() else list_newest(current_server())
    return render_page("web/admin_games.html", asked=asked[:100], found=found)


@pages.get("/games/<code>")
def game(code: str) -> PageResponse:
    """Show a game's public facts, and what an admin may do about it."""
    return _game(_report(code))


@pages.post("/games/<code>")
def decree(code: str) -> PageResponse:
    """Store an admin's decision about a game; a worker applies it, and this page shows it."""
    limit("admin", limits.OPERATOR_FORMS_AN_HOUR)
    form, now, found = request.form, current_server().now(), _report(code)
    if found.is_own:
        set_message(Refused(sentence("admin.own_game")))
        return _game(found)
    try:
        wish = moderation.check_request(
            _deed(), form.get("days", ""), form.get("end", ""), form.get("reason", "")
        )
        by = admin_correspondent().address or ""
        moderation.decree(current_server(), by, found.game.id, form.get("number", ""), wish, now)
    except Refused as refusal:
        set_message(refusal)
        return _game(_report(code))
    wake_worker(Work.LETTERS)
    set_message(sentence("admin.decreed"))
    return redirect_to("admin.game", code=found.game.code)


@pages.post("/resend")
def resend() -> PageResponse:
    """Send undelivered emails again: one, or all of them."""
    limit("admin", limits.OPERATOR_FORMS_AN_HOUR)
    who, now, mark = admin_correspondent(), current_server().now(), request.form.get("letter", "")
    if mark == "all":
        count = mail_problems.resend_all(current_server(), who, now)
        set_message(sentence("admin.again_all", count=count))
    elif mail_problems.resend(current_server(), who, mark, now):
        set_message(sentence("admin.again_one"))
    else:
        set_message(Refused(sentence("admin.again_none")))
    wake_worker(Work.LETTERS)
    return redirect_to("admin.overview")


@pages.post("/mailbox")
def mailbox() -> PageResponse:
    """Send emails again to an address that bounced."""
    limit("admin", limits.OPERATOR_FORMS_AN_HOUR)
    who, now, mark = admin_correspondent(), current_server().now(), request.form.get("mailbox", "")
    if mail_problems.reopen_mailbox(current_server(), who, mark, now):
        set_message(sentence("admin.lifted"))
    else:
        set_message(Refused(sentence("admin.not_failing")))
    wake_worker(Work.LETTERS)
    return redirect_to("admin.overview")


def _figures(state: Figures) -> tuple[tuple[str, str], ...]:
    """Return the state of email as pairs of a label and a text."""
    dead = str(state.dead) if state.dead else sentence("admin.none")
    return (
        (sentence("admin.unread"), _waiting(state.unread, state.oldest_unread_age)),
        (sentence("admin.unsent"), _waiting(state.unsent, state.oldest_unsent_age)),
        (sentence("admin.dead"), dead),
        (sentence("admin.last_sweep"), _ago(state.last_sweep_age)),
    )


def _waiting(count: int, age: float | None) -> str:
    """Say how many emails wait, and since when."""
    return sentence("admin.none") if age is None else sentence("admin.age", count=count, span=word_span(age))


def _ago(age: float | None) -> str:
    """Give the age in minutes at the finest: nobody may learn how busy the workers are."""
    if age is None:
        return sentence("admin.never")
    return sentence("admin.ago", span=word_span(age)) if age >= _MINUTE else sentence("admin.lately")


def _report(code: str) -> GameReport:
    """Return what an admin may know of a game, or answer 404."""
    with abort_if_refused(404):
        return load_report(current_server(), admin_correspondent(), code)


def _game(report: GameReport) -> PageResponse:
    """Render an admin's page of a game."""
    return render_page(
        "web/admin_game.html",
        report=report,
        written=request.form.to_dict(),
        days=range(1, limits.MOST_ADDED_DAYS + 1),
        longest=limits.REASON_CHARACTERS,
    )


def _deed() -> DecreeKind:
    """Return the action that the form names, or answer 400."""
    deed = request.form.get("deed", "")
    return DecreeKind(deed) if deed in tuple(DecreeKind) else abort(400)
