"""Shows the page for missing addresses, in the site's own style."""

from __future__ import annotations

from flask import request
from werkzeug.exceptions import NotFound

from corr.text.messages import sentence
from corr.web.browser_session import render_public


def show_not_found(error: NotFound) -> tuple[str, int, dict[str, str]]:
    """Show that nothing exists at this address.

    An address that exists, but not for this visitor, gets the very same page.
    """
    why = error.description if error.description != NotFound.description else sentence("pages.missing")
    return render_public("web/missing.html", why=why, sought=request.blueprint or ""), 404, {"Vary": "Cookie"}
