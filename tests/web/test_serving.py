"""How gunicorn is set."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from table import DOMAIN, lay


def test_gunicorn_takes_so_many_connections_and_no_longer_heads(tmp_path: Path) -> None:
    table = lay(tmp_path)
    settings = {
        "CORR_DATABASE_URL": table.house.store.engine.url.render_as_string(),
        "CORR_MAIL_DOMAIN": DOMAIN,
        "CORR_REDIS_URL": "redis://127.0.0.1:1/0",
    }
    table.house.store.close()
    command = [sys.executable, "-m", "gunicorn", "-c", "python:corr.web.serving", "--print-config"]
    told = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | settings)
    shown = dict(map(str.strip, line.split("=", 1)) for line in told.stdout.splitlines() if "=" in line)

    limits = ("worker_connections", "backlog", "limit_request_line", "limit_request_fields")
    assert [shown[name] for name in limits] == ["200", "256", "4094", "60"]
