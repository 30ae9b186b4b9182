"""Serves the front page and the privacy page."""

from __future__ import annotations

from flask import Blueprint

from corr import limits
from corr.service import pictures
from corr.web.browser_session import current_server, render_public

pages = Blueprint("front", __name__)


@pages.get("/")
def front() -> str:
    return render_public(
        "web/front.html",
        turn=pictures.load_front_turn(),
        variants=pictures.list_by_difficulty(),
        umpire=current_server().umpire,
    )


@pages.get("/privacy", strict_slashes=False)
def privacy() -> str:
    """Say what data we keep, how long, who sees it, and how to delete it."""
    return render_public(
        "web/privacy.html",
        letters=limits.LETTERS_KEPT.days,
        bounces=limits.BOUNCES_KEPT.days,
        strangers=limits.STRANGERS_KEPT.days,
        idle=limits.SESSION_IDLE.days,
        guests=limits.GUEST_IDLE.days,
        postmaster=f"postmaster@{current_server().domain}",
    )
