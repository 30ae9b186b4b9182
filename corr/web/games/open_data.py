"""Lists the months of published games, and serves their files."""

from __future__ import annotations

from flask import Blueprint, Response, abort

from corr.service.games import open_data
from corr.service.games.open_data import What
from corr.web.browser_session import house, show
from corr.words.errors import Refused

pages = Blueprint("open_games", __name__, url_prefix="/open")

_KINDS = {
    What.RECORDS: "application/jsonl",
    What.PGN: "application/vnd.chess-pgn; charset=utf-8",
    What.RBC: "application/jsonl",
}


@pages.get("", strict_slashes=False)
def months() -> str:
    """List the months."""
    return show("web/open_games.html", months=open_data.months(house()))


@pages.get("/<month>.<what>")
def file(month: str, what: str) -> Response:
    """Stream the games that ended in a month as a file."""
    if what not in tuple(What):
        abort(404)
    kind = What(what)
    try:
        found = open_data.month_of(month)
    except Refused as refusal:
        abort(404, str(refusal))
    games = Response(open_data.export(house(), kind, found), content_type=_KINDS[kind])
    games.headers["Content-Disposition"] = f'attachment; filename="{found.name}.{kind}"'
    return games
