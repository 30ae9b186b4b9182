"""Configures gunicorn; reads all settings before anything starts, to report missing ones at once."""

from __future__ import annotations

import gc
import logging
import os
import resource
import sys
from typing import Any

from corr import limits
from corr.config import Config
from corr.processes import logging_settings
from corr.service.server import build_server
from corr.store import version
from corr.text.template_env import compile_pages
from corr.words.errors import CorrError

log = logging.getLogger(__name__)

_FILES = 8_192  # open at once: each connection is one

try:
    _config = Config.from_env(os.environ)
    _config.broker_url  # noqa: B018  # several processes need a broker
    _store = build_server(_config.web_config).store
    version.require_newest(_store)
    _store.close()
except CorrError as error:
    sys.exit(f"corr: {error}")

wsgi_app = "corr.web.wsgi:make()"
preload_app = True  # all workers share the app's memory
bind = _config.web_listen
reuse_port = True
workers = _config.web_workers
# Most threads wait: for the order lock, for the umpire, for the time when their response is due, or for news.
threads = worker_connections = 200 + limits.STREAMS
_soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (max(_soft, min(_hard, _FILES)), _hard))
backlog = 256
keepalive = 5
limit_request_line = 4_094
limit_request_fields = 60
limit_request_field_size = 8_190
graceful_timeout = 10
control_socket_disable = True
logconfig_dict = logging_settings(_config.log_level)


def when_ready(_arbiter: Any) -> None:
    """Compile the pages, and keep garbage collection, which writes to objects, away from what the workers share."""
    compile_pages()
    gc.freeze()


def post_worker_init(worker: Any) -> None:  # gunicorn has no types
    """End the streams of news with the process; log the address once, since gunicorn does not."""
    worker.wsgi.extensions["news"].is_stopping = lambda: not worker.alive
    if worker.age > 1:
        return
    host, _, port = bind.rpartition(":")
    log.info("serving pages", extra={"host": host, "port": int(port)})
