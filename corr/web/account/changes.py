"""Changes a visitor's own settings, and tells them the result."""

from __future__ import annotations

from collections.abc import Callable

from corr import limits
from corr.service.players.authentication import Visitor
from corr.web.browser_session import (
    PageResponse,
    current_visitor,
    explain_refusal,
    limit,
    redirect_to,
    set_message,
    wake_worker,
)
from corr.words.errors import Refused
from corr.worker_wakeup import Work


def change_setting(deed: Callable[[Visitor], str], goal: str, work: Work, **values: str) -> PageResponse:
    """Make a change, wake the worker that applies it, and lead back to a page."""
    found = current_visitor()
    if found is None:
        return redirect_to("signing.sign_in")
    limit("settings", limits.SETTINGS_FORMS_AN_HOUR)
    try:
        set_message(deed(found))
    except Refused as refusal:
        explain_refusal(refusal)
    else:
        wake_worker(work)
    return redirect_to(goal, **values)
