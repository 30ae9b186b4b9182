"""Checks that emails are read and sent, and that beat runs."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy.exc import SQLAlchemyError

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
    """Report the waiting emails and their age; nothing if the database does not answer."""
    try:
        state = statistics.figures(server, server.now())
        lacked = alerts.list_recent(server, server.now())
    except SQLAlchemyError:
        return
    yield _sweep(state)
    yield _waiting("unread", state.unread, state.oldest_unread, "See the worker's log.")
    yield _waiting("unsent", state.unsent, state.oldest_unsent, "See the worker's log and the mail server's.")
    yield (
        report_problem("dead", f"undelivered emails: {state.dead}.", _DEAD)
        if state.dead
        else report_ok("dead", "none")
    )
    yield from (_lacking(each) for each in lacked)
    if not lacked:
        yield report_ok("alarms", "all recent emails were complete")


def _lacking(lacked: alerts.MissingPartReport) -> Finding:
    says = (
        f"emails went out without {_PART_NAMES.get(lacked.part, lacked.part)}: {lacked.fault}, "
        f"last on {lacked.day}."
    )
    return report_problem("alarms", says, _LACKING)


#: The names, for people, of the parts that emails can lack.
_PART_NAMES = {
    "letter": "everything but plain words",
    "picture": "their picture",
    "html": "their HTML",
    "game": "the game file",
    "quotable": "the text for quoting in replies",
}


def _sweep(state: Figures) -> Finding:
    age = state.last_sweep
    if age is not None and not state.is_beat_silent:
        return report_ok("sweep", f"beat last checked the deadlines {age:.0f} s ago")
    ago = (
        "beat hasn't checked the deadlines yet."
        if age is None
        else f"beat last checked the deadlines {age:.0f} s ago."
    )
    return report_problem("sweep", ago, _NO_SWEEP)


def _waiting(what: str, count: int, oldest: float | None, advice: str) -> Finding:
    if oldest is None:
        return report_ok(what, "none")
    says = f"{count}, the oldest {oldest:.0f} s old"
    return report_ok(what, says) if oldest < _LONG_WAIT else report_problem(what, says, advice)
