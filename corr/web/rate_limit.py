"""Limits how often a client may ask (rates: `corr/limits.py`): too slowly to measure the server's own speed."""

from __future__ import annotations

import hashlib
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from flask import Response, current_app, g, request, session
from werkzeug.exceptions import TooManyRequests

from corr import limits
from corr.service.answer_timing import PAGES
from corr.text.messages import sentence
from corr.web import assets
from corr.web.browser_session import client_address, is_local

_Figure = TypeVar("_Figure", int, float)

_PATIENCE = 0.25
_MOST_KEYS = 10_000
_REDIS_RETRY_SECONDS = 5.0  # the seconds without new requests to a Redis that did not answer
# Each bucket is stored as the time at which it will be full again. Either all buckets give, or none does.
_TAKE = """
local time = redis.call('TIME')
local now, wait = time[1] + time[2] / 1e6, 0
local full = {}
for number, key in ipairs(KEYS) do
    local span, size = tonumber(ARGV[2 * number - 1]), tonumber(ARGV[2 * number])
    full[number] = math.max(tonumber(redis.call('GET', key) or '0'), now) + span
    wait = math.max(wait, full[number] - now - span * size)
end
if wait <= 0 then
    for number, key in ipairs(KEYS) do
        local left = math.ceil(full[number] - now) + 1
        redis.call('SET', key, string.format('%.6f', full[number]), 'EX', left)
    end
end
return string.format('%.6f', wait)
"""


class ActionCounter:
    """Counts actions by key; each process counts alone if Redis does not answer."""

    def __init__(self, redis_url: str | None) -> None:
        self._lock = threading.Lock()
        self._counts: OrderedDict[str, int] = OrderedDict()
        self._redis = None
        if redis_url:
            from redis import Redis, RedisError

            self._lost = RedisError
            self._redis = Redis.from_url(
                redis_url, socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE
            )

    def allow(self, key: str, most: int, seconds: int) -> bool:
        """Count an action; True if at most `most` happened within `seconds`."""
        window = int(time.time() // seconds)
        name = f"corr:limit:{key}:{window}"
        if self._redis is not None:
            with suppress(self._lost):
                pipe = self._redis.pipeline()
                pipe.incr(name)
                pipe.expire(name, seconds)
                return bool(pipe.execute()[0] <= most)
        return self._count_locally(name) <= most

    def _count_locally(self, name: str) -> int:
        with self._lock:
            count = self._counts.get(name, 0) + 1
            _keep(self._counts, name, count)
            return count


@dataclass(frozen=True, slots=True)
class Bucket:
    name: str
    rate: float
    size: int


class Buckets:
    """Token buckets by name; each process has its own if Redis does not answer."""

    def __init__(self, redis_url: str | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock, self._asks_again = clock, threading.Lock(), 0.0
        self._full: OrderedDict[str, float] = OrderedDict()
        self._take = None
        if redis_url:
            from redis import Redis, RedisError

            kept = Redis.from_url(redis_url, socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE)
            self._take, self._lost = kept.register_script(_TAKE), RedisError

    def take(self, buckets: Sequence[Bucket]) -> float:
        """Take one from each bucket, or none; return the seconds until all have one."""
        if self._take is not None and self._clock() >= self._asks_again:
            names = [f"corr:bucket:{each.name}" for each in buckets]
            sizes = [figure for each in buckets for figure in (1 / each.rate, each.size)]
            with suppress(self._lost):
                return max(0.0, float(self._take(keys=names, args=sizes)))
            self._asks_again = self._clock() + _REDIS_RETRY_SECONDS
        return self._take_locally(buckets)

    def _take_locally(self, buckets: Sequence[Bucket]) -> float:
        with self._lock:
            now = self._clock()
            full = {each.name: max(self._full.get(each.name, now), now) + 1 / each.rate for each in buckets}
            wait = max((full[each.name] - now - each.size / each.rate for each in buckets), default=0.0)
            # A millionth of a second does not count, since adding times makes rounding errors.
            if wait > 1e-6:
                return wait
            for name, moment in full.items():
                _keep(self._full, name, moment)
            return 0.0


def _keep(figures: OrderedDict[str, _Figure], name: str, figure: _Figure) -> None:
    """Keep a figure, and forget the one that was kept longest ago if there are too many."""
    figures[name] = figure
    figures.move_to_end(name)
    if len(figures) > _MOST_KEYS:
        figures.popitem(last=False)


def check_rate() -> None:
    """Refuse a client that asks too fast; requests from this machine have no limit."""
    buckets: Buckets = current_app.extensions["buckets"]
    wait = 0.0 if is_local() else buckets.take(_buckets())
    if wait:
        raise TooManyRequests(sentence("pages.too_fast"), retry_after=math.ceil(wait))


def _buckets() -> list[Bucket]:
    """Return the buckets for a request: of its address, browser and program."""
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
    """Store when the request began, for `delay_response`."""
    g.begun = time.monotonic()


def delay_response(response: Response) -> Response:
    """Delay a response, partly at random, so that nobody can measure how busy we are."""
    if not is_local():
        time.sleep(PAGES.rest(time.monotonic() - g.begun))
    return response
