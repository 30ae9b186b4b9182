"""Knows the visitor at a browser, shows pages, and accepts only forms that we made."""

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
# A request with one of these headers came through a proxy on this machine, so it is a stranger's.
_FORWARDED = frozenset(
    f"HTTP_{each}"
    for each in ("FORWARDED", "X_FORWARDED_FOR", "X_FORWARDED_HOST", "X_FORWARDED_PROTO", "X_REAL_IP", "VIA")
)
_FIELDS = ("whom", "name", "address", "about", "variant", "clock", "ending", "stops", "color", "weight")


def house() -> House:
    """Return the server state behind these pages."""
    found: House = current_app.extensions["house"]
    return found


def knock(work: Work) -> None:
    """Wake a worker, after the commit."""
    current_app.extensions["knock"](work)


def visitor() -> Visitor | None:
    """Return the visitor signed in at this browser, with one look-up per page."""
    if "visitor" not in g:
        secret = session.get("in")
        g.visitor = authentication.visitor(house(), secret, house().now()) if secret else None
    found: Visitor | None = g.visitor
    return found


def meet(name: str | None, player_id: int | None = None) -> None:
    """Remember the visitor's name for the page's head: empty if unnamed, None for a stranger."""
    g.name, g.player_id = name, player_id


def count_waiting(games: int) -> None:
    """Remember how many games wait for the visitor, if the page has found out by itself."""
    g.waited_for = games


def operator() -> Visitor | None:
    """Return the signed-in visitor, if an admin's address signed them in."""
    operators = current_app.config["OPERATORS"]
    found = visitor() if operators else None
    if found is None or not found.who.is_confirmed:
        return None
    return found if (found.who.address or "").casefold() in operators else None


def is_operator() -> bool:
    """Return whether an admin is at this browser; most pages need not ask."""
    return operator() is not None


def let_in(admitted: Admitted) -> None:
    """Sign a visitor in at this browser, and forget what it knew before."""
    session.clear()
    session.permanent = True
    session["in"] = admitted.secret


def let_out() -> None:
    """Sign the visitor out at this browser."""
    session.clear()


class Said(NamedTuple):
    """What a page says about an action: its result, or why it was refused."""

    words: str
    is_refusal: bool


def say(what: str | Refused) -> None:
    """Say on the next page what was done, or why something was refused."""
    session["said"], session["refused"] = str(what), isinstance(what, Refused)


def leave_unsaid() -> None:
    """Say nothing about the result, since the next page shows it."""
    session.pop("said", None)


def refuse(refusal: Refused) -> None:
    """Explain a refusal on the next page, and fill in its form again."""
    say(refusal)
    session["typed"] = typed()


def typed() -> dict[str, str]:
    """Return what was typed into a form, so that its page can show it again."""
    return {each: request.form[each][: limits.FIELD_CHARACTERS] for each in _FIELDS if each in request.form}


def show(template: str, **words: object) -> str:
    """Render a page that is the same for everybody except for its head.

    The head tells a signed-in visitor how many games wait for them.
    """
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
    """What a page's head says about its visitor."""

    name: str | None = None
    waited_for: int = 0


def _head() -> _Head:
    """Return the visitor's name and waiting games; a stranger's while the database is down."""
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
    """Answer for a stranger, who is never an admin."""
    return False


def page(template: str, **words: object) -> str:
    """Render a page with the visitor's own parts: the last message, and our forms' token."""
    return show(
        template,
        said=_said(),
        typed=session.pop("typed", {}),
        umpire=house().umpire,
        csrf=mark(),
        **words,
    )


def _said() -> Said | None:
    """Return the message for this page, and forget it."""
    words, is_refusal = session.pop("said", ""), session.pop("refused", False)
    return Said(words, is_refusal) if words else None


def is_demo() -> bool:
    """Return whether these are the demo's pages, which have mailboxes of their own."""
    return "demo.mailbox" in current_app.view_functions


def back(endpoint: str, **values: str) -> Response:
    """Redirect to another page of ours, by GET."""
    return redirect(url_for(endpoint, **values), 303)  # type: ignore[arg-type]  # mypy checks ** against url_for's own options


def guard() -> None:
    """Refuse forms that we did not make for this browser."""
    if request.method not in ("GET", "HEAD", "OPTIONS"):
        origin = request.headers.get("Origin", "").rpartition("//")[2]
        given, ours = request.form.get("csrf", ""), session.get("csrf", "")
        is_ours = ours and hmac.compare_digest(given.encode(), ours.encode())
        if (origin not in ("", "null", request.host)) or not is_ours:
            access_log.refused(request.endpoint or "", "old form")
            abort(400, sentence("pages.old_form"))


def limit(what: str, an_hour: int, whose: str = "") -> None:
    """Refuse more requests in an hour than allowed, from one place or from `whose`."""
    if not current_app.extensions["counts"].allow(f"{what}:{whose or place()}", an_hour, _HOUR):
        access_log.refused(what, "too often")
        raise TooManyRequests(sentence("pages.too_often"), retry_after=_HOUR - int(time.time()) % _HOUR)


def limit_a_day(what: str, whose: int, most: int) -> None:
    """Refuse what one player does too often in a day."""
    if not current_app.extensions["counts"].allow(f"{what}:player {whose}", most, _DAY):
        access_log.refused(what, "too often")
        raise Refused(sentence("pages.changed_enough"))


def place() -> str:
    """Return the browser's address, as a proxy on this machine tells it.

    Of an IPv6 address return the network, which belongs to one household.
    """
    here = request.remote_addr or ""
    forwarded = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    told = forwarded if forwarded and is_loopback(here) else here
    try:
        return str(ip_network((told, _HOUSEHOLD), strict=False)) if ":" in told else told
    except ValueError:
        return told


def is_near() -> bool:
    """Return whether the request comes from this machine itself, without a proxy."""
    return is_loopback(request.remote_addr or "::") and _FORWARDED.isdisjoint(request.environ)


def mark() -> str:
    """Return the token of the forms that we make for this browser."""
    if "csrf" not in session:
        session["csrf"] = secrets.token_urlsafe(18)
    made: str = session["csrf"]
    return made
