"""What the server's processes share: the Procfile, signals that end them, JSON logs, and whether Redis answers."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import threading
from datetime import UTC, datetime
from logging.config import dictConfig
from pathlib import Path
from typing import Any

_SECONDS = 1.0


def read_procfile() -> dict[str, str]:
    """Return each process's name and command, from the installed package or from a checkout."""
    inside = Path(__file__).parent / "Procfile"
    text = (inside if inside.is_file() else Path(__file__).parent.parent / "Procfile").read_text("utf-8")
    pairs = (line.partition(":") for line in text.splitlines() if line)
    return {name: command.strip() for name, _, command in pairs}


def catch_stop_signals() -> threading.Event:
    """Make SIGTERM and Ctrl-C only set the returned event, so that work can end first."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop


def find_redis_problem(url: str) -> str:
    """Check Redis; return why it can't carry wake-up calls, or an empty string."""
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


_STANDARD_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_ADDRESS = re.compile(r"""(?:\\?"[^"@]*"|[^\s<>"@:,;=/()]+)@(?=[\w\[])""")
_QUIET = ("alembic", "celery", "kombu", "amqp", "mail.log", "gunicorn.access")


def logging_settings(level: str) -> dict[str, Any]:
    """Return `dictConfig` settings for our processes and gunicorn: JSON lines to standard error."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": JsonFormatter}},
        "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"level": level, "handlers": ["lines"]},
        "loggers": {name: {"level": "WARNING"} for name in _QUIET}
        | {"gunicorn.error": {"level": "WARNING", "handlers": [], "propagate": True}},
    }


def set_up_logging(level: str) -> None:
    """Make this process log, Python's warnings included, as JSON lines to standard error."""
    dictConfig(logging_settings(level))
    logging.captureWarnings(capture=True)


def redact(text: str) -> str:
    """Hide the part before each `@` in a log line, which may be secret."""
    return _ADDRESS.sub("…@", text)


class JsonFormatter(logging.Formatter):
    """Formats a record as one line, with the values of `extra` as fields."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "process": os.getpid(),
            "says": record.getMessage(),
        }
        line |= {key: value for key, value in vars(record).items() if key not in _STANDARD_FIELDS}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return redact(json.dumps(line, ensure_ascii=False, default=str))
