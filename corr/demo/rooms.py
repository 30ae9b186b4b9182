"""Each of the demo's people has the pages to themselves, below a path of their own, and is let in there already.

They show both sides, so they let in on loopback alone."""

from __future__ import annotations

from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, request, session

from corr.demo.people import PEOPLE, Person
from corr.desk.house import House
from corr.desk.people import signing
from corr.web.cookie import is_at_home
from corr.web.visit import let_in


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

    @app.before_request
    def come_in() -> None:
        person, secret = _person(request.script_root.removeprefix("/")), session.get("in")
        if person and is_at_home() and not (secret and signing.visitor(house, secret, house.now())):
            let_in(signing.let_in_by_house(house, person.address, house.now()))


def _person(key: str) -> Person | None:
    return next((person for person in PEOPLE if person.key == key), None)
