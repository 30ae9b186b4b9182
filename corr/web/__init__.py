"""The web pages."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask, Response, request

from corr.buckets import Buckets
from corr.desk.house import House
from corr.knock import Work
from corr.limits import Limits
from corr.web import (
    admin,
    cookie,
    front,
    games,
    letters,
    lobby,
    look,
    offers,
    operator,
    pace,
    passkeys,
    review,
    rules,
    sessions,
    settings,
    signing,
    table,
    turnstile,
)
from corr.web.missing import missing
from corr.web.public import PUBLIC
from corr.web.refused import refused

_MOST_BYTES = 100_000
_MONTH = 30 * 24 * 3_600
_CSP = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "
    "frame-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'self'"
)


def create_app(
    house: House,
    knock: Callable[[Work], None],
    broker_url: str | None = None,
    operator_token: str | None = None,
    operators: frozenset[str] = frozenset(),
) -> Flask:
    """The Flask app of one house, whom it wakes when there is work, and at which addresses its operators are."""
    app = Flask("corr.web", static_folder="static")
    app.extensions |= {
        "house": house,
        "knock": knock,
        "limits": Limits(broker_url),
        "buckets": Buckets(broker_url),
    }
    app.config.update(
        cookie.settings(),
        BROKER_URL=broker_url,
        OPERATOR_TOKEN=operator_token,
        OPERATORS=operators,
        MAX_CONTENT_LENGTH=_MOST_BYTES,
        LOOK=look.stamp(),
        SEND_FILE_MAX_AGE_DEFAULT=_MONTH,  # our pages name each file by its stamp
    )
    app.session_interface = cookie.Cookie(house)
    app.before_request(pace.begin)
    app.before_request(turnstile.turn)
    for each in (
        front,
        rules,
        operator,
        signing,
        lobby,
        letters,
        offers,
        settings,
        sessions,
        passkeys,
        games,
        table,
        review,
        admin,
    ):
        app.register_blueprint(each.pages)
    app.register_error_handler(404, missing)
    for status in (400, 413, 429):
        app.register_error_handler(status, refused)
    app.after_request(pace.keep)
    app.after_request(_harden)
    return app


def _harden(response: Response) -> Response:
    response.headers.setdefault("Content-Security-Policy", _CSP)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "no-referrer")
    if request.endpoint not in PUBLIC:
        response.headers["Cache-Control"] = "no-store"
    return response
