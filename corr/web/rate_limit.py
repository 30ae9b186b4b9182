"""Limits how often a client may ask: generously, but too slowly to measure the server's own speed."""

from __future__ import annotations

import hashlib
import math

from flask import current_app, request, session
from werkzeug.exceptions import TooManyRequests

from corr import limits
from corr.counters import Bucket, Buckets
from corr.messages import sentence
from corr.web import assets
from corr.web.browser_session import is_near, place


def turn() -> None:
    """Refuse a client that asks too fast; requests from this machine have no limit."""
    buckets: Buckets = current_app.extensions["buckets"]
    wait = 0.0 if is_near() else buckets.take(_buckets())
    if wait:
        raise TooManyRequests(sentence("pages.too_fast"), retry_after=math.ceil(wait))


def _buckets() -> list[Bucket]:
    found = [Bucket(f"address {place()}", *limits.PAGES_OF_AN_ADDRESS)]
    is_asset = request.blueprint == assets.pages.name
    secret = session.get("in") if "Cookie" in request.headers and not is_asset else None
    if secret:
        found.append(Bucket(f"browser {digest_of(secret)}", *limits.PAGES_OF_A_BROWSER))
    if token := _token():
        found.append(Bucket(f"program {digest_of(token)}", *limits.PAGES_OF_A_PROGRAM))
    return found


def _token() -> str | None:
    """Return the token or password of a program's request, valid or not."""
    given = request.authorization
    return (given.token or given.password) if given else None


def digest_of(secret: str) -> str:
    """Return a hash that names a bucket, but signs nobody in."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
