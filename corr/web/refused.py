"""What is shown where something is not taken, in the house's own look."""

from __future__ import annotations

from werkzeug.exceptions import HTTPException

from corr.sentences import sentence
from corr.web.visit import show


def refused(error: HTTPException) -> tuple[str, int, dict[str, str]]:
    """The page of what was not done, and why; and how long to wait, where that is known."""
    is_worded = error.description != type(error).description
    why = error.description if is_worded else sentence("pages.not_possible")
    wait = getattr(error, "retry_after", None)
    return show("web/refused.html", why=why), error.code or 400, {"Retry-After": str(wait)} if wait else {}
