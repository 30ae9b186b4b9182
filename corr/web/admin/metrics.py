"""Reports the server's health to everybody, and figures, all of them public, to the operator."""

from __future__ import annotations

import hmac
from dataclasses import asdict

from flask import Blueprint, Response, abort, current_app, jsonify, request
from sqlalchemy.exc import SQLAlchemyError

from corr.processes import find_redis_problem
from corr.service.admin import statistics
from corr.service.admin.metrics import Metrics, measure
from corr.web.browser_session import current_server, is_local

pages = Blueprint("operator", __name__)

_METRICS = {
    "games_running": ("corr_games_running", "Games that have begun and are not over; tutorials don't count."),
    "games_over": ("corr_games_over", "Games that are over; tutorials don't count."),
    "turns": ("corr_turns", "Moves in running and finished games; refused tries don't count."),
    "late_news": (
        "corr_late_news_seconds",
        "Age of the oldest unsent email with news for both sides, rounded down to 0, 600, 3600, 14400 or 86400.",
    ),
    "dead_news": ("corr_dead_news", "Emails with news for both sides that we gave up sending."),
    "last_sweep": ("corr_last_sweep_seconds", "Seconds since the last deadline check, in whole minutes."),
}


@pages.get("/healthz")
def healthz() -> Response:
    """Report `ok` or not; give the operator details."""
    if _is_operator():
        return _details()
    well = statistics.is_healthy(current_server()) and not _broker_trouble()
    return Response("ok\n" if well else "not ok\n", 200 if well else 503, mimetype="text/plain")


@pages.get("/metrics")
def metrics() -> Response:
    """Report the figures to the operator's Prometheus."""
    if not _is_operator():
        abort(404)
    state, broker_trouble = _state(), _broker_trouble()
    figures: dict[str, tuple[str, float]] = {
        "corr_database_up": ("1 if the database answers.", float(state is not None)),
        "corr_broker_up": ("1 if Redis answers and keeps what it is given.", float(not broker_trouble)),
    }
    for field, figure in asdict(state).items() if state else ():
        name, meaning = _METRICS[field]
        if figure is not None:
            figures[name] = meaning, figure
    lines = (
        f"# HELP {name} {meaning}\n# TYPE {name} gauge\n{name} {figure:g}\n"
        for name, (meaning, figure) in figures.items()
    )
    return Response("".join(lines), content_type="text/plain; version=0.0.4; charset=utf-8")


def _details() -> Response:
    """Return all figures as JSON, with status 503 if anything is wrong."""
    state, broker_trouble = _state(), _broker_trouble()
    is_well = state is not None and not broker_trouble
    answer = jsonify(
        {
            "ok": is_well,
            "database": "ok" if state else "does not answer",
            "broker": broker_trouble or ("ok" if current_app.config["BROKER_URL"] else "not in use"),
            **(asdict(state) if state else {}),
        }
    )
    answer.status_code = 200 if is_well else 503
    return answer


def _state() -> Metrics | None:
    """Return the figures; None if the database does not answer."""
    try:
        return measure(current_server(), current_server().now())
    except SQLAlchemyError:
        return None


def _broker_trouble() -> str:
    """Return what is wrong with Redis; empty if nothing is."""
    url = current_app.config["BROKER_URL"]
    return find_redis_problem(url) if url else ""


def _is_operator() -> bool:
    """Tell whether the request has the operator's token, or comes from this machine without a proxy."""
    token, given = current_app.config["OPERATOR_TOKEN"], request.authorization
    shown = given.token if given and given.type == "bearer" else None
    if token and shown and hmac.compare_digest(shown.encode(), token.encode()):
        return True
    return is_local()
