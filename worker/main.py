"""The workers' Celery app, from the environment's settings."""

from __future__ import annotations

import gc
import sys

from corr.service.server import build_server
from corr.store import version
from corr.words.errors import CorrError
from corr.worker_wakeup import WorkerWaker
from worker.app import load_config
from worker.tasks import make_worker_app

_config = load_config()
try:
    _server = build_server(_config)
    version.require_newest(_server.store)
    _server.store.close()
except CorrError as error:
    sys.exit(f"corr: {error}")
app = make_worker_app(_server, WorkerWaker(_config.broker_url), _config.broker_url)

gc.freeze()  # keep garbage collection, which writes to objects, away from what the forked processes share
