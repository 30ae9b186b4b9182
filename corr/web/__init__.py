"""The web pages."""

from __future__ import annotations

from flask import Flask, Response

from corr.desk.house import House
from corr.web import front, operator, rules
from corr.web.missing import missing

_CSP = (
    "default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'self'"
)


def create_app(house: House, broker_url: str | None = None, operator_token: str | None = None) -> Flask:
    """The Flask app of one house."""
    app = Flask("corr.web", static_folder="static")
    app.extensions["house"] = house
    app.config.update(BROKER_URL=broker_url, OPERATOR_TOKEN=operator_token)
    app.register_blueprint(front.pages)
    app.register_blueprint(rules.pages)
    app.register_blueprint(operator.pages)
    app.register_error_handler(404, missing)
    app.after_request(_harden)
    return app


def _harden(response: Response) -> Response:
    response.headers.setdefault("Content-Security-Policy", _CSP)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "no-referrer")
    return response
