"""What is shown where there is nothing, in the house's own look."""

from __future__ import annotations

from flask import request
from werkzeug.exceptions import NotFound

from corr.messages import sentence
from corr.web.browser_session import show


def missing(error: NotFound) -> tuple[str, int, dict[str, str]]:
    """The page of an address that names none: of any that does, but not for this visitor, the very same."""
    why = error.description if error.description != NotFound.description else sentence("pages.missing")
    return show("web/missing.html", why=why, sought=request.blueprint or ""), 404, {"Vary": "Cookie"}
