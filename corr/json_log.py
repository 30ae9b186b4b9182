"""Logs one line of JSON for each event, without anybody's address."""

from __future__ import annotations

import json
import logging
import os
import re
from datetime import UTC, datetime
from logging.config import dictConfig
from typing import Any

_STANDARD_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_ADDRESS = re.compile(r"""(?:\\?"[^"@]*"|[^\s<>"@:,;=/()]+)@(?=[\w\[])""")
_QUIET = ("alembic", "celery", "kombu", "amqp", "mail.log", "gunicorn.access")


def logging_settings(level: str) -> dict[str, Any]:
    """Return the settings of logging, for the standard library and gunicorn: all goes to standard error."""
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
    """Send all logs and warnings of this process to the log."""
    dictConfig(logging_settings(level))
    logging.captureWarnings(capture=True)


def redact(text: str) -> str:
    """Replace the part before each `@` by `…`: a seat's secret, a person's name or a password."""
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
