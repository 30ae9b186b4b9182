"""The front page: what this is."""

from __future__ import annotations

from flask import Blueprint

from corr.desk import catalogue
from corr.web.visit import show

pages = Blueprint("front", __name__)


@pages.get("/")
def front() -> str:
    """What this is."""
    return show("web/front.html", cards=catalogue.cards())
