"""Reports which settings are set, likely typing errors among them, and full disks."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy import make_url

from corr.config import KEYS, Config
from corr.doctor.finding import Finding, report_ok, report_problem

_PROCFILE_KEYS = ("CORR_WORKER_PROCESSES",)


def findings(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Report which settings are set, and each one that corr does not know."""
    ours = sorted(key for key in environ if key.startswith("CORR_") and environ[key])
    known = (*KEYS, *_PROCFILE_KEYS)
    yield report_ok("settings", f"set: {', '.join(key for key in ours if key in known) or 'nothing'}")
    for key in ours:
        if key not in known:
            near = get_close_matches(key, known, 1)
            advice = f"Did you mean {near[0]}?" if near else f"Known settings: {', '.join(known)}."
            yield report_problem("settings", f"{key} is set, but corr has no such setting.", advice)


_LEAST_FREE_BYTES = 200_000_000
_MEGABYTE = 1_000_000


def check_disk(config: Config) -> Iterator[Finding]:
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
