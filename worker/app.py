"""What workers and beat share: settings, the log, and a Celery app with its broker and queues."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from celery import Celery
from celery.signals import beat_init, setup_logging, worker_ready

from corr.config import Config
from corr.processes import set_up_logging
from corr.words.errors import CorrError
from corr.worker_wakeup import QUEUES

log = logging.getLogger(__name__)

_TIME_LIMIT = 300
_VISIBILITY = 3_600


@contextmanager
def exit_if_refused() -> Iterator[None]:
    """End the process with a sentence if its settings or its database are not as they must be."""
    try:
        yield
    except CorrError as error:
        sys.exit(f"corr: {error}")


def load_config() -> Config:
    """Read the settings from the environment, and set up the log."""
    config = Config.from_env(os.environ)
    set_up_logging(config.log_level)
    setup_logging.connect(_leave_the_log_alone)
    worker_ready.connect(_say_that_the_worker_started)
    beat_init.connect(_say_that_beat_started)
    return config


def make_app(broker_url: str) -> Celery:
    """Create the Celery app; a worker adds the tasks."""
    app = Celery("corr", broker=broker_url)
    app.conf.update(
        task_ignore_result=True,
        task_acks_late=True,  # every task may be done twice
        task_time_limit=_TIME_LIMIT,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,  # a broker may be away for a night
        broker_transport_options={
            "visibility_timeout": _VISIBILITY,
            "socket_connect_timeout": 5,
            "socket_timeout": 20,
            "socket_keepalive": True,
        },
        broker_transport=_transport(broker_url),
        timezone="UTC",
        task_routes=QUEUES,
    )
    return app


def _transport(broker_url: str) -> str | None:
    """Return our own transport for Redis; None lets Celery choose."""
    return "worker.transport:Transport" if broker_url.startswith("redis") else None


def _leave_the_log_alone(**_signal: object) -> None:
    """Answer this signal, so that Celery doesn't set up its own log."""


def _say_that_the_worker_started(**_signal: object) -> None:
    log.info("worker started")


def _say_that_beat_started(**_signal: object) -> None:
    log.info("beat started")
