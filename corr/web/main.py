"""What gunicorn runs: the pages of the house that the environment describes."""

from __future__ import annotations

import os

from flask import Flask

from corr.config import Config
from corr.mail_entrance import FrontDoor
from corr.service.house import house_of
from corr.web import create_app
from corr.web.mail_webhook import Hook
from corr.worker_wakeup import Knocker


def make() -> Flask:
    """The app of the house that the environment describes."""
    config = Config.from_env(os.environ)
    knock = Knocker(config.broker_url)
    house = house_of(config.for_the_web)
    return create_app(
        house, knock, config.broker_url, config.operator_token, config.operators, _hook(config, knock)
    )


def _hook(config: Config, knock: Knocker) -> Hook | None:
    """For letters that come to the pages' address: they are kept by the house's own role, of which no page knows."""
    if config.hook_key is None:
        return None
    return Hook(config.hook_key.encode(), FrontDoor(house_of(config), knock).collect)
