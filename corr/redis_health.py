"""Redis as the operator sees it: whether it answers, and whether it may throw knocks away."""

from __future__ import annotations

_SECONDS = 1.0


def trouble(url: str) -> str:
    """What is wrong with the broker, in a sentence; empty if nothing is."""
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
