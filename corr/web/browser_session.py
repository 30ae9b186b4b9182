"""Provides what all pages share: the visitor, messages, templates, form tokens and rate limits."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from ipaddress import ip_network
from typing import NamedTuple, TypeAlias

from flask import abort, current_app, g, redirect, request, session, url_for
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import TooManyRequests
from werkzeug.wrappers import Response

from corr import limits
from corr.service.games import open_turns
from corr.service.players import access_log, authentication
from corr.service.players.authentication import Visitor
from corr.service.players.mailboxes import Correspondent
from corr.service.players.switches import Theme, parse_theme
from corr.service.server import Server
from corr.text.messages import sentence
from corr.text.template_env import render
from corr.web import assets
from corr.web.cookie import is_loopback
from corr.words.errors import Refused
from corr.worker_wakeup import Work

PageResponse: TypeAlias = str | Response | tuple[str, int]

_HOUR, _DAY = 3_600, 86_400
_HOUSEHOLD = 64
# A request with one of these headers came through a proxy on this machine, so it is a stranger's.
_PROXY_HEADERS = frozenset(
    f"HTTP_{each}"
    for each in ("FORWARDED", "X_FORWARDED_FOR", "X_FORWARDED_HOST", "X_FORWARDED_PROTO", "X_REAL_IP", "VIA")
)
_FIELDS = ("whom", "name", "address", "about", "variant", "clock", "ending", "stops", "color", "weight")


def current_server() -> Server:
    """Return this app's server: its settings, database and clock."""
    found: Server = current_app.extensions["server"]
    return found


def wake_worker(work: Work) -> None:
    """Tell the workers that there is work; call this only after the commit."""
    current_app.extensions["knock"](work)


def current_visitor() -> Visitor | None:
    """Return the visitor signed in at this browser; None for strangers and guests."""
    found = current_visitor_or_guest()
    return None if found is None or found.is_guest else found


def current_visitor_or_guest() -> Visitor | None:
    """Return the visitor or guest at this browser, looked up once a request; None for strangers."""
    if "visitor" not in g:
        secret = session.get("in")
        g.visitor = (
            authentication.find_visitor(current_server(), secret, current_server().now()) if secret else None
        )
    found: Visitor | None = g.visitor
    return found


def remember_visitor(
    name: str | None, player_id: int | None = None, switched: str = "", men: str = ""
) -> None:
    """Store the name for the page's top, empty if unnamed, None for a stranger, and how pages look."""
    g.name, g.player_id, g.theme, g.men = name, player_id, parse_theme(switched), men


def remember_guest(player_id: int | None) -> None:
    """Store for the page's top that a guest is at this browser: they have no name, but games."""
    remember_visitor(None, player_id)


def remember_waiting(games: int) -> None:
    """Store how many games wait for the visitor, for the page's top, to save a query."""
    g.waiting_games = games


def current_admin() -> Visitor | None:
    """Return the signed-in visitor if an admin's address signed them in; otherwise None."""
    found = current_visitor() if current_app.config["OPERATORS"] else None
    if found is None or not found.who.is_confirmed:
        return None
    return found if is_admin_address(found.who.address) else None


def is_admin_address(address: str | None) -> bool:
    """Whether this is one of the admins' addresses, as the server is configured."""
    return (address or "").casefold() in current_app.config["OPERATORS"]


def admin_correspondent() -> Correspondent:
    """Return the admin on a page that only admins can reach."""
    found = current_admin()
    assert found
    return found.who


def is_admin() -> bool:
    """Return whether an admin is at this browser; most pages need not ask."""
    return current_admin() is not None


def start_session(secret: str) -> None:
    """Sign a visitor in at this browser, and forget what it knew before."""
    session.clear()
    session.permanent = True
    session["in"] = secret


def end_session() -> None:
    session.clear()


class PageMessage(NamedTuple):
    """What a page says about an action: its result, or why it was refused."""

    words: str
    is_refusal: bool


def set_message(what: str | Refused) -> None:
    """Say on the next page what was done, or why something was refused."""
    session["said"], session["refused"] = str(what), isinstance(what, Refused)


def clear_message() -> None:
    """Drop the message for the next page, which shows the result itself."""
    session.pop("said", None)


def explain_refusal(refusal: Refused) -> None:
    """Explain a refusal on the next page, and fill in its form again."""
    set_message(refusal)
    session["typed"] = typed_fields()


@contextmanager
def abort_if_refused(status: int) -> Iterator[None]:
    """Turn a Refused error in this block into a response with this status."""
    try:
        yield
    except Refused as refusal:
        abort(status, str(refusal))


def form_action(
    what: str, an_hour: int, refused_at: Callable[..., Response], *, for_guests: bool = False
) -> Callable[[Callable[..., PageResponse]], Callable[..., PageResponse]]:
    """Decorate a view that does something for the signed-in visitor, or also a guest, its first argument.

    `refused_at` gets the view's other arguments, and redirects to the page that explains a refusal.
    """

    def decorate(view: Callable[..., PageResponse]) -> Callable[..., PageResponse]:
        @wraps(view)
        def act(**values: str) -> PageResponse:
            found = current_visitor_or_guest() if for_guests else current_visitor()
            if found is None:
                return redirect_to("signing.sign_in")
            limit(what, an_hour)
            try:
                shown = view(found, **values)
            except Refused as refusal:
                explain_refusal(refusal)
                return refused_at(**values)
            wake_worker(Work.LETTERS)
            return shown

        return act

    return decorate


def typed_fields() -> dict[str, str]:
    """Return what was typed into a form, so that its page can show it again."""
    return {each: request.form[each][: limits.FIELD_CHARACTERS] for each in _FIELDS if each in request.form}


def render_public(template: str, **words: object) -> str:
    """Render a page that is the same for everybody, except for the visitor's name at the top."""
    root = request.script_root
    head = _head()
    return render(
        template,
        root=root,
        site=current_server().web_url + root,
        look=f"{root}/static/{assets.stamp()}",
        is_demo=is_demo(),
        name=head.name or "",
        theme=head.theme,
        pieces=head.men,
        is_in=head.name is not None,
        is_guest=head.is_guest,
        waiting_games=head.waiting_games,
        is_operator=is_admin if head.name is not None else lambda: False,
        **words,
    )


class _Head(NamedTuple):
    """What a page's head says about its visitor."""

    name: str | None = None
    waiting_games: int = 0
    is_guest: bool = False
    theme: Theme = Theme.SYSTEM
    men: str = ""


def _head() -> _Head:
    """Return the visitor's name and number of waiting games, for the page's top."""
    try:
        if "name" not in g:
            found = current_visitor_or_guest()
            name = None if found is None or found.is_guest else found.name or ""
            if found is None:
                remember_visitor(None)
            else:
                remember_visitor(name, found.who.player_id, found.switched, found.men)
        if "waiting_games" not in g:
            remember_waiting(open_turns.count_waiting(current_server(), g.player_id) if g.player_id else 0)
    except SQLAlchemyError:
        return _Head()
    return _Head(g.name, g.waiting_games, g.name is None and g.player_id is not None, g.theme, g.men)


def render_page(template: str, **words: object) -> str:
    """Render a page with the visitor's own parts: the last message, and our forms' token."""
    return render_public(
        template,
        said=_take_message(),
        typed=session.pop("typed", {}),
        umpire=current_server().umpire,
        csrf=form_token(),
        **words,
    )


def _take_message() -> PageMessage | None:
    """Return the message for this page, and forget it; None without one."""
    if "X-In-Background" in request.headers:  # another page of this browser shows it
        return None
    words, is_refusal = session.pop("said", ""), session.pop("refused", False)
    return PageMessage(words, is_refusal) if words else None


def is_demo() -> bool:
    """Return whether these are the demo's pages, which have mailboxes of their own."""
    return "demo.mailbox" in current_app.view_functions


def page_number() -> int:
    """Return which page of a list the address asks for."""
    asked = request.args.get("page", "")
    return max(1, int(asked[:9])) if asked.isascii() and asked.isdecimal() else 1


def redirect_to(endpoint: str, **values: str) -> Response:
    return redirect(url_for(endpoint, **values), 303)  # type: ignore[arg-type]  # mypy checks ** against url_for's own options


def check_form() -> None:
    """Refuse forms that we did not make for this browser."""
    if request.method not in ("GET", "HEAD", "OPTIONS") and not is_own_form():
        access_log.log_refusal(request.endpoint or "", "old form")
        abort(400, sentence("pages.old_form"))


def is_own_form() -> bool:
    """Whether the request's form is one that we made for this browser."""
    origin = request.headers.get("Origin", "").rpartition("//")[2]
    given, ours = request.form.get("csrf", ""), session.get("csrf", "")
    is_ours = bool(ours) and hmac.compare_digest(given.encode(), ours.encode())
    return origin in ("", "null", request.host) and is_ours


def limit(what: str, an_hour: int, whose: str = "") -> None:
    """Answer 429 after `an_hour` such requests in an hour, from one client or from `whose`."""
    if not current_app.extensions["counts"].allow(f"{what}:{whose or client_address()}", an_hour, _HOUR):
        access_log.log_refusal(what, "too often")
        raise TooManyRequests(sentence("pages.too_often"), retry_after=_HOUR - int(time.time()) % _HOUR)


def limit_a_day(what: str, whose: int, most: int) -> None:
    """Raise Refused if a player has done this `most` times today."""
    if not current_app.extensions["counts"].allow(f"{what}:player {whose}", most, _DAY):
        access_log.log_refusal(what, "too often")
        raise Refused(sentence("pages.changed_enough"))


def client_address() -> str:
    """Return the client's address, also behind our proxy; of IPv6, the household's network."""
    here = request.remote_addr or ""
    forwarded = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    told = forwarded if forwarded and is_loopback(here) else here
    try:
        return str(ip_network((told, _HOUSEHOLD), strict=False)) if ":" in told else told
    except ValueError:
        return told


def is_local() -> bool:
    """Return whether the request comes from this machine itself, without a proxy."""
    return is_loopback(request.remote_addr or "::") and _PROXY_HEADERS.isdisjoint(request.environ)


def form_token() -> str:
    """Return the token of the forms that we make for this browser."""
    if "csrf" not in session:
        session["csrf"] = secrets.token_urlsafe(18)
    made: str = session["csrf"]
    return made


FILE_ENDPOINTS = ("assets.asset",)  # the same for everybody, whatever cookie the request has
#: The same for everybody, except for the visitor's name at the top.
OPEN_ENDPOINTS = (
    "front.front",
    "front.privacy",
    "checkpoint.newest",
    "checkpoint.of_day",
    "checkpoint.leaves",
    "rules.variants",
    "rules.variant",
)
CACHEABLE_ENDPOINTS = OPEN_ENDPOINTS + FILE_ENDPOINTS
