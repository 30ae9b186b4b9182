"""The front page: what this is."""

from __future__ import annotations

from flask import Blueprint

from corr import limits
from corr.service import pictures
from corr.web.browser_session import house, show

pages = Blueprint("front", __name__)


@pages.get("/")
def front() -> str:
    """What this is."""
    return show(
        "web/front.html",
        turn=pictures.front(),
        variants=pictures.easiest_first(),
        umpire=house().umpire,
    )


@pages.get("/privacy", strict_slashes=False)
def privacy() -> str:
    """What is kept of people, how long, who sees it, and how one is forgotten."""
    return show(
        "web/privacy.html",
        letters=limits.LETTERS_KEPT.days,
        bounces=limits.BOUNCES_KEPT.days,
        strangers=limits.STRANGERS_KEPT.days,
        idle=limits.SESSION_IDLE.days,
        postmaster=f"postmaster@{house().domain}",
    )
