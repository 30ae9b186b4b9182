"""Creates the WSGI app that gunicorn runs, from the environment's settings."""

from __future__ import annotations

import os

from flask import Flask

from corr.config import Config
from corr.service.mail.entrance import EmailEntrance
from corr.service.server import build_server
from corr.web import create_app
from corr.web.mail_webhook import MailWebhook
from corr.worker_wakeup import WorkerWaker


def make() -> Flask:
    config = Config.from_env(os.environ)
    knock = WorkerWaker(config.broker_url)
    server = build_server(config.web_config)
    return create_app(
        server, knock, config.broker_url, config.operator_token, config.operators, _hook(config, knock)
    )


def _hook(config: Config, knock: WorkerWaker) -> MailWebhook | None:
    """Return the webhook for emails, with the server's own database role; None without its key."""
    if config.hook_key is None:
        return None
    return MailWebhook(
        config.hook_key.encode(), EmailEntrance(build_server(config), knock).store_without_envelope
    )
