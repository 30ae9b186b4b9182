"""Changes a visitor's own settings, and tells them the result."""

from __future__ import annotations

from collections.abc import Callable

from corr import limits
from corr.service.players.authentication import Visitor
from corr.web.browser_session import Answer, back, knock, limit, refuse, say, visitor
from corr.words.errors import Refused
from corr.worker_wakeup import Work


def change(deed: Callable[[Visitor], str], goal: str, work: Work, **values: str) -> Answer:
    """Make a change, wake the worker that applies it, and lead back to a page."""
    found = visitor()
    if found is None:
        return back("signing.sign_in")
    limit("settings", limits.SETTINGS_FORMS_AN_HOUR)
    try:
        say(deed(found))
    except Refused as refusal:
        refuse(refusal)
    else:
        knock(work)
    return back(goal, **values)
