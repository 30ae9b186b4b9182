"""Signs the demo's people in on pages of their own, by path."""

from __future__ import annotations

from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response, request, session

from corr.demo.mailbox import find_person
from corr.service.players import authentication
from corr.service.server import Server
from corr.web.browser_session import start_session
from corr.web.cookie import is_local_request

_WAYS_OUT = ("signing.sign_out", "signing.sign_out_everywhere")


def open_personal_pages(app: Flask, server: Server) -> None:
    """Serve all pages also below paths such as `/ann/`, where that person is signed in."""
    pages: WSGIApplication = app.wsgi_app

    def serve_below_path(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Serve `/ann/games/` as Ann's games."""
        key, slash, rest = environ.get("PATH_INFO", "").removeprefix("/").partition("/")
        if slash and find_person(key):
            environ |= {"SCRIPT_NAME": f"/{key}", "PATH_INFO": f"/{rest}"}
        return pages(environ, start)

    app.wsgi_app = serve_below_path  # type: ignore[method-assign, assignment]  # as Flask's own manual wraps it

    def sign_in_visitor() -> None:
        """Sign in the person whose path this is, unless they are signed in or have signed out there."""
        person, secret = find_person(request.script_root.removeprefix("/")), session.get("in")
        is_in = secret and authentication.find_visitor(server, secret, server.now())
        if person and is_local_request() and not is_in and "left" not in session:
            start_session(authentication.sign_in_directly(server, person.address, server.now()).secret)

    # This must run first, as the admin pages check at once who is signed in.
    app.before_request_funcs[None].insert(0, sign_in_visitor)

    @app.after_request
    def leave(answer: Response) -> Response:
        """Keep a signed-out person signed out until they sign in the usual way."""
        if request.endpoint in _WAYS_OUT and "in" not in session:
            session["left"] = True
        return answer
