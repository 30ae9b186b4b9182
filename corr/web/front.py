"""The front page: what this is."""

from __future__ import annotations

from flask import Blueprint, current_app

from corr.desk import catalogue
from corr.pages import render

pages = Blueprint("front", __name__)


@pages.get("/")
def front() -> str:
    """What this is."""
    is_demo = "demo.mailbox" in current_app.view_functions
    return render("web/front.html", cards=catalogue.cards(), is_demo=is_demo)
