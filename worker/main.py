"""The app for `celery -A worker.main`, from the environment's settings."""

from __future__ import annotations

import gc
import logging
import os
import sys

from celery.signals import beat_init, setup_logging, worker_ready

from corr.config import Config
from corr.processes import set_up_logging
from corr.service.server import build_server
from corr.store import version
from corr.words.errors import CorrError
from corr.worker_wakeup import WorkerWaker
from worker.tasks import make_app

log = logging.getLogger(__name__)

try:
    _config = Config.from_env(os.environ)
    _server = build_server(_config)
    app = make_app(_server, WorkerWaker(_config.broker_url), _config.broker_url)
    version.require_newest(_server.store)
    _server.store.close()
except CorrError as error:
    sys.exit(f"corr: {error}")

set_up_logging(_config.log_level)


def _leave_the_log_alone(**_signal: object) -> None:
    """Answer this signal, so that Celery doesn't set up its own log."""


def _say_that_the_worker_started(**_signal: object) -> None:
    log.info("worker started")


def _say_that_beat_started(**_signal: object) -> None:
    log.info("beat started")


setup_logging.connect(_leave_the_log_alone)
worker_ready.connect(_say_that_the_worker_started)
beat_init.connect(_say_that_beat_started)

gc.freeze()  # keep garbage collection, which writes to objects, away from what the forked processes share
