"""Each of the demo's people has the pages to themselves, below a path of their own, and is let in there already.

They show both sides, so they let in on loopback alone."""

from __future__ import annotations

from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response, request, session

from corr.demo.demo_players import PEOPLE, Person
from corr.service.house import House
from corr.service.players import authentication
from corr.web.browser_session import let_in
from corr.web.cookie import is_at_home

_WAYS_OUT = ("signing.sign_out", "signing.sign_out_everywhere")


class Rooms:
    """The pages once more for each person: `/ann/games/` are Ann's games."""

    def __init__(self, pages: WSGIApplication) -> None:
        self._pages = pages

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        key, slash, rest = environ.get("PATH_INFO", "").removeprefix("/").partition("/")
        if slash and _person(key):
            environ |= {"SCRIPT_NAME": f"/{key}", "PATH_INFO": f"/{rest}"}
        return self._pages(environ, start)


def open_rooms(app: Flask, house: House) -> None:
    """Let everybody into their own room, and nobody into another's."""
    app.wsgi_app = Rooms(app.wsgi_app)  # type: ignore[method-assign, assignment]  # as Flask's own manual wraps it

    def come_in() -> None:
        person, secret = _person(request.script_root.removeprefix("/")), session.get("in")
        is_out = "left" in session or (secret and authentication.visitor(house, secret, house.now()))
        if person and is_at_home() and not is_out:
            let_in(authentication.let_in_by_house(house, person.address, house.now()))

    # Before all else: the operators' pages ask at once who is there.
    app.before_request_funcs[None].insert(0, come_in)

    @app.after_request
    def leave(answer: Response) -> Response:
        """Who has signed out stays out, until they sign in as anybody does."""
        if request.endpoint in _WAYS_OUT and "in" not in session:
            session["left"] = True
        return answer


def _person(key: str) -> Person | None:
    return next((person for person in PEOPLE if person.key == key), None)
