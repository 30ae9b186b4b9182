"""What the server's processes need: the Procfile, the signals that end them, and whether Redis answers."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

_SECONDS = 1.0


def read_procfile() -> dict[str, str]:
    """Return each process's name and command, from the installed package or from a checkout."""
    inside = Path(__file__).parent / "Procfile"
    text = (inside if inside.is_file() else Path(__file__).parent.parent / "Procfile").read_text("utf-8")
    pairs = (line.partition(":") for line in text.splitlines() if line)
    return {name: command.strip() for name, _, command in pairs}


def catch_stop_signals() -> threading.Event:
    """Make SIGTERM and Ctrl-C set the returned event and do nothing else."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop


def find_redis_problem(url: str) -> str:
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
