"""What `celery -A worker.main` finds: the app of the house that the environment describes."""

from __future__ import annotations

import os

from corr.config import Config
from corr.desk.house import house_of
from corr.knock import Knocker
from worker.tasks import make_app

_config = Config.from_env(os.environ)
_house = house_of(_config)
app = make_app(_house, Knocker(_config.broker_url), _config.broker_url)
