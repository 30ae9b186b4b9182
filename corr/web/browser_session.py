"""Who is at the browser, and whether a form is one of ours."""

from __future__ import annotations

import hmac
import secrets
import time
from ipaddress import ip_network
from typing import NamedTuple, TypeAlias

from flask import abort, current_app, g, redirect, request, session, url_for
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import TooManyRequests
from werkzeug.wrappers import Response

from corr import limits
from corr.messages import sentence
from corr.service.games import waiting_count
from corr.service.house import House
from corr.service.players import access_log, authentication
from corr.service.players.authentication import Admitted, Visitor
from corr.template_env import render
from corr.web import assets
from corr.web.cookie import is_loopback
from corr.words.errors import Refused
from corr.worker_wakeup import Work

Answer: TypeAlias = str | Response | tuple[str, int]

_HOUR, _DAY = 3_600, 86_400
_HOUSEHOLD = 64
# Whoever comes by a proxy on this machine is a stranger: a proxy says so by one of these.
_FORWARDED = frozenset(
    f"HTTP_{each}"
    for each in ("FORWARDED", "X_FORWARDED_FOR", "X_FORWARDED_HOST", "X_FORWARDED_PROTO", "X_REAL_IP", "VIA")
)
_FIELDS = ("whom", "name", "address", "about", "variant", "clock", "ending", "stops", "color", "weight")


def house() -> House:
    """The house whose pages these are."""
    found: House = current_app.extensions["house"]
    return found


def knock(work: Work) -> None:
    """Wake a worker, after the commit."""
    current_app.extensions["knock"](work)


def visitor() -> Visitor | None:
    """Who was let in at this browser; asked once a page."""
    if "visitor" not in g:
        secret = session.get("in")
        g.visitor = authentication.visitor(house(), secret, house().now()) if secret else None
    found: Visitor | None = g.visitor
    return found


def meet(name: str | None, player_id: int | None = None) -> None:
    """Know by which name to call whoever is at the browser: none of a visitor without one, None of a stranger."""
    g.name, g.player_id = name, player_id


def count_waiting(games: int) -> None:
    """Know how many games wait for whoever is at the browser, where the page has found out by itself."""
    g.waited_for = games


def operator() -> Visitor | None:
    """Who was let in at this browser, if by an address of an operator's."""
    operators = current_app.config["OPERATORS"]
    found = visitor() if operators else None
    if found is None or not found.who.is_confirmed:
        return None
    return found if (found.who.address or "").casefold() in operators else None


def is_operator() -> bool:
    """Whether an operator is at this browser; a page that shows nothing of it need not ask."""
    return operator() is not None


def let_in(admitted: Admitted) -> None:
    """From now on this browser is theirs; what it knew before is forgotten."""
    session.clear()
    session.permanent = True
    session["in"] = admitted.secret


def let_out() -> None:
    """Nobody is at this browser any more."""
    session.clear()


class Said(NamedTuple):
    """What is said on a page of what was done before it, or why it was not done."""

    words: str
    is_refusal: bool


def say(what: str | Refused) -> None:
    """Say on the next page what was done, or why something was not done."""
    session["said"], session["refused"] = str(what), isinstance(what, Refused)


def leave_unsaid() -> None:
    """Say nothing of what was done: the next page shows it."""
    session.pop("said", None)


def refuse(refusal: Refused) -> None:
    """Say on the next page why something was not done; what was typed stands there once more."""
    say(refusal)
    session["typed"] = typed()


def typed() -> dict[str, str]:
    """What was typed into a form, for its page to show it once more."""
    return {each: request.form[each][: limits.FIELD_CHARACTERS] for each in _FIELDS if each in request.form}


def show(template: str, **words: object) -> str:
    """A page that is the same for everybody but for its head, which tells whoever is let in what waits for them."""
    root = request.script_root
    head = _head()
    return render(
        template,
        root=root,
        site=house().web_url + root,
        look=f"{root}/static/{assets.stamp()}",
        is_demo=is_demo(),
        name=head.name or "",
        is_in=head.name is not None,
        waited_for=head.waited_for,
        is_operator=is_operator if head.name is not None else _nobody,
        **words,
    )


class _Head(NamedTuple):
    """What the head of a page tells of whoever is at the browser."""

    name: str | None = None
    waited_for: int = 0


def _head() -> _Head:
    """Who is there, and how many games wait for them; nobody while the database is away."""
    try:
        if "name" not in g:
            found = visitor()
            meet((found.name or "") if found else None, found.who.player_id if found else None)
        if "waited_for" not in g:
            count_waiting(waiting_count.count(house(), g.player_id) if g.player_id else 0)
    except SQLAlchemyError:
        return _Head()
    return _Head(g.name, g.waited_for)


def _nobody() -> bool:
    """No operator is where nobody was let in."""
    return False


def page(template: str, **words: object) -> str:
    """A page with what is its visitor's: what was just said, the mark of our own forms."""
    return show(
        template,
        said=_said(),
        typed=session.pop("typed", {}),
        umpire=house().umpire,
        csrf=mark(),
        **words,
    )


def _said() -> Said | None:
    """What is to be said on this page."""
    words, is_refusal = session.pop("said", ""), session.pop("refused", False)
    return Said(words, is_refusal) if words else None


def is_demo() -> bool:
    """True where these pages are the demo's, which has mailboxes of its own."""
    return "demo.mailbox" in current_app.view_functions


def back(endpoint: str, **values: str) -> Response:
    """To another page of ours, by GET."""
    return redirect(url_for(endpoint, **values), 303)  # type: ignore[arg-type]  # mypy checks ** against url_for's own options


def guard() -> None:
    """Only forms that we have made for this browser are taken."""
    if request.method not in ("GET", "HEAD", "OPTIONS"):
        origin = request.headers.get("Origin", "").rpartition("//")[2]
        given, ours = request.form.get("csrf", ""), session.get("csrf", "")
        is_ours = ours and hmac.compare_digest(given.encode(), ours.encode())
        if (origin not in ("", "null", request.host)) or not is_ours:
            access_log.refused(request.endpoint or "", "old form")
            abort(400, sentence("pages.old_form"))


def limit(what: str, an_hour: int, whose: str = "") -> None:
    """Refuse what comes too often from one place, or from whoever is named."""
    if not current_app.extensions["counts"].allow(f"{what}:{whose or place()}", an_hour, _HOUR):
        access_log.refused(what, "too often")
        raise TooManyRequests(sentence("pages.too_often"), retry_after=_HOUR - int(time.time()) % _HOUR)


def limit_a_day(what: str, whose: int, most: int) -> None:
    """Refuse what one player does too often."""
    if not current_app.extensions["counts"].allow(f"{what}:player {whose}", most, _DAY):
        access_log.refused(what, "too often")
        raise Refused(sentence("pages.changed_enough"))


def place() -> str:
    """Where the browser is, as a proxy on this machine tells it; of IPv6 the network, which is one household's."""
    here = request.remote_addr or ""
    forwarded = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    told = forwarded if forwarded and is_loopback(here) else here
    try:
        return str(ip_network((told, _HOUSEHOLD), strict=False)) if ":" in told else told
    except ValueError:
        return told


def is_near() -> bool:
    """True for who asks from this very machine, and by no proxy."""
    return is_loopback(request.remote_addr or "::") and _FORWARDED.isdisjoint(request.environ)


def mark() -> str:
    """The mark of the forms that we make for this browser."""
    if "csrf" not in session:
        session["csrf"] = secrets.token_urlsafe(18)
    made: str = session["csrf"]
    return made
