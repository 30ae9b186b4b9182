"""Checks that emails are read and sent, and that beat runs."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy.exc import SQLAlchemyError

from corr.doctor.finding import Finding, well, wrong
from corr.service.admin import statistics
from corr.service.admin.statistics import Figures
from corr.service.house import House
from corr.service.mail import alerts

_LONG_WAIT = 600
_NO_SWEEP = "Start `beat` and `worker`. If you just did, run the doctor again in half a minute."
_LACKING = "The worker's log names the faulty line. Once it is fixed, new emails are complete again."
_DEAD = "Fix the cause, then run: corr letter resend"


def findings(house: House) -> Iterator[Finding]:
    """Report the waiting emails and their age; nothing if the database does not answer."""
    try:
        state = statistics.figures(house, house.now())
        lacked = alerts.lately(house, house.now())
    except SQLAlchemyError:
        return
    yield _sweep(state)
    yield _waiting("unread", state.unread, state.oldest_unread, "See the worker's log.")
    yield _waiting("unsent", state.unsent, state.oldest_unsent, "See the worker's log and the mail server's.")
    yield (wrong("dead", f"undelivered emails: {state.dead}.", _DEAD) if state.dead else well("dead", "none"))
    yield from (_lacking(each) for each in lacked)
    if not lacked:
        yield well("alarms", "all recent emails were complete")


def _lacking(lacked: alerts.Lacked) -> Finding:
    says = (
        f"emails went out without {_CALLED.get(lacked.part, lacked.part)}: {lacked.fault}, "
        f"last on {lacked.day}."
    )
    return wrong("alarms", says, _LACKING)


#: The names, for people, of the parts that emails can lack.
_CALLED = {
    "letter": "everything but plain words",
    "picture": "their picture",
    "html": "their HTML",
    "game": "the game file",
    "quotable": "the text for quoting in replies",
}


def _sweep(state: Figures) -> Finding:
    age = state.last_sweep
    if age is not None and not state.is_beat_silent:
        return well("sweep", f"beat last checked the deadlines {age:.0f} s ago")
    ago = (
        "beat hasn't checked the deadlines yet."
        if age is None
        else f"beat last checked the deadlines {age:.0f} s ago."
    )
    return wrong("sweep", ago, _NO_SWEEP)


def _waiting(what: str, count: int, oldest: float | None, advice: str) -> Finding:
    if oldest is None:
        return well(what, "none")
    says = f"{count}, the oldest {oldest:.0f} s old"
    return well(what, says) if oldest < _LONG_WAIT else wrong(what, says, advice)
