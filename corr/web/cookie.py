"""Configures the browser's cookie: signed, and out of reach of scripts and of other sites (life: `corr/limits.py`)."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from flask.wrappers import Request
from sqlalchemy.exc import SQLAlchemyError

from corr import limits
from corr.service.players import authentication
from corr.service.server import Server


class Cookie(SecureCookieSessionInterface):
    """Flask's own signed cookie, with a key that all processes of the server share."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Read the cookie, with a key from the database; None while that is down."""
        if not app.secret_key:
            try:
                app.secret_key = authentication.cookie_key(self._server)
            except SQLAlchemyError:
                return None  # no page needs a cookie while the database is down
        return super().open_session(app, request)

    def get_cookie_secure(self, app: Flask) -> bool:  # noqa: ARG002  # Flask's own signature
        """Require TLS for the cookie, except on this machine."""
        return not is_local_request()

    def get_cookie_name(self, app: Flask) -> str:  # noqa: ARG002
        """Name the cookie after the URL prefix (one per person of the demo), with `__Host-` except on this machine."""
        place = request.script_root.replace("/", "-")
        return f"{'corr' if is_local_request() else '__Host-corr'}{place}"


def is_local_request() -> bool:
    """Return whether the browser is on this machine, and so connects without TLS."""
    host = urlsplit(f"//{request.host}").hostname or ""
    return host == "localhost" or is_loopback(host)


@lru_cache(maxsize=256)
def is_loopback(host: str) -> bool:
    """Return whether this is an address of this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def settings() -> dict[str, Any]:
    """Return Flask's settings for the cookie."""
    return {
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_REFRESH_EACH_REQUEST": False,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "PERMANENT_SESSION_LIFETIME": limits.SESSION_LIFE,
    }
