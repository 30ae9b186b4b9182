"""Answers errors with a page in the site's own style, or with JSON for a program."""

from __future__ import annotations

from flask import request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest, HTTPException, NotFound

from corr.text.messages import sentence
from corr.web.api import token_auth
from corr.web.browser_session import render_public
from corr.words.errors import Refused


def show_not_found(error: NotFound) -> tuple[str, int, dict[str, str]]:
    """Show that nothing exists at an address, even if it exists for other visitors."""
    why = error.description if error.description != NotFound.description else sentence("pages.missing")
    page = render_public("web/not_found.html", why=why, sought=request.blueprint or "")
    return page, 404, {"Vary": "Cookie"}


def show_refusal(refusal: Refused) -> ResponseReturnValue:
    """Answer an action that was refused where its page expected no refusal."""
    return show_error(BadRequest(str(refusal)))


_PAGE_STATUSES = (400, 413, 429, 503)


def show_error(error: HTTPException) -> ResponseReturnValue:
    """Answer an HTTP error with a page, or with JSON for programs."""
    if request.path.startswith(token_auth.API_PATHS):
        return token_auth.json_refusal(error)
    if isinstance(error, NotFound):
        return show_not_found(error)
    return _page(error) if error.code in _PAGE_STATUSES else error.get_response()


def _page(error: HTTPException) -> tuple[str, int, dict[str, str]]:
    """Render the page of an error, with its sentence and how long to wait."""
    is_worded = error.description != type(error).description
    why = error.description if is_worded else sentence("pages.not_possible")
    wait = getattr(error, "retry_after", None)
    return (
        render_public("web/error.html", why=why),
        error.code or 400,
        {"Retry-After": str(wait)} if wait else {},
    )
