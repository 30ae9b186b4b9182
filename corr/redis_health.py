"""Checks whether Redis answers, and whether it may drop wake-up calls."""

from __future__ import annotations

_SECONDS = 1.0


def find_problem(url: str) -> str:
    """Return the broker's problem as a sentence; empty if there is none."""
    from redis import Redis
    from redis.exceptions import RedisError

    try:
        with Redis.from_url(url, socket_connect_timeout=_SECONDS, socket_timeout=_SECONDS) as redis:
            info = redis.info("memory")
    except (RedisError, ValueError) as error:
        return f"Redis doesn't answer: {error}"
    policy = str(info.get("maxmemory_policy", "noeviction"))
    return (
        ""
        if policy == "noeviction"
        else f"Redis may lose wake-up calls, because its maxmemory-policy is {policy}"
    )
