"""Checks that emails are read and sent, and that beat runs."""

from __future__ import annotations

from collections.abc import Iterator

from corr.doctor.finding import Finding, report_ok, report_problem
from corr.service.admin import statistics
from corr.service.admin.statistics import Figures
from corr.service.mail import alerts
from corr.service.server import Server

_LONG_WAIT = 600
_NO_SWEEP = "Start `beat` and `worker`. If you just did, run the doctor again in half a minute."
_LACKING = "The worker's log names the faulty line. Once it is fixed, new emails are complete again."
_DEAD = "Fix the cause, then run: corr letter resend"


def findings(server: Server) -> Iterator[Finding]:
    """Report the waiting emails and their age."""
    state = statistics.figures(server, server.now())
    lacked = alerts.list_recent(server, server.now())
    yield _sweep(state)
    yield _waiting("unread", state.unread, state.oldest_unread, "See the worker's log.")
    yield _waiting("unsent", state.unsent, state.oldest_unsent, "See the worker's log and the mail server's.")
    if state.dead:
        yield report_problem("dead", f"undelivered emails: {state.dead}.", _DEAD)
    else:
        yield report_ok("dead", "none")
    for each in lacked:
        part = _PART_NAMES.get(each.part, each.part)
        says = f"emails went out without {part}: {each.fault}, last on {each.rung_at.date()}."
        yield report_problem("alarms", says, _LACKING)
    if not lacked:
        yield report_ok("alarms", "all recent emails were complete")


#: The names, for people, of the parts that emails can lack.
_PART_NAMES = {
    "letter": "everything but plain words",
    "picture": "their picture",
    "html": "their HTML",
    "game": "the game file",
    "quotable": "the text for quoting in replies",
}


def _sweep(state: Figures) -> Finding:
    if state.last_sweep is None:
        return report_problem("sweep", "beat hasn't checked the deadlines yet.", _NO_SWEEP)
    ago = f"beat last checked the deadlines {state.last_sweep:.0f} s ago"
    return report_problem("sweep", f"{ago}.", _NO_SWEEP) if state.is_beat_silent else report_ok("sweep", ago)


def _waiting(what: str, count: int, oldest: float | None, advice: str) -> Finding:
    if oldest is None:
        return report_ok(what, "none")
    says = f"{count}, the oldest {oldest:.0f} s old"
    return report_ok(what, says) if oldest < _LONG_WAIT else report_problem(what, says, advice)
