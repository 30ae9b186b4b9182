"""Limits how often a client may ask: generously, but too slowly to measure the server's own speed."""

from __future__ import annotations

import hashlib
import math
import time

from flask import Response, current_app, g, request, session
from werkzeug.exceptions import TooManyRequests

from corr import limits
from corr.service.answer_timing import PAGES
from corr.text.messages import sentence
from corr.web import assets
from corr.web.browser_session import client_address, is_local
from corr.web.rate_counters import Bucket, Buckets


def check_rate() -> None:
    """Refuse a client that asks too fast; requests from this machine have no limit."""
    buckets: Buckets = current_app.extensions["buckets"]
    wait = 0.0 if is_local() else buckets.take(_buckets())
    if wait:
        raise TooManyRequests(sentence("pages.too_fast"), retry_after=math.ceil(wait))


def _buckets() -> list[Bucket]:
    found = [Bucket(f"address {client_address()}", *limits.ADDRESS_PAGES)]
    is_asset = request.blueprint == assets.pages.name
    secret = session.get("in") if "Cookie" in request.headers and not is_asset else None
    if secret:
        found.append(Bucket(f"browser {hash_secret(secret)}", *limits.BROWSER_PAGES))
    if token := _token():
        found.append(Bucket(f"program {hash_secret(token)}", *limits.BOT_PAGES))
    return found


def _token() -> str | None:
    """Return the token or password of a program's request, valid or not."""
    given = request.authorization
    return (given.token or given.password) if given else None


def hash_secret(secret: str) -> str:
    """Return a hash that names a bucket, but signs nobody in."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def start_timing() -> None:
    """Remember when the request began."""
    g.begun = time.monotonic()


def delay_response(response: Response) -> Response:
    """Wait until the response may leave.

    Programs on this machine see by other means how busy it is.
    """
    if not is_local():
        time.sleep(PAGES.rest(time.monotonic() - g.begun))
    return response
