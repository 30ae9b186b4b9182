"""What gunicorn runs: the pages of the house that the environment describes."""

from __future__ import annotations

import os

from flask import Flask

from corr.config import Config
from corr.desk.house import house_of
from corr.web import create_app


def make() -> Flask:
    """The app, with its settings checked first."""
    config = Config.from_env(os.environ)
    config.broker_url  # noqa: B018  # a house of several processes needs its broker
    return create_app(house_of(config))
