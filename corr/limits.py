"""How often somebody may do something: counted in Redis for all processes, or in this one where there is none."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from contextlib import suppress

import redis

_PATIENCE = 0.25
_MOST_KEPT = 10_000


class Limits:
    """Counts deeds by key. Where Redis does not answer, each process counts for itself."""

    def __init__(self, redis_url: str | None) -> None:
        self._lock = threading.Lock()
        self._counts: OrderedDict[str, int] = OrderedDict()
        self._redis = (
            redis.Redis.from_url(redis_url, socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE)
            if redis_url
            else None
        )

    def allow(self, key: str, most: int, seconds: int) -> bool:
        """Count a deed; True if it is not more than so many in so many seconds."""
        window = int(time.time() // seconds)
        name = f"corr:limit:{key}:{window}"
        if self._redis is not None:
            with suppress(redis.RedisError):
                pipe = self._redis.pipeline()
                pipe.incr(name)
                pipe.expire(name, seconds)
                return bool(pipe.execute()[0] <= most)
        return self._counted_here(name) <= most

    def _counted_here(self, name: str) -> int:
        with self._lock:
            count = self._counts.pop(name, 0) + 1
            self._counts[name] = count
            while len(self._counts) > _MOST_KEPT:
                self._counts.popitem(last=False)
            return count
