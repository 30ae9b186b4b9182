"""Reports which settings are set, and likely typing errors among them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from corr.config import KEYS
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
