"""What is shown where something is not taken, in the house's own look."""

from __future__ import annotations

from werkzeug.exceptions import HTTPException

from corr.pages import render


def refused(error: HTTPException) -> tuple[str, int]:
    """The page of what was not done, and why."""
    return render("web/refused.html", why=error.description or ""), error.code or 400
