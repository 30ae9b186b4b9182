"""Creates the app that gunicorn runs, from the environment."""

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
    """Create the app that the environment describes."""
    config = Config.from_env(os.environ)
    knock = Knocker(config.broker_url)
    house = house_of(config.for_the_web)
    return create_app(
        house, knock, config.broker_url, config.operator_token, config.operators, _hook(config, knock)
    )


def _hook(config: Config, knock: Knocker) -> Hook | None:
    """Return the webhook for emails, if it has a key.

    It stores emails with the server's own database role, which no page uses.
    """
    if config.hook_key is None:
        return None
    return Hook(config.hook_key.encode(), FrontDoor(house_of(config), knock).collect)
