"""The app for `celery -A worker.beat_app beat`: beat only wakes workers, so it loads neither tasks nor database."""

from __future__ import annotations

from worker.app import load_config, make_app

app = make_app(load_config().broker_url)
