"""The settings of gunicorn."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.table import DOMAIN, make_table


def shown(tmp_path: Path, **more: str) -> dict[str, str]:
    """Gunicorn's settings for a server."""
    table = make_table(tmp_path)
    settings = {
        "CORR_DATABASE_URL": table.server.store.engine.url.render_as_string(),
        "CORR_MAIL_DOMAIN": DOMAIN,
        "CORR_REDIS_URL": "redis://127.0.0.1:1/0",
    }
    table.server.store.close()
    command = [sys.executable, "-m", "gunicorn", "-c", "python:corr.web.gunicorn_settings", "--print-config"]
    told = subprocess.run(
        command, capture_output=True, text=True, check=True, env=os.environ | settings | more
    )
    return dict(map(str.strip, line.split("=", 1)) for line in told.stdout.splitlines() if "=" in line)


def test_gunicorn_limits_connections_and_headers(tmp_path: Path) -> None:
    limits = ("worker_connections", "backlog", "limit_request_line", "limit_request_fields")
    settings = shown(tmp_path)

    assert [settings[name] for name in limits] == ["1200", "256", "4094", "60"]


def test_there_is_one_web_process_per_processor_unless_set(
    tmp_path: Path,
) -> None:
    unless_set = str(min(os.cpu_count() or 1, 4))

    assert [shown(tmp_path)["workers"], shown(tmp_path, CORR_WEB_WORKERS="3")["workers"]] == [unless_set, "3"]
