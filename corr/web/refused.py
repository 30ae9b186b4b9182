"""What is shown where something is not taken, in the house's own look."""

from __future__ import annotations

from werkzeug.exceptions import HTTPException

from corr.web.visit import show

_WHY = "This page cannot do what was asked of it: please go back, load it again and repeat."


def refused(error: HTTPException) -> tuple[str, int]:
    """The page of what was not done, and why."""
    why = error.description if error.description != type(error).description else _WHY
    return show("web/refused.html", why=why), error.code or 400
