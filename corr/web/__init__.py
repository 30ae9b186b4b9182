"""The website, by the service's subjects, and what every request passes first."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Flask, Response, request, session
from werkzeug.exceptions import HTTPException

from corr import limits
from corr.service.games.news import load_news
from corr.service.games.page_orders import find_answered
from corr.service.lobby.page import find_started
from corr.service.players.guests import find_kept
from corr.service.server import Server
from corr.web import app_manifest, assets, checkpoint, cookie, events, front, rate_limit, rules
from corr.web import mail_webhook as letters_in
from corr.web.account import (
    hours,
    notifications,
    passkeys,
    push_devices,
    settings,
    sign_in_pages,
    signed_in_browsers,
    tokens,
    unsubscribe,
)
from corr.web.admin import events as admin_events
from corr.web.admin import metrics, overview
from corr.web.api import games as api_games
from corr.web.api import lobby as api_lobby
from corr.web.browser_session import CACHEABLE_ENDPOINTS, OPEN_ENDPOINTS
from corr.web.community import archive, players
from corr.web.error_pages import show_error, show_refusal
from corr.web.games import analysis, finished, news, open_data, page, verification, your_games
from corr.web.games.news import NewsStreams
from corr.web.lobby import email_links, guests, offers
from corr.web.lobby import page as lobby
from corr.web.mail_webhook import MailWebhook
from corr.web.order_submission import AnswerWaiter, OrderLock
from corr.web.rate_limit import ActionCounter, Buckets
from corr.web.reconchess import games as reconchess_games
from corr.web.reconchess import lobby as reconchess_lobby
from corr.web.reconchess import turns
from corr.words.errors import Refused
from corr.worker_wakeup import Work

_CSP = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "
    "font-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "frame-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'self'"
)


class _App(Flask):
    """Flask app whose log names a page by its rule, since the path itself may sign somebody in."""

    def log_exception(self, exc_info: Any) -> None:
        """Log an error in a page, with the page's rule instead of its path."""
        self.logger.error("a request failed: %s %s", request.method, request.url_rule, exc_info=exc_info)


def create_app(
    server: Server,
    knock: Callable[[Work], None],
    broker_url: str | None = None,
    operator_token: str | None = None,
    operators: frozenset[str] = frozenset(),
    hook: MailWebhook | None = None,
) -> Flask:
    """Create the Flask app; `knock` wakes a worker, and `hook`, if any, receives emails."""
    app = _App("corr.web", static_folder=None)
    app.extensions |= {
        "server": server,
        "knock": knock,
        "counts": ActionCounter(broker_url),
        "buckets": Buckets(broker_url),
        "order_lock": OrderLock(),
        "answer_waiter": AnswerWaiter(partial(find_answered, server)),
        "game_waiter": AnswerWaiter(partial(find_started, server)),
        "news": NewsStreams(partial(load_news, server)),
        "guest_waiter": AnswerWaiter(partial(find_kept, server)),
    }
    app.config.update(
        cookie.settings(),
        BROKER_URL=broker_url,
        OPERATOR_TOKEN=operator_token,
        OPERATORS=operators,
        MAX_CONTENT_LENGTH=limits.FORM_BYTES,
        APPEARANCE=assets.theme_stamp(),
    )
    app.session_interface = cookie.Cookie(server)
    app.before_request(rate_limit.start_timing)
    app.before_request(rate_limit.check_rate)
    for each in (
        assets,
        front,
        checkpoint,
        app_manifest,
        rules,
        metrics,
        sign_in_pages,
        lobby,
        guests,
        email_links,
        offers,
        settings,
        signed_in_browsers,
        passkeys,
        tokens,
        push_devices,
        hours,
        notifications,
        unsubscribe,
        your_games,
        news,
        page,
        finished,
        verification,
        analysis,
        open_data,
        players,
        archive,
        events,
        overview,
        admin_events,
        api_games,
        api_lobby,
        reconchess_lobby,
        reconchess_games,
        turns,
    ):
        app.register_blueprint(each.pages)
    if hook:
        app.extensions["hook"] = hook
        app.register_blueprint(letters_in.pages)
    app.register_error_handler(HTTPException, show_error)
    app.register_error_handler(Refused, show_refusal)
    app.after_request(rate_limit.delay_response)
    app.after_request(_harden)
    return app


def _harden(response: Response) -> Response:
    """Add security headers, and forbid caching unless the page is the same for everybody."""
    response.headers.setdefault("Content-Security-Policy", _CSP)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "no-referrer")
    if request.endpoint in OPEN_ENDPOINTS:
        response.vary.add("Cookie")
    if request.endpoint not in CACHEABLE_ENDPOINTS or (
        request.endpoint in OPEN_ENDPOINTS and "in" in session
    ):
        response.headers["Cache-Control"] = "no-store"
    return response
