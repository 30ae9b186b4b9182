"""Reports disks that are full or almost full."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy import make_url

from corr.config import Config
from corr.doctor.finding import Finding, report_ok, report_problem

_LEAST_FREE_BYTES = 200_000_000
_MEGABYTE = 1_000_000


def findings(config: Config) -> Iterator[Finding]:
    """Report the free space of each disk that the server or a local PostgreSQL writes to."""
    rooms = {folder.stat().st_dev: folder for folder in reversed(_folders(config)) if folder.is_dir()}
    for folder in reversed(rooms.values()):
        found = os.statvfs(folder)
        free = found.f_bavail * found.f_frsize
        if free < _LEAST_FREE_BYTES or (found.f_files and not found.f_favail):
            says = f"The disk at {folder} is almost full: {free // _MEGABYTE} MB left."
            yield report_problem("disk", says, "Delete what you don't need, or get a larger disk.")
        else:
            yield report_ok("disk", f"{free // _MEGABYTE} MB free at {folder}")


def _folders(config: Config) -> list[Path]:
    """Return the folders to which corr or a local PostgreSQL writes, most important first."""
    database = make_url(config.database_url)
    kept = [Path(database.database or "").parent] if database.get_backend_name() == "sqlite" else []
    spool = [Path(urlsplit(config.post_url).path)] if config.post_url.startswith("spool:") else []
    return [*kept, *spool, Path("/var/lib"), Path(tempfile.gettempdir())]
