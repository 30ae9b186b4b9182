"""The operators' pages: how the mail is, which games are stuck, and what is decreed. Nobody else finds them."""

from __future__ import annotations

from flask import Blueprint, abort, request

from corr.desk import decrees, docket, health, rounds, stuck, troubles
from corr.desk.correspondents import Correspondent
from corr.desk.decrees import Deed
from corr.desk.docket import Docket
from corr.desk.health import Health
from corr.desk.moments import span
from corr.knock import Work
from corr.web.visit import Answer, back, guard, house, knock, limit, operator, page, say
from corr.words import Refused

pages = Blueprint("admin", __name__, url_prefix="/admin")
pages.before_request(guard)

_HOUR = 3_600
_AGAIN = {0: "This letter does not wait to be sent again any more.", 1: "The letter is due again."}
_DECREED = "It is decreed, and a worker does it in a moment. Both players get a letter."


@pages.before_app_request
def keep_strangers_out() -> None:
    """Before the address is looked up, and before forms are: a stranger is told what stands at no address at all."""
    if request.path.strip("/").partition("/")[0] == "admin" and operator() is None:
        abort(404)


@pages.get("/")
def overview() -> Answer:
    """How the house is, and what needs an operator."""
    now, who = house().now(), _who()
    return page(
        "web/admin.html",
        figures=_figures(health.examine(house(), now)),
        troubles=troubles.troubles(house(), who, now),
        stuck=stuck.stuck(house(), who, now),
    )


@pages.get("/games", strict_slashes=False)
def games() -> Answer:
    """The games of a code or a player."""
    asked = request.args.get("for", "")
    found = docket.search(house(), asked) if asked.strip() else ()
    return page("web/admin_games.html", asked=asked[:100], found=found)


@pages.get("/games/<code>")
def game(code: str) -> Answer:
    """What is public about a game, and what may be decreed."""
    return _game(_docket(code))


@pages.post("/games/<code>")
def decree(code: str) -> Answer:
    """Decree something; what a worker makes of it is on the page then."""
    limit("admin", 240, _HOUR)
    form, now, found = request.form, house().now(), _docket(code)
    try:
        wish = decrees.wish(_deed(), form.get("days", ""), form.get("end", ""), form.get("reason", ""))
        by = _who().address or ""
        decrees.decree(house(), by, found.game.id, form.get("number", ""), wish, now)
    except Refused as refusal:
        say(str(refusal))
        return _game(_docket(code))
    knock(Work.READ)
    say(_DECREED)
    return back("admin.game", code=found.game.code)


@pages.post("/resend")
def resend() -> Answer:
    """Let one letter that was given up be due again, or all."""
    limit("admin", 240, _HOUR)
    now, mark = house().now(), request.form.get("letter", "")
    if mark == "all":
        say(f"Letters that are due again: {rounds.revive(house(), now)}.")
    else:
        say(_AGAIN[troubles.resend(house(), _who(), mark, now)])
    knock(Work.SEND)
    return back("admin.overview")


def _figures(state: Health) -> tuple[tuple[str, str], ...]:
    """How the mail is, in words."""
    waits = (("unread", state.unread, state.oldest_unread), ("unsent", state.unsent, state.oldest_unsent))
    told = {
        what: f"{count}, the oldest for {span(age)}" if age is not None else "none"
        for what, count, age in waits
    }
    swept = "never" if state.last_sweep is None else f"{span(state.last_sweep)} ago"
    return (
        ("Letters that wait to be read", told["unread"]),
        ("Letters that wait to be sent", told["unsent"]),
        ("Letters that were given up", str(state.dead or "none")),
        ("The last sweep", swept),
    )


def _who() -> Correspondent:
    found = operator()
    assert found
    return found.who


def _docket(code: str) -> Docket:
    try:
        return docket.docket(house(), _who(), code)
    except Refused as refusal:
        abort(404, str(refusal))


def _game(found: Docket) -> Answer:
    return page(
        "web/admin_game.html",
        docket=found,
        written=request.form.to_dict(),
        days=range(1, decrees.MOST_DAYS + 1),
        longest=decrees.LONGEST_REASON,
    )


def _deed() -> Deed:
    try:
        return Deed(request.form.get("deed", ""))
    except ValueError:
        abort(400)
