"""The front page, and whether the house is well."""

from __future__ import annotations

from flask import Blueprint, Response, current_app

from corr.desk import catalogue, health
from corr.desk.house import House
from corr.pages import render

pages = Blueprint("front", __name__)


@pages.get("/")
def front() -> str:
    """What this is."""
    is_demo = "demo.mailbox" in current_app.view_functions
    return render("web/front.html", cards=catalogue.cards(), is_demo=is_demo)


@pages.get("/healthz")
def healthz() -> Response:
    """`ok`, or not: the details are the operator's."""
    house: House = current_app.extensions["house"]
    well = health.is_well(house)
    return Response("ok\n" if well else "not ok\n", 200 if well else 503, mimetype="text/plain")
