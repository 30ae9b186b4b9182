"""The workers' Celery app, from the environment's settings."""

from __future__ import annotations

import gc

from corr.service.server import build_server
from corr.store import version
from corr.worker_wakeup import WorkerWaker
from worker.app import exit_if_refused, load_config
from worker.tasks import make_worker_app

with exit_if_refused():
    _config = load_config()
    _server = build_server(_config)
    app = make_worker_app(_server, WorkerWaker(_config.broker_url), _config.broker_url)
    version.require_newest(_server.store)
    _server.store.close()

gc.freeze()  # keep garbage collection, which writes to objects, away from what the forked processes share
