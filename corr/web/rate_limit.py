"""How often somebody may ask: generously, but not so fast that the house's own haste can be told."""

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
    """Let somebody in, or tell them how long to wait. Who is on this machine is the house's own."""
    buckets: Buckets = current_app.extensions["buckets"]
    wait = 0.0 if is_near() else buckets.take(_buckets())
    if wait:
        raise TooManyRequests(sentence("pages.too_fast"), retry_after=math.ceil(wait))


def _buckets() -> list[Bucket]:
    """Out of which buckets this question is taken."""
    found = [Bucket(f"address {place()}", *limits.PAGES_OF_AN_ADDRESS)]
    is_asset = request.blueprint == assets.pages.name
    secret = session.get("in") if "Cookie" in request.headers and not is_asset else None
    if secret:
        found.append(Bucket(f"browser {digest_of(secret)}", *limits.PAGES_OF_A_BROWSER))
    if token := _token():
        found.append(Bucket(f"program {digest_of(token)}", *limits.PAGES_OF_A_PROGRAM))
    return found


def _token() -> str | None:
    """What a program comes in by, or would."""
    given = request.authorization
    return (given.token or given.password) if given else None


def digest_of(secret: str) -> str:
    """By which a bucket is known, and nobody comes in."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
