"""Serves the front page and the privacy page."""

from __future__ import annotations

from flask import Blueprint

from corr import limits
from corr.service import pictures
from corr.web.browser_session import house, show

pages = Blueprint("front", __name__)


@pages.get("/")
def front() -> str:
    """Show the front page."""
    return show(
        "web/front.html",
        turn=pictures.front(),
        variants=pictures.easiest_first(),
        umpire=house().umpire,
    )


@pages.get("/privacy", strict_slashes=False)
def privacy() -> str:
    """Say what data we keep, how long, who sees it, and how to delete it."""
    return show(
        "web/privacy.html",
        letters=limits.LETTERS_KEPT.days,
        bounces=limits.BOUNCES_KEPT.days,
        strangers=limits.STRANGERS_KEPT.days,
        idle=limits.SESSION_IDLE.days,
        postmaster=f"postmaster@{house().domain}",
    )
