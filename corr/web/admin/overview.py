"""Shows admins the state of email, stuck games and decrees. Nobody else finds these pages."""

from __future__ import annotations

from flask import Blueprint, abort, request

from corr import limits
from corr.messages import sentence
from corr.service.admin import fair_play, mail_problems, stuck_games
from corr.service.admin.games import GameReport, newest, report, search
from corr.service.admin.statistics import Figures, figures_for
from corr.service.games import moderation
from corr.service.games.moderation import Deed
from corr.service.players import access_log
from corr.service.players.mailboxes import Correspondent
from corr.service.players.time_format import span
from corr.web.account import passkey_proof
from corr.web.browser_session import Answer, back, guard, house, knock, limit, operator, page, say
from corr.words.errors import Refused
from corr.worker_wakeup import Work

pages = Blueprint("admin", __name__, url_prefix="/admin")
pages.before_request(guard)
pages.before_request(passkey_proof.ask_for_passkey)

_MINUTE = 60


@pages.before_app_request
def keep_strangers_out() -> None:
    """Answer a stranger as if no address under `/admin` existed.

    This runs before the address is looked up, and before forms are checked.
    """
    if request.path.strip("/").partition("/")[0] == "admin" and operator() is None:
        access_log.refused("admin", "no operator")
        abort(404)


@pages.get("/")
def overview() -> Answer:
    """Show the server's state, and what needs an admin."""
    now, who = house().now(), _who()
    state = figures_for(house(), who, now)
    return page(
        "web/admin.html",
        is_beat_silent=state.is_beat_silent,
        figures=_figures(state),
        troubles=mail_problems.troubles(house(), who, now),
        stuck=stuck_games.stuck(house(), who, now),
    )


@pages.get("/play", strict_slashes=False)
def play() -> Answer:
    """Show patterns in rated games, and players who met themselves."""
    return page("web/admin_play.html", found=fair_play.fair_play(house(), house().now()))


@pages.get("/games", strict_slashes=False)
def games() -> Answer:
    """List the games of a code or a player, or the newest."""
    asked = request.args.get("for", "")
    found = search(house(), asked) if asked.strip() else newest(house())
    return page("web/admin_games.html", asked=asked[:100], found=found)


@pages.get("/games/<code>")
def game(code: str) -> Answer:
    """Show a game's public facts, and what an admin may decree."""
    return _game(_report(code))


@pages.post("/games/<code>")
def decree(code: str) -> Answer:
    """Decree something; the page shows the result once a worker has applied it."""
    limit("admin", limits.OPERATOR_FORMS_AN_HOUR)
    form, now, found = request.form, house().now(), _report(code)
    if found.is_own:
        say(Refused(sentence("admin.own_game")))
        return _game(found)
    try:
        wish = moderation.wish(_deed(), form.get("days", ""), form.get("end", ""), form.get("reason", ""))
        by = _who().address or ""
        moderation.decree(house(), by, found.game.id, form.get("number", ""), wish, now)
    except Refused as refusal:
        say(refusal)
        return _game(_report(code))
    knock(Work.LETTERS)
    say(sentence("admin.decreed"))
    return back("admin.game", code=found.game.code)


@pages.post("/resend")
def resend() -> Answer:
    """Queue one email that we gave up again, or all of them."""
    limit("admin", limits.OPERATOR_FORMS_AN_HOUR)
    now, mark = house().now(), request.form.get("letter", "")
    if mark == "all":
        say(sentence("admin.again_all", count=mail_problems.resend_all(house(), _who(), now)))
    elif mail_problems.resend(house(), _who(), mark, now):
        say(sentence("admin.again_one"))
    else:
        say(Refused(sentence("admin.again_none")))
    knock(Work.LETTERS)
    return back("admin.overview")


@pages.post("/mailbox")
def mailbox() -> Answer:
    """Send emails again to a mailbox that bounced."""
    limit("admin", limits.OPERATOR_FORMS_AN_HOUR)
    if mail_problems.lift(house(), _who(), request.form.get("mailbox", ""), house().now()):
        say(sentence("admin.lifted"))
    else:
        say(Refused(sentence("admin.not_failing")))
    knock(Work.LETTERS)
    return back("admin.overview")


def _figures(state: Figures) -> tuple[tuple[str, str], ...]:
    """Return the state of email in words."""
    dead = str(state.dead) if state.dead else sentence("admin.none")
    return (
        (sentence("admin.unread"), _waiting(state.unread, state.oldest_unread)),
        (sentence("admin.unsent"), _waiting(state.unsent, state.oldest_unsent)),
        (sentence("admin.dead"), dead),
        (sentence("admin.last_sweep"), _ago(state.last_sweep)),
    )


def _waiting(count: int, age: float | None) -> str:
    return sentence("admin.none") if age is None else sentence("admin.age", count=count, span=span(age))


def _ago(age: float | None) -> str:
    """Give the age in minutes at the finest: nobody may learn how busy the workers are."""
    if age is None:
        return sentence("admin.never")
    return sentence("admin.ago", span=span(age)) if age >= _MINUTE else sentence("admin.lately")


def _who() -> Correspondent:
    found = operator()
    assert found
    return found.who


def _report(code: str) -> GameReport:
    try:
        return report(house(), _who(), code)
    except Refused as refusal:
        abort(404, str(refusal))


def _game(found: GameReport) -> Answer:
    return page(
        "web/admin_game.html",
        report=found,
        written=request.form.to_dict(),
        days=range(1, limits.DECREE_DAYS + 1),
        longest=limits.REASON_CHARACTERS,
    )


def _deed() -> Deed:
    try:
        return Deed(request.form.get("deed", ""))
    except ValueError:
        abort(400)
