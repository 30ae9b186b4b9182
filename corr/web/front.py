"""The front page: what this is."""

from __future__ import annotations

from flask import Blueprint

from corr.desk import catalogue
from corr.pages import render
from corr.web.visit import is_demo

pages = Blueprint("front", __name__)


@pages.get("/")
def front() -> str:
    """What this is."""
    return render("web/front.html", cards=catalogue.cards(), is_demo=is_demo())
